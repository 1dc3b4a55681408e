#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "storage/column_families.hpp"
#include "storage/journal.hpp"
#include "storage/raw_database.hpp"
#include "storage/record_key.hpp"
#include "storage/sample_records.hpp"
#include "storage/unsynced_disk.hpp"
#include "storage/writer_mark.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

namespace {

struct Fixture {
  TemporaryFolder folder;
  std::string path = folder / "j";
  std::unique_ptr<Journal> journal = open_journal();

  std::unique_ptr<Journal> open_journal() const {
    auto opened = Journal::open({.path = path, .env = unsynced_disk(), .memtable_bytes = 512u << 10});
    if (!opened.ok()) FAIL(opened.error().describe());
    return std::move(*opened);
  }
  std::unique_ptr<JournalReader> reader() const {
    auto opened = JournalReader::open(path);
    if (!opened.ok()) FAIL(opened.error().describe());
    return std::move(*opened);
  }
  void commit(std::vector<JournalEntry> entries) const {
    const auto last = journal->commit(entries);
    if (!last.ok()) FAIL(last.error().describe());
  }
};

/// Where this process makes temporary folders, while it lives.
class OwnTemporaryFolder {
 public:
  OwnTemporaryFolder() {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", folder_.path().c_str(), 1);
  }
  ~OwnTemporaryFolder() {
    if (before_) {
      setenv("TMPDIR", before_->c_str(), 1);
    } else {
      unsetenv("TMPDIR");
    }
  }
  OwnTemporaryFolder(const OwnTemporaryFolder&) = delete;
  OwnTemporaryFolder& operator=(const OwnTemporaryFolder&) = delete;

  [[nodiscard]] bool empty() const { return std::filesystem::is_empty(folder_.path()); }

