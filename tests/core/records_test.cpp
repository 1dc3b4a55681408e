#include "core/records.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "core/sample_records.hpp"
#include "support/places.hpp"

using namespace drover;
using namespace std::chrono_literals;

namespace {

std::string golden_text(const std::string& name) {
  const std::string path = drover::test::source_folder() + "/tests/core/golden/v1/" + name + ".json";
  std::ifstream file(path, std::ios::binary);
  if (!file) FAIL("no golden file " << path);
  std::stringstream text;
  text << file.rdbuf();
  std::string content = text.str();
  if (!content.empty() && content.back() == '\n') content.pop_back();
  return content;
}

Json golden(const std::string& name) {
  auto parsed = parse_json(golden_text(name), name);
  if (!parsed) FAIL(parsed.error().describe());
  return *parsed;
}

template <class Record>
Record decoded(Result<Record> (*decode)(const Json&), const Json& value) {
  auto record = decode(value);
  if (!record) FAIL(record.error().describe());
  return *record;
}

/// Encoded, parsed and decoded again, a record is the same.
template <class Record>
void check_round_trip(Result<Record> (*decode)(const Json&), const Record& record) {
  CHECK(decoded(decode, Json::parse(encode_record(record))) == record);
}

/// What a newer version wrote comes back with nothing lost.
template <class Record>
void check_nothing_is_lost(Result<Record> (*decode)(const Json&), const std::string& name) {
  const Json newer = golden(name);
  CAPTURE(name);
  CHECK(Json::parse(encode_record(decoded(decode, newer))) == newer);
}

}  // namespace

TEST_CASE("each kind of record is written as its golden file says, byte by byte", "[L1]") {
  CHECK(encode_record(sample_run()) == golden_text("run"));
  CHECK(encode_record(sample_task()) == golden_text("task"));
  CHECK(encode_record(sample_attempt()) == golden_text("attempt"));
  CHECK(encode_record(sample_intent()) == golden_text("intent"));
  CHECK(encode_record(sample_outcome()) == golden_text("outcome"));
  CHECK(encode_record(sample_step()) == golden_text("step"));
  CHECK(encode_record(sample_decision()) == golden_text("decision"));
}

TEST_CASE("each golden file is read as the record that it was written from", "[W6]") {
  CHECK(decoded(decode_run, golden("run")) == sample_run());
  CHECK(decoded(decode_task_record, golden("task")) == sample_task());
  CHECK(decoded(decode_attempt, golden("attempt")) == sample_attempt());
  CHECK(decoded(decode_intent, golden("intent")) == sample_intent());
  CHECK(decoded(decode_outcome, golden("outcome")) == sample_outcome());
  CHECK(decoded(decode_step, golden("step")) == sample_step());
  CHECK(decoded(decode_decision, golden("decision")) == sample_decision());
}

TEST_CASE("a record with its key alone is read, and what it lacks is absent", "[W6]") {
  const RunRecord run = decoded(decode_run, golden("run_sparse"));
  CHECK(run.run.value == "20261130-141502-3f9a");
  CHECK(run.state == RunState::unknown);
  CHECK_FALSE(run.ended.has_value());
  CHECK_FALSE(run.exit_code.has_value());
  const TaskRecord task = decoded(decode_task_record, golden("task_sparse"));
  CHECK(task.task.id.value == "airplane");
  CHECK_FALSE(task.outcome.has_value());
  CHECK_FALSE(task.verdict.has_value());
  const AttemptRecord attempt = decoded(decode_attempt, golden("attempt_sparse"));
  CHECK(attempt.attempt == 1);
  CHECK_FALSE(attempt.outcome.has_value());
  CHECK_FALSE(attempt.claimed.has_value());
  CHECK_FALSE(attempt.usage.cost.has_value());
  const IntentRecord intent = decoded(decode_intent, golden("intent_sparse"));
  CHECK(intent.key.role == "main");
  CHECK(intent.step.purpose.empty());
  const OutcomeRecord outcome = decoded(decode_outcome, golden("outcome_sparse"));
  CHECK(outcome.status == ActStatus::unknown);
  CHECK(outcome.tries == 1);
  const StepRecord step = decoded(decode_step, golden("step_sparse"));
  CHECK_FALSE(step.event.success.has_value());
  CHECK(step.event.action.has_value());
  const DecisionRecord decision = decoded(decode_decision, golden("decision_sparse"));
  CHECK(decision.request == 1);
  CHECK(decision.tool.empty());
  CHECK_FALSE(decision.usage.cost.has_value());
}

TEST_CASE("a decision from before its answer's format was kept is read without one, and written as it was", "[W6]") {
  const DecisionRecord decision = decoded(decode_decision, golden("decision_without_format"));
  CHECK(decision.wire_format.empty());
  CHECK(decision.http_status == 200);
  CHECK_FALSE(decision.picture);
  DecisionRecord same = sample_decision();
  same.wire_format.clear();
  same.http_status = 200;
  same.picture = false;
  CHECK(decision == same);
  CHECK(encode_record(decision) == golden_text("decision_without_format"));
}

TEST_CASE("a record of a newer version keeps its unknown fields and names at every level", "[W6]") {
  check_nothing_is_lost(decode_run, "run_newer");
  check_nothing_is_lost(decode_task_record, "task_newer");
  check_nothing_is_lost(decode_attempt, "attempt_newer");
  check_nothing_is_lost(decode_intent, "intent_newer");
  check_nothing_is_lost(decode_outcome, "outcome_newer");
  check_nothing_is_lost(decode_step, "step_newer");
  check_nothing_is_lost(decode_decision, "decision_newer");
}

