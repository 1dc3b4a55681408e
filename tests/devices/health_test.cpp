#include "devices/health.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace drover;
using namespace drover::devices;
using namespace std::chrono_literals;

TEST_CASE("a phone that stays away long is no sick phone, whatever the number of tries to reach it") {
  Health health({}, 7);
  TimePoint now{};
  health.on_fault("went away", now);
  for (int i = 0; i < 100; ++i) {
    now += health.next_pause();
    health.on_connect_failed("can't be reached");
    CHECK_FALSE(health.quarantined(now));
  }
  CHECK(health.reason() == "can't be reached");
}

TEST_CASE("a phone that goes away time and again is quarantined, each time for twice as long") {
  const HealthOptions options;
  Health health(options, 7);
  TimePoint now{};
  for (const Duration expected : {options.quarantine, 2 * options.quarantine}) {
    for (std::uint32_t i = 1; i <= options.faults_to_quarantine; ++i) {
      CHECK_FALSE(health.quarantined(now));
      now += 30s;
      health.on_fault("went away", now);
      health.on_connected(now);
    }
    CHECK(health.quarantined_until() == now + expected);
    now += expected;
  }
}

TEST_CASE("faults that are further apart than the window do not add up") {
  const HealthOptions options;
  Health health(options, 7);
  TimePoint now{};
  for (int i = 0; i < 50; ++i) {
    now += options.fault_window / (options.faults_to_quarantine - 2);
    health.on_fault("went away", now);
  }
  CHECK_FALSE(health.quarantined(now));
}

TEST_CASE("pauses between tries grow to their cap and start small again once the phone was reached") {
  const HealthOptions options;
  Health health(options, 7);
  health.on_fault("went away", TimePoint{});
  CHECK(health.next_pause() <= options.backoff_base);
  Duration longest{};
  for (int i = 0; i < 40; ++i) {
    health.on_connect_failed("can't be reached");
    longest = std::max(longest, health.next_pause());
  }
  CHECK(longest > options.backoff_cap / 2);
  CHECK(longest <= options.backoff_cap);
  health.on_connected(TimePoint{});
  CHECK(health.next_pause() <= options.backoff_base);
}
