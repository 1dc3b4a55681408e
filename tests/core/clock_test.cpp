#include "core/clock.hpp"

#include <catch2/catch.hpp>
#include <future>
#include <mutex>
#include <vector>

using namespace drover;
using namespace std::chrono_literals;

TEST_CASE("a time is written in ISO 8601 with microseconds") {
  CHECK(to_iso8601(UtcTime{}) == "1970-01-01T00:00:00.000000Z");
  CHECK(to_iso8601(UtcTime{std::chrono::microseconds{1'796'048'102'123'456}}) == "2026-11-30T14:15:02.123456Z");
  CHECK(to_iso8601(UtcTime{std::chrono::microseconds{-1}}) == "1969-12-31T23:59:59.999999Z");
  CHECK(to_iso8601(UtcTime{std::chrono::seconds{951'782'400}}) == "2000-02-29T00:00:00.000000Z");
}

TEST_CASE("a time that was written is read back") {
  for (const std::int64_t micros :
       {0L, 1L, -1L, 1'796'048'102'123'456L, 4'102'444'799'999'999L, -62'135'596'800'000'000L}) {
    const UtcTime time{std::chrono::microseconds{micros}};
    CHECK(from_iso8601(to_iso8601(time)) == time);
  }
}

TEST_CASE("other spellings of ISO 8601 are read") {
  const UtcTime time{std::chrono::microseconds{1'796'048'102'000'000}};
  CHECK(from_iso8601("2026-11-30T14:15:02Z") == time);
  CHECK(from_iso8601("2026-11-30T14:15:02.5Z") == time + 500ms);
  CHECK(from_iso8601("2026-11-30T14:15:02.123456789Z") == time + 123456us);
  CHECK(from_iso8601("2026-11-30T15:15:02+01:00") == time);
  CHECK(from_iso8601("2026-11-30T08:45:02-05:30") == time);
}

TEST_CASE("what is no time is not read as one") {
  for (const auto* text :
       {"", "now", "2026-11-30", "2026-11-30T14:15Z", "2026-11-30T14:15:02", "2026-13-30T14:15:02Z",
        "2026-02-29T14:15:02Z", "2026-11-30T24:15:02Z", "2026-11-30T14:60:02Z", "2026-11-30T14:15:60Z",
        "2026-11-30T14:15:02.Z", "2026-11-30T14:15:02.1234567890Z", "2026-11-30T14:15:02Z ", "2026-11-30T14:15:02+1:00",
        "2026-11-30T14:15:02+", "2026-11-30T14:15:02+01:60", "-026-11-30T14:15:02Z", "2026-1 -30T14:15:02Z"}) {
    CAPTURE(text);
    CHECK_FALSE(from_iso8601(text).has_value());
  }
}

TEST_CASE("durations are told in milliseconds") { CHECK(to_milliseconds(1500us) == Approx(1.5)); }

TEST_CASE("the timer thread runs callbacks in the order in which they fall due") {
  const auto timers = make_timer_thread();
  std::mutex mutex;
  std::vector<int> order;
  std::promise<void> last;
  const auto note = [&](int number) {
    std::lock_guard lock(mutex);
    order.push_back(number);
  };
  timers->after(60ms, [&] {
    note(4);
    last.set_value();
  });
  timers->after(30ms, [&] { note(3); });
  timers->after(0ms, [&] { note(1); });
  timers->after(-5ms, [&] { note(2); });
  last.get_future().wait();
  CHECK(order.size() == 4);
  CHECK(std::count(order.begin(), order.begin() + 2, 3) == 0);
  CHECK(order.at(2) == 3);
  CHECK(order.at(3) == 4);
}

TEST_CASE("a timer runs no earlier than asked and can be set from a callback") {
  const auto timers = make_timer_thread();
  std::promise<TimePoint> fired;
  const TimePoint start = timers->now();
  timers->after(5ms, [&] { timers->after(5ms, [&] { fired.set_value(timers->now()); }); });
  CHECK(fired.get_future().get() - start >= 10ms);
}

TEST_CASE("a cancelled timer never runs and is cancelled only once") {
  const auto timers = make_timer_thread();
  bool ran = false;
  std::promise<void> later;
  const TimerId cancelled = timers->after(1h, [&] { ran = true; });
  CHECK(cancelled != 0);
  CHECK(timers->cancel(cancelled));
  CHECK_FALSE(timers->cancel(cancelled));
  const TimerId done = timers->after(0ms, [&] { later.set_value(); });
  later.get_future().wait();
  CHECK_FALSE(timers->cancel(done));
  CHECK_FALSE(timers->cancel(0));
  CHECK_FALSE(ran);
}

TEST_CASE("ending the timer thread drops what is pending") {
  auto kept = std::make_shared<int>(1);
  {
    const auto timers = make_timer_thread();
    timers->after(1h, [kept] { FAIL("a dropped timer ran"); });
    CHECK(kept.use_count() == 2);
  }
  CHECK(kept.use_count() == 1);
}

TEST_CASE("the monotonic reading never goes back and the wall clock is this century's") {
  const auto timers = make_timer_thread();
  const TimePoint first = timers->now();
  CHECK(timers->now() >= first);
  CHECK(timers->utc_now() > *from_iso8601("2020-01-01T00:00:00Z"));
}
