#include "storage/journal.hpp"

#include <rocksdb/db.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <limits>

#include "storage/event_value.hpp"
#include "storage/raw_database.hpp"
#include "storage/record_key.hpp"
#include "storage/sample_records.hpp"
#include "storage/unsynced_disk.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

namespace {

std::unique_ptr<Journal> open_journal(const std::string& path) {
  auto journal = Journal::open({.path = path, .env = unsynced_disk()});
  if (!journal.ok()) FAIL(journal.error().describe());
  return std::move(*journal);
}

std::unique_ptr<JournalReader> open_reader(const std::string& path) {
  auto reader = JournalReader::open(path);
  if (!reader.ok()) FAIL(reader.error().describe());
  return std::move(*reader);
}

Sequence commit(Journal& journal, std::vector<JournalEntry> entries) {
  const auto last = journal.commit(entries);
  if (!last.ok()) FAIL(last.error().describe());
  return *last;
}

}  // namespace

TEST_CASE("every kind of record comes back as it was committed") {
  const TemporaryFolder folder;
  auto run = sample_run("r1");
  run.state = RunState::ended;
  const auto task = sample_task("r1", "airplane");
  const auto attempt = sample_attempt("r1", "airplane");
  const auto key = sample_key("r1", "airplane", 1);
  {
    const auto journal = open_journal(folder / "j");
    CHECK(commit(*journal, {entry_of(run), entry_of(task), entry_of(attempt), entry_of(sample_intent(key)),
                            entry_of(sample_outcome(key)), entry_of(sample_step(key)), entry_of(sample_decision(key)),
                            system_prompt_entry("9f86d081", "You drive a phone.")}) == 8);
  }
  const auto reader = open_reader(folder / "j");
  const RunId id{"r1"};
  const TaskId task_id{"airplane"};
  CHECK(reader->run(id).operator*() == run);
  REQUIRE(reader->tasks(id)->size() == 1);
  CHECK(reader->tasks(id)->front() == task);
  REQUIRE(reader->attempts(id, task_id)->size() == 1);
  CHECK(reader->attempts(id, task_id)->front() == attempt);
  REQUIRE(reader->intents(id, task_id)->size() == 1);
  CHECK(encode_record(reader->intents(id, task_id)->front()) == encode_record(sample_intent(key)));
  REQUIRE(reader->outcomes(id, task_id)->size() == 1);
  CHECK(encode_record(reader->outcomes(id, task_id)->front()) == encode_record(sample_outcome(key)));
  REQUIRE(reader->steps(id, task_id)->size() == 1);
  CHECK(encode_record(reader->steps(id, task_id)->front()) == encode_record(sample_step(key)));
  REQUIRE(reader->decisions(id, task_id)->size() == 1);
  CHECK(encode_record(reader->decisions(id, task_id)->front()) == encode_record(sample_decision(key)));
  CHECK(*reader->system_prompt("9f86d081") == "You drive a phone.");
  CHECK(reader->system_prompt("other").error().code == Errc::not_found);
}