 private:
  TemporaryFolder folder_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE_METHOD(Fixture, "a reader sees what the writer commits while both are open") {
  commit({entry_of(sample_run("r1"))});
  const auto reader = this->reader();
  CHECK(reader->runs()->size() == 1);
  commit({entry_of(sample_run("r2")), entry_of(sample_task("r2", "t"))});
  REQUIRE(reader->refresh().ok());
  CHECK(reader->runs()->size() == 2);
  CHECK(reader->tasks(RunId{"r2"})->size() == 1);
  CHECK(reader->tasks(RunId{"r1"})->empty());
}

TEST_CASE_METHOD(Fixture, "a reader follows over flushes, merges and a reopened journal") {
  const auto reader = this->reader();
  auto decision = sample_decision(sample_key("r1", "t", 1));
  decision.user_prompt.assign(4096, 'x');
  std::uint32_t step = 0;
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 100; ++i) {
      decision.key.step = ++step;
      decision.user_prompt[static_cast<std::size_t>(i)] = static_cast<char>('a' + round);
      commit({entry_of(decision)});
    }
    if (round % 2 == 1) {
      journal.reset();
      journal = open_journal();
    }
    REQUIRE(reader->refresh().ok());
    const auto decisions = reader->decisions(RunId{"r1"}, TaskId{"t"});
    REQUIRE(decisions.ok());
    REQUIRE(decisions->size() == step);
    CHECK(decisions->back().key.step == step);
    CHECK(decisions->back().user_prompt == decision.user_prompt);
  }
  CHECK(reader->events(0, 10'000)->size() == step);
}

TEST_CASE_METHOD(Fixture, "a reader works when nobody writes") {
  commit({entry_of(sample_run("r1"))});
  journal.reset();
  CHECK(reader()->runs()->size() == 1);
}

TEST_CASE_METHOD(Fixture, "a reader neither locks the journal nor leaves a folder behind") {
  const OwnTemporaryFolder temporary;
  {
    const auto reader = this->reader();
    CHECK_FALSE(temporary.empty());
    journal.reset();
    journal = open_journal();
    commit({entry_of(sample_run("r1"))});
  }
  CHECK(temporary.empty());
}

TEST_CASE("where there is no journal a reader says what makes one") {
  const TemporaryFolder folder;
  for (const auto& path : {folder / "missing", folder.path().string()}) {
    const auto reader = JournalReader::open(path);
    REQUIRE_FALSE(reader.ok());
    CHECK(reader.error().code == Errc::not_found);
    CHECK(reader.error().remedy.find("drover run") != std::string::npos);
  }
}

TEST_CASE_METHOD(Fixture, "runs come with the newest first and last names the newest") {
  commit({entry_of(sample_run("b", RunState::ended, 10)), entry_of(sample_run("c", RunState::ended, 5)),
          entry_of(sample_run("a", RunState::ended, 20))});
  const auto reader = this->reader();
  const auto runs = reader->runs();
  REQUIRE(runs.ok());
  REQUIRE(runs->size() == 3);
  CHECK((*runs)[0].run.value == "a");
  CHECK((*runs)[1].run.value == "b");
  CHECK((*runs)[2].run.value == "c");
  CHECK(reader->find_run("last")->run.value == "a");
}

TEST_CASE_METHOD(Fixture, "a run is found by its id or by a beginning that fits one alone") {
  commit({entry_of(sample_run("20261130-141502-3f9a")), entry_of(sample_run("20261130-141502-3f9a-2")),
          entry_of(sample_run("20261201-080000-aaaa"))});
  const auto reader = this->reader();
  CHECK(reader->find_run("20261130-141502-3f9a")->run.value == "20261130-141502-3f9a");
  CHECK(reader->find_run("20261201")->run.value == "20261201-080000-aaaa");

  const auto ambiguous = reader->find_run("202611");
  REQUIRE_FALSE(ambiguous.ok());
  CHECK(ambiguous.error().code == Errc::conflict);
  CHECK(ambiguous.error().cause.find("20261130-141502-3f9a-2") != std::string::npos);
  CHECK(ambiguous.error().cause.find("20261201") == std::string::npos);

  CHECK(reader->find_run("2027").error().code == Errc::not_found);
  CHECK(reader->find_run("").error().code == Errc::not_found);
  CHECK(reader->run(RunId{"2026"}).error().code == Errc::not_found);
}

TEST_CASE_METHOD(Fixture, "an empty journal has no last run") {
  const auto found = reader()->find_run("last");
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().code == Errc::not_found);
}

TEST_CASE_METHOD(Fixture, "steps of one task leave out those of tasks whose names begin alike") {
  commit({entry_of(sample_step(sample_key("r1", "login", 1))), entry_of(sample_step(sample_key("r1", "login", 2, 2))),
          entry_of(sample_step(sample_key("r1", "login-twice", 1))),
          entry_of(sample_step(sample_key("r10", "login", 1)))});
  const auto reader = this->reader();
  const auto steps = reader->steps(RunId{"r1"}, TaskId{"login"});
  REQUIRE(steps.ok());
  REQUIRE(steps->size() == 2);
  CHECK((*steps)[0].key.attempt == 1);
  CHECK((*steps)[1].key.attempt == 2);
  CHECK(reader->steps(RunId{"r1"}, TaskId{})->size() == 3);
}

TEST_CASE_METHOD(Fixture, "a record that can't be read is an error and not a gap") {
  commit({{RecordKind::task, "\x01", "{not json"}});
  const auto events = reader()->events(0, 10);
  REQUIRE_FALSE(events.ok());
  CHECK(events.error().code == Errc::malformed);
}

TEST_CASE_METHOD(Fixture, "a run whose writer is gone is given as interrupted, and as running while it writes") {
  commit({entry_of(sample_run("r1"))});
  const auto reader = this->reader();
  CHECK(reader->run(RunId{"r1"})->state == RunState::running);
  journal.reset();
  REQUIRE(reader->refresh().ok());
  CHECK(reader->run(RunId{"r1"})->state == RunState::interrupted);
  CHECK(reader->runs()->front().state == RunState::interrupted);
  CHECK(reader->find_run("r")->state == RunState::interrupted);
  CHECK(this->reader()->find_run("last")->state == RunState::interrupted);
}

TEST_CASE_METHOD(Fixture, "while somebody writes no event is given behind one whose record is not in sight") {
  const auto key = sample_key("r1", "t", 1);
  commit({entry_of(sample_run("r1")), entry_of(sample_intent(key)), entry_of(sample_outcome(key))});
  journal.reset();
  RawDatabase(path).remove(std::string{family_of(RecordKind::intent)}, step_key(key));

  leave_writer_mark(path);
  const auto reader = this->reader();
  REQUIRE(reader->events(0, 10)->size() == 1);
  CHECK(reader->events(0, 10)->front().kind == RecordKind::run);

  RawDatabase(path).put(std::string{family_of(RecordKind::intent)}, step_key(key), entry_of(sample_intent(key)).value);
  REQUIRE(reader->refresh().ok());
  REQUIRE(reader->events(1, 10)->size() == 2);
  CHECK(reader->events(1, 10)->front().kind == RecordKind::intent);
  CHECK(reader->events(1, 10)->back().kind == RecordKind::outcome);
}

TEST_CASE_METHOD(Fixture, "a number of the sequence that is not in sight is waited for while somebody writes") {
  commit({entry_of(sample_run("r1")), entry_of(sample_run("r2")), entry_of(sample_run("r3"))});
  journal.reset();
  RawDatabase(path).remove(std::string{family::events}, sequence_key(2));
  CHECK(reader()->events(0, 10)->size() == 2);
  leave_writer_mark(path);
  CHECK(reader()->events(0, 10)->size() == 1);
}

TEST_CASE_METHOD(Fixture, "when nobody writes the events behind one whose record is gone are given") {
  const auto key = sample_key("r1", "t", 1);
  commit({entry_of(sample_run("r1")), entry_of(sample_intent(key)), entry_of(sample_outcome(key))});
  journal.reset();
  RawDatabase(path).remove(std::string{family_of(RecordKind::intent)}, step_key(key));
  const auto events = reader()->events(0, 10);
  REQUIRE(events->size() == 2);
  CHECK(events->back().kind == RecordKind::outcome);
}

TEST_CASE_METHOD(Fixture, "no event is given behind one whose family is still being made") {
  const auto key = sample_key("r1", "t", 1);
  commit({entry_of(sample_run("r1")), entry_of(sample_intent(key)), entry_of(sample_outcome(key))});
  journal.reset();
  RawDatabase(path).drop(std::string{family_of(RecordKind::intent)});
  CHECK(reader()->events(0, 10)->size() == 1);
}
