#include "core/simulated_time.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace drover;
using namespace std::chrono_literals;

TEST_CASE("simulated time stands still until it is told to move") {
  SimulatedTime time;
  const TimePoint start = time.now();
  const UtcTime utc = time.utc_now();
  CHECK(time.now() == start);
  time.advance(3s);
  CHECK(time.now() - start == 3s);
  CHECK(time.utc_now() - utc == 3s);
}

TEST_CASE("callbacks run inside advance at their own time and in order") {
  SimulatedTime time;
  const TimePoint start = time.now();
  std::string order;
  const auto note = [&](const char* name) {
    return [&, name] { order += name + std::to_string((time.now() - start) / 1s) + " "; };
  };
  time.after(2s, note("b"));
  time.after(1s, note("a"));
  time.after(2s, note("c"));
  time.after(9s, note("late"));
  time.advance(5s);
  CHECK(order == "a1 b2 c2 ");
  CHECK(time.now() - start == 5s);
  CHECK(time.pending() == 1);
  CHECK(time.next_due() == start + 9s);
}

TEST_CASE("a timer set by a callback runs in the same advance when it falls due in it") {
  SimulatedTime time;
  int runs = 0;
  std::function<void()> again = [&] {
    if (++runs < 100) time.after(10ms, again);
  };
  time.after(0s, again);
  time.advance(500ms);
  CHECK(runs == 51);
  time.advance(1h);
  CHECK(runs == 100);
}

TEST_CASE("advancing to the next timer runs all that are due at that instant") {
  SimulatedTime time;
  int runs = 0;
  time.after(5s, [&] { ++runs; });
  time.after(5s, [&] { ++runs; });
  time.after(6s, [&] { ++runs; });
  CHECK(time.advance_to_next());
  CHECK(runs == 2);
  CHECK(time.advance_to_next());
  CHECK(runs == 3);
  CHECK_FALSE(time.advance_to_next());
  CHECK_FALSE(time.next_due().has_value());
}

TEST_CASE("a cancelled simulated timer never runs") {
  SimulatedTime time;
  int runs = 0;
  const TimerId timer = time.after(1s, [&] { ++runs; });
  time.after(1s, [&] { CHECK_FALSE(time.cancel(timer)); });
  CHECK(time.cancel(timer));
  CHECK_FALSE(time.cancel(timer));
  time.advance(1min);
  CHECK(runs == 0);
}

TEST_CASE("a callback may cancel one that is due at the same instant") {
  SimulatedTime time;
  int runs = 0;
  TimerId second = 0;
  time.after(1s, [&] { CHECK(time.cancel(second)); });
  second = time.after(1s, [&] { ++runs; });
  time.advance(2s);
  CHECK(runs == 0);
}
