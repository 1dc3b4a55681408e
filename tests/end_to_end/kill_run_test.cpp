#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "storage/journal.hpp"
#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;

namespace {

/// A `drover run` of its own process.
class RunningDrover {
 public:
  RunningDrover(const std::string& configuration, const std::string& journal) {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    errors_ = ends[0];
    process_ = fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      const int nothing = open("/dev/null", O_RDWR);
      dup2(nothing, STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      execl(drover::test::program_file().c_str(), drover::test::program_file().c_str(), "run", configuration.c_str(),
            "--journal", journal.c_str(), "--progress", "none", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
  }
  RunningDrover(const RunningDrover&) = delete;
  RunningDrover& operator=(const RunningDrover&) = delete;
  ~RunningDrover() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      wait();
    }
    close(errors_);
  }
  /// Reads its messages until one contains `words`; all that came until then, or until it ended.
  std::string read_until(const std::string& words) const {
    std::string said;
    char part[512];
    while (said.find(words) == std::string::npos) {
      const ssize_t got = read(errors_, part, sizeof part);
      if (got <= 0) break;
      said.append(part, static_cast<std::size_t>(got));
    }
    return said;
  }
  void send(int signal) const { kill(process_, signal); }
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }

 private:
  pid_t process_ = -1;
  int errors_ = -1;
};

std::string write_configuration(const test::TemporaryFolder& folder, int tasks, const std::string& latency,
                                const std::string& time_scale = "0.05", const std::string& phones = "quick") {
  const std::string path = folder / "run.yaml";
  std::ofstream file(path);
  file << "seed: 3\ntime_scale: " << time_scale
       << "\nplanner: {enabled: true}\nproviders:\n  - name: rules\n    kind: scripted\n"
       << "    scripted: {latency: " << latency << "}\nphones: {simulated: 8, apps: " << drover::test::source_folder()
       << "/configs/apps, latency: " << phones << "}\ntasks:\n";
  for (int i = 0; i < tasks; ++i) {
    file << "  - {id: task-" << i << ", goal: \"Turn " << (i % 2 == 0 ? "the dark theme" : "flight mode")
         << " on\", max_steps: 12}\n";
  }
  return path;
}

/// Waits on the journal itself until it holds `wanted` events; what it showed then.
std::vector<storage::JournalEvent> wait_for_events(const std::string& journal, std::size_t wanted) {
  const auto clock = make_timer_thread();
  const TimePoint limit = clock->now() + std::chrono::seconds{60};
  std::vector<storage::JournalEvent> events;
  std::unique_ptr<storage::JournalReader> reader;
  while (clock->now() < limit) {
    if (!reader) {
      auto opened = storage::JournalReader::open(journal);
      if (opened.ok()) reader = *std::move(opened);
    } else if (reader->refresh().ok()) {
      auto more = reader->events(events.empty() ? 0 : events.back().sequence, 100'000);
      if (more.ok()) {
        for (auto& event : *more) events.push_back(std::move(event));
      }
      if (events.size() >= wanted) return events;
    }
    std::atomic<bool> woken{false};
    clock->after(std::chrono::milliseconds{5}, [&] {
      woken = true;
      woken.notify_one();
    });
    woken.wait(false);
  }
  FAIL("the journal did not come to " << wanted << " events, only to " << events.size());
  return events;
}

}  // namespace

TEST_CASE("after SIGKILL at 20 random moments no record that was seen is missing and nothing is left running") {
  test::TemporaryFolder folder;
  // Far longer than the test waits, so that each signal finds the run at work.
  const std::string configuration = write_configuration(folder, 200, "150ms", "0.5");
  const std::string journal = folder / "journal";
  Random random(20);
  std::set<std::string> fences;
  Sequence last = 0;
  for (int round = 0; round < 20; ++round) {
    INFO("round " << round);
    std::vector<storage::JournalEvent> seen;
    {
      RunningDrover drover(configuration, journal);
      seen = wait_for_events(journal, last + 220 + random.below(250));
      drover.send(SIGKILL);
      drover.wait();
    }
    {
      // Opening for writing is what closes the attempts that were cut short.
      storage::JournalOptions options;
      options.path = journal;
      auto opened = storage::Journal::open(options);
      REQUIRE(opened.ok());
      CHECK((*opened)->recovery().runs_interrupted == 1);
    }
    auto reader = storage::JournalReader::open(journal);
    REQUIRE(reader.ok());
    const auto events = (*reader)->events(0, 10'000'000);
    REQUIRE(events.ok());
    Sequence expected = 1;
    for (const auto& event : *events) {
      REQUIRE(event.sequence == expected);
      ++expected;
    }
    REQUIRE(events->size() >= seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      REQUIRE((*events)[i].kind == seen[i].kind);
      REQUIRE((*events)[i].value == seen[i].value);
    }
    last = events->back().sequence;

    const auto runs = (*reader)->runs();
    REQUIRE(runs.ok());
    for (const auto& run : *runs) {
      CHECK(run.state != RunState::running);
      const auto attempts = (*reader)->attempts(run.run, TaskId());
      REQUIRE(attempts.ok());
      for (const auto& attempt : *attempts) CHECK(attempt.outcome.has_value());
      const auto tasks = (*reader)->tasks(run.run);
      REQUIRE(tasks.ok());
      for (const auto& task : *tasks) CHECK(task.verdict.has_value());
    }
    const auto attempts = (*reader)->attempts(runs->front().run, TaskId());
    for (const auto& attempt : *attempts) {
      for (const auto& participant : attempt.participants) {
        CHECK(fences.insert(std::to_string(participant.fence)).second);
      }
    }
  }
}