TEST_CASE("an unknown name reads as unknown") {
  CHECK(decoded(decode_run, golden("run_newer")).state == RunState::unknown);
  CHECK(decoded(decode_task_record, golden("task_newer")).outcome == Outcome::unknown);
  CHECK(decoded(decode_task_record, golden("task_newer")).verdict == Verdict::unknown);
  CHECK(decoded(decode_attempt, golden("attempt_newer")).outcome == Outcome::unknown);
  CHECK(decoded(decode_outcome, golden("outcome_newer")).status == ActStatus::unknown);
  CHECK(decoded(decode_step, golden("step_newer")).event.verification.effect == Effect::unknown);
  CHECK_FALSE(decoded(decode_step, golden("step_newer")).event.action.has_value());
  CHECK(std::holds_alternative<Note>(decoded(decode_intent, golden("intent_newer")).step.action));
}

TEST_CASE("an unknown name that was replaced since is not written back") {
  TaskRecord task = decoded(decode_task_record, golden("task_newer"));
  task.outcome = Outcome::error;
  task.verdict = Verdict::error;
  const std::string text = encode_record(task);
  CHECK(Json::parse(text)["outcome"] == "error");
  CHECK_THAT(text, !Catch::Contains("teleported"));
  CHECK_THAT(text, Catch::Contains("mood"));
}

TEST_CASE("records survive a round trip with whatever texts they hold") {
  DecisionRecord decision = sample_decision();
  decision.raw_answer = "quotes \" and \\ and \n and \x01 and 🙂";
  decision.called = Duration{0};
  check_round_trip(decode_decision, decision);
  OutcomeRecord outcome = sample_outcome();
  outcome.took = -5us;
  check_round_trip(decode_outcome, outcome);
  IntentRecord intent = sample_intent();
  intent.step.action = InputText{std::nullopt, "a\"b\n", true};
  check_round_trip(decode_intent, intent);
  RunRecord run;
  run.run = RunId("r");
  check_round_trip(decode_run, run);
}

TEST_CASE("bytes that are not UTF-8 never reach a record's text") {
  DecisionRecord decision = sample_decision();
  decision.raw_answer = "a\xFF\xED\xA0\x80z";
  decision.arguments = Json{{"text", "\xFF"}};
  decision.extra = Json{{"more", "\xFF"}};
  CHECK(parse_json(encode_record(decision), "record").ok());
}

TEST_CASE("what is no object or lacks its key is refused") {
  for (const Json& value : {Json(), Json(3), Json::array(), Json::object(), Json{{"run", "r"}},
                            Json{{"run", ""}, {"task", "t"}}, Json{{"run", 7}, {"task", "t"}}}) {
    CAPTURE(value.dump());
    CHECK_FALSE(decode_task_record(value).ok());
    CHECK_FALSE(decode_attempt(value).ok());
    CHECK_FALSE(decode_intent(value).ok());
    CHECK_FALSE(decode_outcome(value).ok());
    CHECK_FALSE(decode_step(value).ok());
    auto decision = decode_decision(value);
    REQUIRE_FALSE(decision.ok());
    CHECK(decision.error().code == Errc::malformed);
    CHECK_THAT(decision.error().cause, Catch::StartsWith("decision record "));
  }
  CHECK_FALSE(decode_run(Json{{"task", "t"}}).ok());
}

TEST_CASE("members of another type than expected read as absent") {
  const Json value = golden("attempt");
  for (const auto& [name, member] : value.items()) {
    if (name == "run" || name == "task") continue;
    for (const Json& strange :
         {Json(true), Json("text"), Json(-1), Json(1e300), Json::array({1, nullptr}), Json{{"a", 1}}}) {
      Json damaged = value;
      damaged[name] = strange;
      CHECK(decode_attempt(damaged).ok());
    }
  }
}

TEST_CASE("usage adds up, and an unknown price makes the sum unknown") {
  Usage sum;
  sum.add({1, 100, 10, 5, 0, Money{7, "USD"}});
  CHECK(sum.cost == Money{7, "USD"});
  sum.add({1, 100, 10, 5, 2, Money{8, "USD"}});
  CHECK(sum == Usage{2, 200, 20, 10, 2, Money{15, "USD"}});
  sum.add(Usage{});
  CHECK(sum.cost == Money{15, "USD"});
  Usage mixed = sum;
  mixed.add({1, 1, 0, 1, 0, Money{1, "EUR"}});
  CHECK_FALSE(mixed.cost.has_value());
  sum.add({1, 1, 0, 1, 0, std::nullopt});
  CHECK_FALSE(sum.cost.has_value());
  CHECK(sum.calls == 3);
}

TEST_CASE("versions and usage are read back as they were written") {
  CHECK(decode_versions(encode(sample_run().versions)) == sample_run().versions);
  CHECK(decode_usage(encode(sample_attempt().usage)) == sample_attempt().usage);
  CHECK(decode_usage(Json()) == Usage{});
  CHECK_FALSE(encode(Usage{}).contains("cost_micros"));
}

TEST_CASE("every state and status is read back from its name") {
  for (int i = 0; i <= static_cast<int>(RunState::interrupted); ++i) {
    CHECK(run_state_from(name_of(static_cast<RunState>(i))) == static_cast<RunState>(i));
  }
  for (int i = 0; i <= static_cast<int>(ActStatus::in_doubt); ++i) {
    CHECK(act_status_from(name_of(static_cast<ActStatus>(i))) == static_cast<ActStatus>(i));
  }
}
