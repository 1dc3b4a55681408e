#include <catch2/catch.hpp>

#include "storage/journal.hpp"
#include "storage/record_key.hpp"
#include "storage/sample_records.hpp"
#include "storage/unsynced_disk.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

namespace {

struct Fixture {
  TemporaryFolder folder;
  std::string path = folder / "j";
  RecoveryReport report;

  /// Leaves entries as a process that is gone would, opens again and lets a reader look.
  std::unique_ptr<JournalReader> after_crash(std::vector<JournalEntry> entries) {
    entries.push_back(entry_of(sample_run("r1")));
    {
      auto journal = Journal::open({.path = path, .env = unsynced_disk()});
      REQUIRE(journal.ok());
      REQUIRE((*journal)->commit(entries).ok());
    }
    reopen();
    auto reader = JournalReader::open(path);
    REQUIRE(reader.ok());
    return std::move(*reader);
  }
  void reopen() {
    auto journal = Journal::open({.path = path, .env = unsynced_disk()});
    if (!journal.ok()) FAIL(journal.error().describe());
    report = (*journal)->recovery();
  }
  static AttemptRecord attempt(const JournalReader& reader, const std::string& task) {
    const auto attempts = reader.attempts(RunId{"r1"}, TaskId{task});
    REQUIRE(attempts.ok());
    REQUIRE_FALSE(attempts->empty());
    return attempts->back();
  }
  static TaskRecord task(const JournalReader& reader, const std::string& id) {
    const auto tasks = reader.tasks(RunId{"r1"});
    REQUIRE(tasks.ok());
    for (const auto& record : *tasks) {
      if (record.task.id.value == id) return record;
    }
    FAIL("no task " << id);
    return {};
  }
};

AttemptRecord ended(AttemptRecord attempt, Outcome outcome, const std::string& reason = "") {
  attempt.outcome = outcome;
  attempt.ended = at_second(50);
  attempt.reason = reason;
  return attempt;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "after a crash a run that was running is interrupted, once") {
  const auto reader = after_crash({});
  CHECK(reader->run(RunId{"r1"})->state == RunState::interrupted);
  CHECK(report.runs_interrupted == 1);
  const auto events = reader->events(0, 10);
  REQUIRE(events->size() == 2);
  CHECK(decode_run(events->back().value)->state == RunState::interrupted);
  reopen();
  CHECK(report.runs_interrupted == 0);
}

TEST_CASE_METHOD(Fixture, "an intent without an outcome leaves its attempt in doubt") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t")), entry_of(sample_attempt("r1", "t")),
                                   entry_of(sample_intent(sample_key("r1", "t", 1))),
                                   entry_of(sample_outcome(sample_key("r1", "t", 1))),
                                   entry_of(sample_intent(sample_key("r1", "t", 2)))});
  const auto closed = attempt(*reader, "t");
  CHECK(closed.outcome == Outcome::in_doubt);
  CHECK(closed.reason.find("step 2") != std::string::npos);
  CHECK(closed.steps == 2);
  CHECK_FALSE(closed.ended);
  CHECK(closed.participants == sample_attempt("r1", "t").participants);
  CHECK(task(*reader, "t").outcome == Outcome::in_doubt);
  CHECK(task(*reader, "t").verdict == Verdict::in_doubt);
  CHECK(task(*reader, "t").attempts == 1);
  CHECK(report.attempts_closed == 1);
  CHECK(report.attempts_in_doubt == 1);
  CHECK(report.tasks_closed == 1);
}

TEST_CASE_METHOD(Fixture, "an act that was in doubt leaves its attempt so, unless a later step was decided") {
  auto unseen = sample_outcome(sample_key("r1", "t", 1));
  unseen.status = ActStatus::in_doubt;
  auto seen = sample_outcome(sample_key("r1", "u", 1));
  seen.status = ActStatus::in_doubt;
  const auto reader = after_crash(
      {entry_of(sample_task("r1", "t")), entry_of(sample_attempt("r1", "t")),
       entry_of(sample_intent(sample_key("r1", "t", 1))), entry_of(unseen), entry_of(sample_task("r1", "u")),
       entry_of(sample_attempt("r1", "u")), entry_of(sample_intent(sample_key("r1", "u", 1))), entry_of(seen),
       entry_of(sample_step(sample_key("r1", "u", 1))), entry_of(sample_intent(sample_key("r1", "u", 2))),
       entry_of(sample_outcome(sample_key("r1", "u", 2))), entry_of(sample_step(sample_key("r1", "t", 1)))});
  CHECK(attempt(*reader, "t").outcome == Outcome::in_doubt);
  CHECK(attempt(*reader, "u").outcome == Outcome::error);
  CHECK(report.attempts_in_doubt == 1);
}