TEST_CASE("Ctrl-C stops a run within five seconds, writes everything and exits 130") {
  test::TemporaryFolder folder;
  const std::string configuration = write_configuration(folder, 500, "200ms");
  const std::string journal = folder / "journal";
  const auto clock = make_timer_thread();
  RunningDrover drover(configuration, journal);
  wait_for_events(journal, 540);
  const TimePoint stopped = clock->now();
  drover.send(SIGINT);
  const int status = drover.wait();
  CHECK(clock->now() - stopped < std::chrono::seconds{5});
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  auto reader = storage::JournalReader::open(journal);
  REQUIRE(reader.ok());
  const auto runs = (*reader)->runs();
  REQUIRE(runs->size() == 1);
  CHECK(runs->front().state == RunState::ended);
  CHECK(runs->front().exit_code == 130);
  const auto tasks = (*reader)->tasks(runs->front().run);
  REQUIRE(tasks->size() == 500);
  for (const auto& task : *tasks) CHECK(task.verdict.has_value());
}

TEST_CASE("a second Ctrl-C ends a run at once while acts that were sent are still waited for") {
  test::TemporaryFolder folder;
  // Acts take seconds, so that the first Ctrl-C has something to wait for.
  const std::string configuration = write_configuration(folder, 8, "1ms", "4", "typical");
  const std::string journal = folder / "journal";
  const auto clock = make_timer_thread();
  RunningDrover drover(configuration, journal);
  wait_for_events(journal, 1 + 8 + 8 + 3);  // run, tasks, attempts, and the first intent with what goes before it
  drover.send(SIGINT);
  CHECK(drover.read_until("stopping").find("stopping") != std::string::npos);
  const TimePoint second = clock->now();
  drover.send(SIGINT);
  CHECK(drover.read_until("at once;").find("stopped at once") != std::string::npos);
  const int status = drover.wait();
  CHECK(clock->now() - second < std::chrono::milliseconds{500});
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  // What it left open is closed by whoever opens the journal next.
  storage::JournalOptions options;
  options.path = journal;
  auto opened = storage::Journal::open(options);
  REQUIRE(opened.ok());
  CHECK((*opened)->recovery().runs_interrupted == 1);
}

TEST_CASE("a second run on the same journal is refused with who holds it") {
  test::TemporaryFolder folder;
  // Far longer than the second needs to find the journal taken, however slow the machine.
  const std::string configuration = write_configuration(folder, 2000, "200ms", "1");
  const std::string journal = folder / "journal";
  RunningDrover first(configuration, journal);
  wait_for_events(journal, 10);
  RunningDrover second(configuration, journal);
  CHECK_THAT(second.read_until("is held for writing by process"), Catch::Contains("is held for writing by process"));
  const int status = second.wait();
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 20);
}

TEST_CASE("a run that was killed is shown as interrupted, not as running") {
  test::TemporaryFolder folder;
  const std::string configuration = write_configuration(folder, 2000, "200ms", "1");
  const std::string journal = folder / "journal";
  const std::string at = " --journal " + journal;
  RunningDrover drover(configuration, journal);
  wait_for_events(journal, 150);
  CHECK_THAT(test::run_drover("runs" + at).said, Catch::Contains("running"));
  drover.send(SIGKILL);
  drover.wait();
  for (const char* command : {"runs", "runs --output json", "history last"}) {
    const auto shown = test::run_drover(command + at);
    INFO(shown.said);
    CHECK(shown.exit_code == 0);
    CHECK_THAT(shown.said, Catch::Contains("interrupted") && !Catch::Contains("running"));
  }
}
