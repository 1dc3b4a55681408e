#include <catch2/catch.hpp>

#include <stdlib.h>

#include <fstream>
#include <string>

#include "core/json.hpp"
#include "storage/journal.hpp"
#include "storage/raw_database.hpp"
#include "storage/sample_records.hpp"
#include "storage/unsynced_disk.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

// A fixture is the dump of a journal, one pair a line: the family, the key in
// hexadecimal, the value as text, or in hexadecimal where it is no text.

namespace {

std::string to_hex(const std::string& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 0xf];
  }
  return text;
}

std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

void write_from_dump(const std::string& fixture, const std::string& path) {
  std::ifstream lines{fixture};
  REQUIRE(lines);
  RawDatabase database{path};
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto pair = parse_json(line, "a line of the dump");
    REQUIRE(pair.ok());
    const auto value = pair->contains("value") ? text_or(*pair, "value") : from_hex(text_or(*pair, "value_hex"));
    database.put(text_or(*pair, "family"), from_hex(text_or(*pair, "key")), value);
  }
  REQUIRE(count > 10);
}

}  // namespace

TEST_CASE("a journal of schema 1 is read by this version") {
  const TemporaryFolder folder;
  const auto path = folder / "j";
  write_from_dump(drover::test::source_folder() + "/tests/storage/fixtures/journal_schema_1.jsonl", path);

  {
    const auto reader = JournalReader::open(path);
    if (!reader.ok()) FAIL(reader.error().describe());
    const auto& journal = **reader;
    const auto events = journal.events(0, 100);
    REQUIRE(events.ok());
    REQUIRE(events->size() == 15);
    CHECK(events->back().sequence == 15);

    const auto run = journal.find_run("2026");
    REQUIRE(run.ok());
    CHECK(run->run.value == "20261130-141502-3f9a");
    CHECK(run->state == RunState::ended);
    CHECK(run->exit_code == 0);
    CHECK(run->versions.seed == 7);
    CHECK(to_iso8601(run->started) == "2026-11-30T00:53:20.000000Z");

    const auto tasks = journal.tasks(run->run);
    REQUIRE(tasks.ok());
    REQUIRE(tasks->size() == 1);
    CHECK(tasks->front().task.goal == "Turn on airplane mode");
    CHECK(tasks->front().verdict == Verdict::passed);

    const auto attempts = journal.attempts(run->run, TaskId{});
    REQUIRE(attempts.ok());
    REQUIRE(attempts->size() == 1);
    CHECK(attempts->front().outcome == Outcome::verified_success);
    REQUIRE(attempts->front().participants.size() == 1);
    CHECK(attempts->front().participants.front().fence == 41);

    const auto intents = journal.intents(run->run, TaskId{"airplane"});
    REQUIRE(intents.ok());
    REQUIRE(intents->size() == 1);
    CHECK(describe(intents->front().step.action) == describe(Action{Tap{Target{3, std::nullopt}}}));
    const auto outcomes = journal.outcomes(run->run, TaskId{"airplane"});
    REQUIRE(outcomes.ok());
    REQUIRE(outcomes->size() == 1);
    CHECK(outcomes->front().status == ActStatus::done);
    CHECK(outcomes->front().took == std::chrono::milliseconds{120});
    const auto steps = journal.steps(run->run, TaskId{"airplane"});
    REQUIRE(steps.ok());
    REQUIRE(steps->size() == 1);
    CHECK(steps->front().event.purpose == "reach the network page");
    const auto decisions = journal.decisions(run->run, TaskId{"airplane"});
    REQUIRE(decisions.ok());
    REQUIRE(decisions->size() == 2);
    CHECK(decisions->front().usage.input_tokens == 1200);
    CHECK(decisions->back().request == 2);
    CHECK(*journal.system_prompt("9f86d081") == "You drive a phone.");
  }

  auto writer = Journal::open({.path = path, .env = unsynced_disk()});
  if (!writer.ok()) FAIL(writer.error().describe());
  CHECK((*writer)->recovery().runs_interrupted == 1);
  CHECK((*writer)->recovery().attempts_in_doubt == 1);
  CHECK(*(*writer)->reserve_fences(1) == 42);
  CHECK(*(*writer)->counter("budget/tokens") == 1200);
}

// Makes the fixture of the present schema; only for a new schema, since a fixture
// shows what an older version wrote.
TEST_CASE("write the dump of a journal to the file that DROVER_GOLDEN_DUMP names", "[.]") {
  const char* const target = getenv("DROVER_GOLDEN_DUMP");
  if (target == nullptr) return;
  const TemporaryFolder folder;
  const auto path = folder / "j";
  const std::string run = "20261130-141502-3f9a";
  {
    auto journal = Journal::open({.path = path, .env = unsynced_disk()});
    REQUIRE(journal.ok());
    auto task = sample_task(run, "airplane");
    auto attempt = sample_attempt(run, "airplane");
    const auto key = sample_key(run, "airplane", 1);
    std::vector<JournalEntry> entries{entry_of(sample_run(run)),
                                      entry_of(task),
                                      entry_of(attempt),
                                      system_prompt_entry("9f86d081", "You drive a phone."),
                                      entry_of(sample_decision(key, 1)),
                                      entry_of(sample_decision(key, 2)),
                                      entry_of(sample_intent(key)),
                                      entry_of(sample_outcome(key)),
                                      entry_of(sample_step(key))};
    attempt.outcome = Outcome::verified_success;
    attempt.ended = at_second(30);
    attempt.steps = 1;
    task.outcome = Outcome::verified_success;
    task.verdict = Verdict::passed;
    task.attempts = 1;
    entries.push_back(entry_of(attempt));
    entries.push_back(entry_of(task));
    entries.push_back(entry_of(sample_run(run, RunState::ended)));
    entries.push_back(entry_of(sample_run("a-run-that-was-cut-off", RunState::running, 100)));
    REQUIRE((*journal)->commit(entries).ok());
    REQUIRE((*journal)->reserve_fences(41).ok());
    REQUIRE((*journal)->add_to_counter("budget/tokens", 1200).ok());
    const std::vector<JournalEntry> cut_off{entry_of(sample_attempt("a-run-that-was-cut-off", "airplane"))};
    REQUIRE((*journal)->commit(cut_off).ok());
    const std::vector<JournalEntry> in_doubt{
        entry_of(sample_intent(sample_key("a-run-that-was-cut-off", "airplane", 1)))};
    REQUIRE((*journal)->commit(in_doubt).ok());
  }
  std::ofstream out{target};
  RawDatabase{path}.each([&](const std::string& family, const std::string& key, const std::string& value) {
    Json pair{{"family", family}, {"key", to_hex(key)}};
    if (family == "events") {
      pair["value_hex"] = to_hex(value);
    } else {
      pair["value"] = value;
    }
    out << pair.dump() << '\n';
  });
}