TEST_CASE("every family that is reserved for later is there from the first day") {
  const TemporaryFolder folder;
  open_journal(folder / "j");
  std::vector<std::string> names;
  REQUIRE(rocksdb::DB::ListColumnFamilies({}, folder / "j", &names).ok());
  for (const char* name :
       {"default",   "events",         "runs",     "tasks",     "attempts",   "intents", "outcomes",  "steps",
        "decisions", "system_prompts", "counters", "devices",   "batches",    "flows",   "timelines", "leases",
        "schedules", "load",           "evidence", "artifacts", "quarantine", "budgets"}) {
    INFO(name);
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}

TEST_CASE("the sequence is dense over commits and reopenings") {
  const TemporaryFolder folder;
  Sequence last = 0;
  for (int session = 0; session < 3; ++session) {
    const auto journal = open_journal(folder / "j");
    for (std::uint32_t i = 1; i <= 4; ++i) {
      std::vector<JournalEntry> entries;
      const auto run = "r" + std::to_string(session);
      for (std::uint32_t step = 1; step <= i; ++step) {
        entries.push_back(entry_of(sample_intent(sample_key(run, "t", step, i))));
      }
      last += i;
      CHECK(commit(*journal, std::move(entries)) == last);
    }
    CHECK(commit(*journal, {}) == last);
  }
  const auto events = open_reader(folder / "j")->events(0, 1000);
  REQUIRE(events.ok());
  REQUIRE(events->size() == last);
  for (Sequence i = 0; i < last; ++i) CHECK((*events)[i].sequence == i + 1);
}

TEST_CASE("events resume behind a number and tell rewritten records as they were then") {
  const TemporaryFolder folder;
  const auto journal = open_journal(folder / "j");
  auto run = sample_run("r1");
  commit(*journal, {entry_of(run)});
  commit(*journal, {entry_of(sample_decision(sample_key("r1", "t", 1)))});
  run.state = RunState::ended;
  commit(*journal, {entry_of(run)});

  const auto reader = open_reader(folder / "j");
  const auto all = reader->events(0, 10);
  REQUIRE(all.ok());
  REQUIRE(all->size() == 3);
  CHECK((*all)[0].kind == RecordKind::run);
  CHECK(decode_run((*all)[0].value)->state == RunState::running);
  CHECK((*all)[1].kind == RecordKind::decision);
  CHECK(decode_decision((*all)[1].value)->model == "rules");
  CHECK(decode_run((*all)[2].value)->state == RunState::ended);

  CHECK(reader->events(0, 2)->size() == 2);
  REQUIRE(reader->events(2, 10)->size() == 1);
  CHECK(reader->events(2, 10)->front().sequence == 3);
  CHECK(reader->events(3, 10)->empty());
  CHECK(reader->events(~Sequence{0}, 10)->empty());
  CHECK(reader->events(0, 0)->empty());
}

TEST_CASE("the sequence refers to large records and does not hold them again") {
  auto entry = entry_of(sample_decision(sample_key("r1", "t", 1)));
  std::string event;
  write_event_value(entry, event);
  CHECK(event.size() == entry.key.size() + 2);
  const auto read = read_event_value(event);
  REQUIRE(read);
  CHECK(read->kind == RecordKind::decision);
  CHECK(read->key == entry.key);
  CHECK_FALSE(read->value);

  entry = entry_of(sample_run("r1"));
  write_event_value(entry, event);
  const auto full = read_event_value(event);
  REQUIRE(full);
  CHECK(full->key == entry.key);
  REQUIRE(full->value);
  CHECK(*full->value == entry.value);
}

TEST_CASE("events of a newer version's form or kind are not read as something else") {
  CHECK_FALSE(read_event_value(""));
  CHECK_FALSE(read_event_value("\x01"));
  CHECK_FALSE(read_event_value(std::string_view{"\x03\x01key", 5}));
  CHECK_FALSE(read_event_value(std::string_view{"\x01\x00key", 5}));
  CHECK_FALSE(read_event_value(std::string_view{"\x01\x7fkey", 5}));
  CHECK_FALSE(read_event_value(std::string_view{"\x02\x01\x00\x00\x00\x09key", 9}));
}

TEST_CASE("a system prompt is kept once per hash", "[L1]") {
  const TemporaryFolder folder;
  const auto journal = open_journal(folder / "j");
  CHECK(commit(*journal, {system_prompt_entry("a", "one")}) == 1);
  CHECK(commit(*journal, {system_prompt_entry("a", "one")}) == 1);
  CHECK(commit(*journal, {system_prompt_entry("a", "one"), system_prompt_entry("b", "two")}) == 2);
}

TEST_CASE("a commit that can't be taken as a whole leaves nothing behind") {
  const TemporaryFolder folder;
  const auto journal = open_journal(folder / "j");
  const auto good = entry_of(sample_run("r1"));
  const auto refused = [&](const JournalEntry& bad) {
    const std::vector<JournalEntry> entries{good, bad};
    const auto result = journal->commit(entries);
    return !result.ok() && result.error().code == Errc::invalid_argument;
  };
  CHECK(refused({RecordKind::step, "", "{}"}));
  CHECK(refused({RecordKind::step, std::string(max_key_bytes + 1, 'k'), "{}"}));
  CHECK(refused({RecordKind::step, "k", ""}));
  CHECK(refused({RecordKind::step, "k", "[]"}));
  CHECK(refused({RecordKind::step, "k", "{" + std::string(max_record_bytes, ' ')}));
  const std::vector<JournalEntry> many(9, {RecordKind::step, "k", "{" + std::string(max_record_bytes - 10, ' ') + "}"});
  CHECK(journal->commit(many).error().code == Errc::invalid_argument);
  CHECK(open_reader(folder / "j")->runs()->empty());
  CHECK(commit(*journal, {good}) == 1);
}

TEST_CASE("fences are given once, also over reopenings") {
  const TemporaryFolder folder;
  Fence next = 1;
  for (int session = 0; session < 3; ++session) {
    const auto journal = open_journal(folder / "j");
    for (const std::uint64_t count : {1u, 100u, 7u}) {
      const auto first = journal->reserve_fences(count);
      REQUIRE(first.ok());
      CHECK(*first == next);
      next += count;
    }
    CHECK(journal->reserve_fences(0).error().code == Errc::invalid_argument);
    CHECK(journal->reserve_fences(~std::uint64_t{0}).error().code == Errc::invalid_argument);
  }
}

TEST_CASE("counters are durable, apart from each other and from the fences") {
  const TemporaryFolder folder;
  {
    const auto journal = open_journal(folder / "j");
    CHECK(*journal->counter("fence") == 0);
    CHECK(*journal->add_to_counter("fence", 5) == 5);
    CHECK(*journal->add_to_counter("budget/tokens", 1200) == 1200);
    CHECK(*journal->add_to_counter("budget/tokens", -200) == 1000);
    CHECK(*journal->reserve_fences(1) == 1);
    const auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(journal->add_to_counter("fence", most).error().code == Errc::invalid_argument);
    CHECK(journal->add_to_counter("", 1).error().code == Errc::invalid_argument);
  }
  const auto journal = open_journal(folder / "j");
  CHECK(*journal->counter("fence") == 5);
  CHECK(*journal->counter("budget/tokens") == 1000);
  CHECK(*journal->counter("other") == 0);
}

TEST_CASE("a journal that is held already is refused and says by whom") {
  const TemporaryFolder folder;
  const auto journal = open_journal(folder / "j");
  const auto second = Journal::open({.path = folder / "j"});
  REQUIRE_FALSE(second.ok());
  CHECK(second.error().code == Errc::journal_locked);
  CHECK(second.error().cause.find(folder / "j") != std::string::npos);
  CHECK(second.error().cause.find("this process already") != std::string::npos);
  CHECK_FALSE(second.error().remedy.empty());
  CHECK(commit(*journal, {entry_of(sample_run("r1"))}) == 1);
}

TEST_CASE("a journal of a newer schema is refused") {
  const TemporaryFolder folder;
  { RawDatabase{folder / "j", {}}.put("default", "schema", R"({"schema":99})"); }
  const auto journal = Journal::open({.path = folder / "j"});
  REQUIRE_FALSE(journal.ok());
  CHECK(journal.error().code == Errc::invalid_configuration);
  CHECK(journal.error().cause.find("99") != std::string::npos);
  const auto reader = JournalReader::open(folder / "j");
  REQUIRE_FALSE(reader.ok());
  CHECK(reader.error().code == Errc::invalid_configuration);
}

TEST_CASE("families and event kinds of a newer version are kept") {
  const TemporaryFolder folder;
  {
    const auto journal = open_journal(folder / "j");
    commit(*journal, {entry_of(sample_run("r1", RunState::ended))});
  }
  {
    RawDatabase newer{folder / "j", {"constellations"}};
    newer.put("constellations", "k", "v");
    newer.put("events", sequence_key(2), std::string{"\x01\x7fsomething"});
  }
  {
    const auto journal = open_journal(folder / "j");
    CHECK(commit(*journal, {entry_of(sample_run("r2"))}) == 3);
  }
  {
    const auto reader = open_reader(folder / "j");
    const auto events = reader->events(0, 10);
    REQUIRE(events.ok());
    REQUIRE(events->size() == 2);
    CHECK((*events)[1].sequence == 3);
  }
  RawDatabase newer{folder / "j", {"constellations"}};
  CHECK(newer.get("constellations", "k") == "v");
}

TEST_CASE("a journal whose making was cut short is finished") {
  const TemporaryFolder folder;
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  REQUIRE(rocksdb::DB::Open(options, folder / "j", &db).ok());
  delete db;
  const auto reader = open_reader(folder / "j");
  CHECK(reader->runs()->empty());
  const auto journal = open_journal(folder / "j");
  CHECK(commit(*journal, {entry_of(sample_run("r1"))}) == 1);
  REQUIRE(reader->refresh().ok());
  CHECK(reader->runs()->size() == 1);
}

TEST_CASE("a path that can't be a journal is refused in words") {
  const TemporaryFolder folder;
  SECTION("a file") {
    std::ofstream{folder / "file"} << "x";
    const auto journal = Journal::open({.path = folder / "file"});
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().code == Errc::invalid_configuration);
    CHECK(journal.error().cause.find("is a file") != std::string::npos);
  }
  SECTION("a folder with other things in it stays as it is") {
    std::ofstream{folder / "notes.txt"} << "x";
    const auto journal = Journal::open({.path = folder.path().string()});
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().code == Errc::invalid_configuration);
    CHECK(journal.error().cause.find("notes.txt") != std::string::npos);
    CHECK(std::distance(std::filesystem::directory_iterator{folder.path()}, {}) == 1);
  }
  SECTION("no journal where none may be made") {
    const auto journal = Journal::open({.path = folder / "j", .create = false});
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().code == Errc::not_found);
    CHECK_FALSE(std::filesystem::exists(folder / "j"));
  }
  SECTION("no name") { CHECK(Journal::open({.path = ""}).error().code == Errc::invalid_configuration); }
  SECTION("no right to write") {
    if (geteuid() == 0) {
      WARN("skipped: root may write everywhere");
    } else {
      REQUIRE(chmod(folder.path().c_str(), 0500) == 0);
      const auto journal = Journal::open({.path = folder / "j"});
      REQUIRE(chmod(folder.path().c_str(), 0700) == 0);
      REQUIRE_FALSE(journal.ok());
      CHECK(journal.error().code == Errc::storage_failed);
      CHECK(journal.error().cause.find("not permitted") != std::string::npos);
    }
  }
}

