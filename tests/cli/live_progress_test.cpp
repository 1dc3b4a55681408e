#include <catch2/catch.hpp>

#include "actors/device_state.hpp"
#include "cli/live_progress.hpp"
#include "cli/number_text.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;
using std::chrono::seconds;

TEST_CASE("the first line of progress has the rates since the start") {
  actors::RunStatistics statistics;
  statistics.steps = 50;
  statistics.calls = 100;
  const TimePoint start{};
  const LiveProgress progress(ProgressStyle::plain, statistics, start);
  CHECK_THAT(progress.line(start + seconds{5}, false), Contains("steps 50 (10.0/s)") && Contains("calls 100 (20.0/s)"));
}

TEST_CASE("a line of progress has the phones by state and the cost") {
  actors::RunStatistics statistics;
  statistics.phones[static_cast<std::size_t>(actors::DeviceState::leased)] = 22;
  statistics.phones[static_cast<std::size_t>(actors::DeviceState::offline)] = 2;
  statistics.cost_micros = 12'300;
  const TimePoint start{};
  const LiveProgress progress(ProgressStyle::plain, statistics, start);
  CHECK_THAT(progress.line(start + seconds{5}, false), Contains("phones 22 busy, 2 offline") && Contains("0.0123 USD"));
  statistics.calls_without_price = 1;
  CHECK_THAT(progress.line(start + seconds{5}, true), Contains("no price") && Contains("stopping"));
}

TEST_CASE("the time to go is never less than the time since a task was decided") {
  actors::RunStatistics statistics;
  statistics.tasks = 64;
  const TimePoint start{};
  LiveProgress progress(ProgressStyle::none, statistics, start);
  statistics.tasks_decided = 63;
  progress.update(start + seconds{30}, false);
  CHECK_THAT(progress.line(start + seconds{30}, false), Contains("to go 476 ms"));
  progress.update(start + seconds{40}, false);
  CHECK_THAT(progress.line(start + seconds{40}, false), Contains("to go 10.0 s"));
  statistics.tasks_decided = 64;
  CHECK_THAT(progress.line(start + seconds{41}, false), Contains("to go done"));
}

TEST_CASE("one of a thing is counted in the singular") {
  CHECK(counted(1, "task") == "1 task");
  CHECK(counted(0, "task") == "0 tasks");
  CHECK(counted(62, "task") == "62 tasks");
}
