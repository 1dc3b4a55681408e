#include "core/sample_records.hpp"

namespace drover {
namespace {

using namespace std::chrono_literals;

UtcTime at(int seconds) { return *from_iso8601("2026-11-30T14:15:02.000250Z") + std::chrono::seconds{seconds}; }

StepKey key(std::uint32_t step) { return {RunId("20261130-141502-3f9a"), TaskId("airplane"), 2, "main", step}; }

Versions versions() { return {"0.1.0", "1", "full-1", "c1", "p1", "5f0c", "7.2", 18'446'744'073'709'551'615U}; }

Usage usage() { return {3, 5200, 4100, 310, 120, Money{12'345, "EUR"}}; }

PlannedStep step() {
  return {Tap{{3, std::nullopt}}, "turn on \"Airplane mode\"", "the switch is on", "The list is open.\nNow the switch.",
          "Which of the two?"};
}

}  // namespace

RunRecord sample_run() {
  RunRecord record;
  record.run = key(0).run;
  record.state = RunState::ended;
  record.title = "Nightly – Größe";
  record.started = at(0);
  record.ended = at(30);
  record.versions = versions();
  record.provider = "scripted (built-in rules)";
  record.tasks = 60;
  record.devices = 24;
  record.exit_code = 1;
  return record;
}

TaskRecord sample_task() {
  TaskRecord record;
  record.run = key(0).run;
  record.task.id = key(0).task;
  record.task.goal = "Cut the phone off from every network";
  record.task.app = "com.android.settings";
  record.task.tags = {"smoke"};
  Assertion assertion;
  assertion.kind = AssertionKind::toggle;
  assertion.element.text = "Airplane mode";
  assertion.within = 1500ms;
  record.task.assertions = {assertion};
  record.task.limits = {12, 90s};
  record.task.device = "phone-03";
  record.task.roles = {"caller", "callee"};
  record.task.priority = 3;
  record.outcome = Outcome::verified_success;
  record.verdict = Verdict::passed;
  record.attempts = 2;
  record.reason = "every assertion held";
  record.flaky = true;
  return record;
}

AttemptRecord sample_attempt() {
  AttemptRecord record;
  record.run = key(0).run;
  record.task = key(0).task;
  record.attempt = 2;
  record.participants = {{"caller", DeviceId("d-1"), SessionId("s-1"), 41},
                         {"callee", DeviceId("d-2"), SessionId("s-2"), 42}};
  record.versions = versions();
  record.started = at(1);
  record.ended = at(9);
  record.outcome = Outcome::claimed_but_refuted;
  record.claimed = true;
  record.reason = "the switch is off";
  record.assertions = {{sample_task().task.assertions.front(), false, "\"Airplane mode\" is off"}};
  record.steps = 7;
  record.relooks = 1;
  record.usage = usage();
  record.transport_retries = 2;
  record.action_retries = 3;
  return record;
}

IntentRecord sample_intent() {
  IntentRecord record;
  record.key = key(4);
  record.intent = "20261130-141502-3f9a/airplane/2/main/4";
  record.fence = 41;
  record.device = DeviceId("d-1");
  record.page = "com.android.settings/network";
  record.step = step();
  record.at = at(4);
  return record;
}

OutcomeRecord sample_outcome() {
  OutcomeRecord record;
  record.key = key(4);
  record.intent = sample_intent().intent;
  record.status = ActStatus::in_doubt;
  record.cause = "the phone went away before it answered";
  record.tries = 2;
  record.took = 1'234'567us;
  record.at = at(5);
  return record;
}

StepRecord sample_step() {
  StepRecord record;
  record.key = key(4);
  record.event.step = 4;
  record.event.page = "com.android.settings/network";
  record.event.action = step().action;
  record.event.tool = "tap";
  record.event.arguments = Json{{"element", 3}};
  record.event.purpose = step().purpose;
  record.event.expected_outcome = step().expected_outcome;
  record.event.rationale = step().rationale;
  record.event.thinking = step().thinking;
  record.event.success = true;
  record.event.verification = {Effect::confirmed, "\"Airplane mode\" is now on"};
  record.event.scene_summary = "12 elements";
  return record;
}

DecisionRecord sample_decision() {
  DecisionRecord record;
  record.key = key(4);
  record.request = 2;
  record.rung = "forced";
  record.provider = "anthropic";
  record.model = "some-model";
  record.prompt_hash = "00ff";
  record.prompt_bytes = 6000;
  record.system_prompt_hash = "abcd";
  record.user_prompt = "Goal: …\n1 list\n 2 item \"Wi-Fi\"";
  record.tool = "tap";
  record.arguments = Json{{"element", 3}};
  record.rationale = step().rationale;
  record.thinking = step().thinking;
  record.purpose = step().purpose;
  record.expected_outcome = step().expected_outcome;
  record.usage = usage();
  record.queued = 1ms;
  record.called = 812'345us;
  record.observed = 2100ms;
  record.screen_age = 2200ms;
  record.retries = 1;
  record.error = "429 once";
  record.raw_answer = "{\"content\":[]}";
  record.wire_format = "anthropic";
  record.http_status = 429;
  record.picture = true;
  record.request_id = "req_1";
  record.at = at(4);
  return record;
}

}  // namespace drover
