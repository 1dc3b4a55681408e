#include <catch2/catch.hpp>

#include <set>

#include "providers/scripted/misbehaviour.hpp"
#include "providers/scripted/request_tries.hpp"

using namespace drover;
using namespace drover::providers::scripted;

TEST_CASE("tries are counted per content, and only the newest contents are remembered") {
  RequestTries tries{2};
  CHECK(tries.count(7) == 1);
  CHECK(tries.count(7) == 2);
  CHECK(tries.count(8) == 1);
  CHECK(tries.count(7) == 3);
  CHECK(tries.count(9) == 1);
  CHECK(tries.count(7) == 1);
  CHECK(tries.count(9) == 2);
}

TEST_CASE("draws of neighbouring contents and tries have nothing in common") {
  ModelServerSettings settings;
  settings.latency = std::chrono::seconds{1};
  settings.latency_spread = 0.5;
  std::set<Duration> latencies;
  std::set<Duration> waits;
  for (std::uint64_t key = 1; key <= 20; ++key) {
    for (std::uint32_t number = 1; number <= 3; ++number) {
      const auto fate = draw_misbehaviour(settings, {}, 5, {key, number, false});
      latencies.insert(fate.latency);
      waits.insert(fate.retry_after);
    }
  }
  CHECK(latencies.size() == 60);
  CHECK(waits.size() == 60);
}

TEST_CASE("the shares of faults come out over many contents") {
  ModelServerSettings settings;
  settings.rate_limited_share = 0.2;
  settings.malformed_share = 0.1;
  int limited = 0;
  int malformed = 0;
  for (std::uint64_t key = 0; key < 4000; ++key) {
    const auto fate = draw_misbehaviour(settings, {}, 1, {key, 1, false});
    limited += fate.transport == TransportFault::rate_limited ? 1 : 0;
    malformed += fate.answer == AnswerFault::malformed ? 1 : 0;
  }
  CHECK(limited > 700);
  CHECK(limited < 900);
  CHECK(malformed > 320);
  CHECK(malformed < 480);
}