TEST_CASE_METHOD(Fixture, "an intent of another role or attempt does not make up for an outcome") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t")), entry_of(sample_attempt("r1", "t", 2)),
                                   entry_of(sample_intent(sample_key("r1", "t", 1, 2, "caller"))),
                                   entry_of(sample_outcome(sample_key("r1", "t", 1, 2, "callee"))),
                                   entry_of(sample_outcome(sample_key("r1", "t", 1, 1, "caller")))});
  CHECK(attempt(*reader, "t").outcome == Outcome::in_doubt);
  CHECK(attempt(*reader, "t").reason.find("caller") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an attempt without open intents ends as an error") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t")), entry_of(sample_attempt("r1", "t")),
                                   entry_of(sample_intent(sample_key("r1", "t", 1))),
                                   entry_of(sample_outcome(sample_key("r1", "t", 1)))});
  CHECK(attempt(*reader, "t").outcome == Outcome::error);
  CHECK(attempt(*reader, "t").reason == "the process ended before this attempt did");
  CHECK(task(*reader, "t").verdict == Verdict::error);
  CHECK(report.attempts_in_doubt == 0);
}

TEST_CASE_METHOD(Fixture, "an attempt that never acted ends as an error") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t")), entry_of(sample_attempt("r1", "t"))});
  CHECK(attempt(*reader, "t").outcome == Outcome::error);
  CHECK(attempt(*reader, "t").steps == 0);
}

TEST_CASE_METHOD(Fixture, "a finished attempt stays as it is and decides its task") {
  const auto finished = ended(sample_attempt("r1", "t"), Outcome::verified_success);
  const auto reader = after_crash({entry_of(sample_task("r1", "t")), entry_of(finished)});
  CHECK(attempt(*reader, "t") == finished);
  CHECK(task(*reader, "t").verdict == Verdict::passed);
  CHECK_FALSE(task(*reader, "t").flaky);
  CHECK(report.attempts_closed == 0);
  CHECK(report.tasks_closed == 1);
}

TEST_CASE_METHOD(Fixture, "the last attempt decides, and one that passed after others is flaky") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t")),
                                   entry_of(ended(sample_attempt("r1", "t", 1), Outcome::device_lost)),
                                   entry_of(ended(sample_attempt("r1", "t", 2), Outcome::verified_success))});
  CHECK(task(*reader, "t").verdict == Verdict::passed);
  CHECK(task(*reader, "t").flaky);
  CHECK(task(*reader, "t").attempts == 2);
}

TEST_CASE_METHOD(Fixture, "a task that was decided stays as it was") {
  auto decided = sample_task("r1", "t");
  decided.outcome = Outcome::failed;
  decided.verdict = Verdict::agent;
  decided.reason = "TaskFailedError: no such button";
  const auto reader = after_crash({entry_of(decided)});
  CHECK(task(*reader, "t") == decided);
  CHECK(report.tasks_closed == 0);
}

TEST_CASE_METHOD(Fixture, "a task that was never started is decided, too") {
  const auto reader = after_crash({entry_of(sample_task("r1", "t"))});
  CHECK(task(*reader, "t").verdict == Verdict::error);
  CHECK(task(*reader, "t").attempts == 0);
  CHECK(task(*reader, "t").reason == "the process ended before this task was started");
}

TEST_CASE_METHOD(Fixture, "runs that have ended are not looked into") {
  const auto left = sample_attempt("r0", "t");
  const auto reader = after_crash({entry_of(sample_run("r0", RunState::ended)), entry_of(left)});
  const auto attempts = reader->attempts(RunId{"r0"}, TaskId{"t"});
  REQUIRE(attempts.ok());
  CHECK(attempts->front() == left);
}

TEST_CASE_METHOD(Fixture, "fields of a newer version survive the mending") {
  auto run = Json::parse(encode_record(sample_run("r1")));
  run["constellation"] = "swan";
  auto attempt = Json::parse(encode_record(sample_attempt("r1", "t")));
  attempt["weather"] = Json{{"sky", "clear"}};
  {
    auto journal = Journal::open({.path = path, .env = unsynced_disk()});
    REQUIRE(journal.ok());
    const std::vector<JournalEntry> entries{
        {RecordKind::run, run_key(RunId{"r1"}), run.dump()},
        {RecordKind::attempt, attempt_key(RunId{"r1"}, TaskId{"t"}, 1), attempt.dump()}};
    REQUIRE((*journal)->commit(entries).ok());
  }
  reopen();
  CHECK(report.runs_interrupted == 1);
  const auto reader = JournalReader::open(path);
  const auto events = (*reader)->events(2, 10);
  REQUIRE(events.ok());
  REQUIRE(events->size() == 2);
  CHECK((*events)[0].value["weather"]["sky"] == "clear");
  CHECK((*events)[0].value["outcome"] == "error");
  CHECK((*events)[1].value["constellation"] == "swan");
}

TEST_CASE_METHOD(Fixture, "a record that can't be read is left alone and counted") {
  const auto reader = after_crash({{RecordKind::task, task_key(RunId{"r1"}, TaskId{"t"}), "{broken"}});
  CHECK(report.unreadable_records == 1);
  CHECK(report.runs_interrupted == 1);
}
