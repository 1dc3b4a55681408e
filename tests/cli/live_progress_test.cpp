#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "actors/device_state.hpp"
#include "cli/live_progress.hpp"
#include "cli/number_text.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;
using std::chrono::seconds;

namespace {

/// A terminal that keeps what is written to it.
class Screen {
 public:
  ~Screen() {
    std::fclose(file_);
    std::free(text_);
  }
  [[nodiscard]] std::FILE* file() const { return file_; }
  /// What was written since the last call.
  std::string written() {
    std::fflush(file_);
    const std::string since(text_ + seen_, size_ - seen_);
    seen_ = size_;
    return since;
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::size_t seen_ = 0;
  std::FILE* file_ = open_memstream(&text_, &size_);
};

}  // namespace

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
  statistics.tasks = 40;
  statistics.phones[static_cast<std::size_t>(actors::DeviceState::leased)] = 22;
  statistics.phones[static_cast<std::size_t>(actors::DeviceState::offline)] = 2;
  statistics.cost_micros = 12'300;
  const TimePoint start{};
  const LiveProgress progress(ProgressStyle::plain, statistics, start);
  CHECK_THAT(progress.line(start + seconds{5}, false), Contains("phones 22 busy, 2 offline") && Contains("0.0123 USD"));
  statistics.cost_micros = 0;
  CHECK_THAT(progress.line(start + seconds{5}, false), Contains("no cost yet") && !Contains("USD"));
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

TEST_CASE("a run that was stopped ends as stopped and not as done") {
  Screen screen;
  actors::RunStatistics statistics;
  statistics.tasks = 3;
  statistics.tasks_decided = 1;
  const TimePoint start{};
  for (const auto style : {ProgressStyle::plain, ProgressStyle::table}) {
    statistics.tasks_decided = 1;
    LiveProgress progress(style, statistics, start, screen.file());
    CHECK_THAT(progress.line(start + seconds{1}, true), Contains("  stopping") && !Contains("stopped"));
    statistics.tasks_decided = 3;
    progress.finish(start + seconds{2}, true);
    CHECK_THAT(screen.written(),
               Contains("3/3") && Contains("to go stopped\n") && !Contains("done") && !Contains("stopping"));
  }
}

TEST_CASE("lines of the log come above the table, which is then drawn again") {
  Screen screen;
  actors::RunStatistics statistics;
  statistics.tasks = 3;
  const TimePoint start{};
  LiveProgress progress(ProgressStyle::table, statistics, start, screen.file());
  progress.update(start + seconds{1}, false);
  const auto first = screen.written();
  const auto rows = std::count(first.begin(), first.end(), '\n');
  CHECK_THAT(first, Contains("tasks ") && Contains("0/3") && !Contains("\x1b[J"));

  spdlog::warn("the phone by the window went away");
  progress.say("stopping");
  CHECK(screen.written().empty());
  progress.update(start + seconds{2}, true);
  const auto second = screen.written();
  const auto up = second.find("\x1b[" + std::to_string(rows) + "A");
  const auto cleared = second.find("\x1b[J");
  const auto said = second.find("stopping\n");
  const auto logged = second.find("the phone by the window went away\n");
  const auto table = second.find("tasks ");
  CHECK(up == 0);
  CHECK(up < cleared);
  CHECK(cleared < said);
  CHECK(said < logged);
  CHECK(logged < table);
  CHECK(table != std::string::npos);

  progress.update(start + seconds{3}, true);
  CHECK_THAT(screen.written(), !Contains("window") && !Contains("\x1b[J"));
}

TEST_CASE("where there is no table a line is shown at once") {
  Screen screen;
  const actors::RunStatistics statistics;
  LiveProgress progress(ProgressStyle::plain, statistics, TimePoint{}, screen.file());
  progress.say("stopping");
  CHECK(screen.written() == "stopping\n");
}

TEST_CASE("one of a thing is counted in the singular") {
  CHECK(counted(1, "task") == "1 task");
  CHECK(counted(0, "task") == "0 tasks");
  CHECK(counted(62, "task") == "62 tasks");
}