TEST_CASE("folders above the journal are made with it") {
  const TemporaryFolder folder;
  open_journal(folder / "a/b/j");
  CHECK(std::filesystem::exists(folder / "a/b/j/CURRENT"));
}

TEST_CASE("damaged files are an error and not an empty journal") {
  const TemporaryFolder folder;
  const auto path = folder / "j";
  {
    const auto journal = open_journal(path);
    commit(*journal, {entry_of(sample_run("r1"))});
  }
  SECTION("the file that leads to the others leads nowhere") {
    std::ofstream{folder / "j/CURRENT", std::ios::trunc} << "MANIFEST-999999\n";
    const auto journal = Journal::open({.path = path});
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().code == Errc::storage_failed);
  }
  SECTION("without it nothing is begun anew and nothing deleted") {
    std::filesystem::rename(folder / "j/CURRENT", folder / "CURRENT");
    const auto journal = Journal::open({.path = path});
    REQUIRE_FALSE(journal.ok());
    CHECK(journal.error().code == Errc::storage_failed);
    CHECK(journal.error().cause.find("CURRENT") != std::string::npos);
    CHECK(JournalReader::open(path).error().code == Errc::storage_failed);
    std::filesystem::rename(folder / "CURRENT", folder / "j/CURRENT");
    CHECK(open_reader(path)->runs()->size() == 1);
  }
}

TEST_CASE("a journal is not opened for a run whose id it holds, and that run stays as it is") {
  const TemporaryFolder folder;
  const auto path = folder / "j";
  JournalOptions options{.path = path, .new_run = RunId{"r1"}, .env = unsynced_disk()};
  {
    auto journal = Journal::open(options);
    REQUIRE(journal.ok());
    commit(**journal, {entry_of(sample_run("r1"))});
  }
  const auto refused = Journal::open(options);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == Errc::conflict);
  CHECK(refused.error().cause.find("r1") != std::string::npos);
  CHECK(open_reader(path)->events(0, 10)->size() == 1);
  options.new_run = RunId{"r2"};
  CHECK(Journal::open(options).ok());
}
