#include <catch2/catch.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>

#include "core/random.hpp"
#include "storage/journal.hpp"
#include "storage/sample_records.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

extern char** environ;

namespace {

constexpr const char* path_variable = "DROVER_TEST_KILLED_JOURNAL";
constexpr int acknowledgement_descriptor = 3;

/// One acknowledgement: what was committed, and under which number.
struct Acknowledgement {
  Sequence sequence = 0;
  std::uint64_t step = 0;
  Fence fence = 0;
};

/// A process of this program that commits until it is killed.
class Child {
 public:
  explicit Child(const std::string& path) {
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    REQUIRE(setenv(path_variable, path.c_str(), 1) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], acknowledgement_descriptor);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::string test = "a process that is about to be killed";
    std::array<char*, 3> arguments{program.data(), test.data(), nullptr};
    const int failed = posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    pipe_ = ends[0];
    REQUIRE(failed == 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    kill();
    close(pipe_);
  }

  /// The next acknowledgement; nothing when the process is gone.
  std::optional<Acknowledgement> next() const {
    Acknowledgement acknowledgement;
    auto* bytes = reinterpret_cast<char*>(&acknowledgement);
    std::size_t have = 0;
    while (have < sizeof acknowledgement) {
      const auto got = read(pipe_, bytes + have, sizeof acknowledgement - have);
      if (got <= 0) return std::nullopt;
      have += static_cast<std::size_t>(got);
    }
    return acknowledgement;
  }

  void kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  int pipe_ = -1;
};

}  // namespace

TEST_CASE("a process that is about to be killed", "[.]") {
  const char* path = getenv(path_variable);
  if (path == nullptr) return;
  auto journal = Journal::open({.path = path, .memtable_bytes = 512u << 10});
  REQUIRE(journal.ok());
  const auto run = "run-" + std::to_string(getpid());
  const std::vector<JournalEntry> begun{entry_of(sample_run(run)), entry_of(sample_task(run, "t")),
                                        entry_of(sample_attempt(run, "t"))};
  REQUIRE((*journal)->commit(begun).ok());
  for (std::uint32_t step = 1;; ++step) {
    const auto key = sample_key(run, "t", step);
    const std::vector<JournalEntry> entries{entry_of(sample_intent(key)), entry_of(sample_decision(key))};
    const auto last = (*journal)->commit(entries);
    const auto fence = (*journal)->reserve_fences(1);
    if (!last.ok() || !fence.ok()) return;
    const Acknowledgement acknowledgement{*last, step, *fence};
    if (write(acknowledgement_descriptor, &acknowledgement, sizeof acknowledgement) < 0) return;
  }
}

TEST_CASE("a second process is told which process holds the journal") {
  const TemporaryFolder folder;
  const Child child{folder / "j"};
  REQUIRE(child.next());
  const auto journal = Journal::open({.path = folder / "j"});
  REQUIRE_FALSE(journal.ok());
  CHECK(journal.error().code == Errc::journal_locked);
  CHECK(journal.error().cause.find("process " + std::to_string(child.pid()) + " (storage_test)") != std::string::npos);
}

TEST_CASE("a reader in another process sees records while they are written") {
  const TemporaryFolder folder;
  const Child child{folder / "j"};
  REQUIRE(child.next());
  auto reader = JournalReader::open(folder / "j");
  if (!reader.ok()) FAIL(reader.error().describe());
  for (int i = 0; i < 20; ++i) {
    const auto acknowledged = child.next();
    REQUIRE(acknowledged);
    REQUIRE((*reader)->refresh().ok());
    const auto events = (*reader)->events(acknowledged->sequence - 1, 1);
    REQUIRE(events.ok());
    REQUIRE(events->size() == 1);
    CHECK(decode_decision(events->front().value)->key.step == acknowledged->step);
  }
  CHECK((*reader)->find_run("last")->state == RunState::running);
}

TEST_CASE("no acknowledged record is lost over twenty kills, and nothing is left running") {
  const TemporaryFolder folder;
  const auto path = folder / "j";
  Random random{17};
  std::map<Sequence, std::uint64_t> acknowledged;
  Fence last_fence = 0;
  for (int life = 0; life < 20; ++life) {
    Child child{path};
    const auto take = [&](const Acknowledgement& one) {
      acknowledged[one.sequence] = one.step;
      REQUIRE(one.fence > last_fence);
      last_fence = one.fence;
    };
    for (auto left = 1 + random.below(150); left > 0; --left) {
      const auto one = child.next();
      REQUIRE(one);
      take(*one);
    }
    child.kill();
    while (const auto one = child.next()) take(*one);
  }
  auto journal = Journal::open({.path = path});
  if (!journal.ok()) FAIL(journal.error().describe());
  CHECK((*journal)->recovery().runs_interrupted == 1);
  CHECK((*journal)->recovery().attempts_in_doubt == 1);
  REQUIRE(*(*journal)->reserve_fences(1) > last_fence);

  auto reader = JournalReader::open(path);
  if (!reader.ok()) FAIL(reader.error().describe());
  const auto events = (*reader)->events(0, 1'000'000);
  REQUIRE(events.ok());
  for (std::size_t i = 0; i < events->size(); ++i) REQUIRE((*events)[i].sequence == i + 1);
  REQUIRE(acknowledged.size() > 200);
  for (const auto& [sequence, step] : acknowledged) {
    REQUIRE(sequence <= events->size());
    const auto& event = (*events)[sequence - 1];
    REQUIRE(event.kind == RecordKind::decision);
    REQUIRE(decode_decision(event.value)->key.step == step);
  }
  const auto runs = (*reader)->runs();
  REQUIRE(runs->size() == 20);
  for (const auto& run : *runs) {
    CHECK(run.state == RunState::interrupted);
    for (const auto& attempt : *(*reader)->attempts(run.run, TaskId{})) CHECK(attempt.outcome == Outcome::in_doubt);
    for (const auto& task : *(*reader)->tasks(run.run)) CHECK(task.verdict == Verdict::in_doubt);
  }
}
