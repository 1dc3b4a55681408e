#pragma once

#include <chrono>
#include <string>

#include "core/records.hpp"

namespace drover::test {

inline UtcTime at_second(int second) { return UtcTime{std::chrono::seconds{1'796'000'000 + second}}; }

inline RunRecord sample_run(const std::string& id, RunState state = RunState::running, int second = 0) {
  RunRecord record;
  record.run = RunId{id};
  record.state = state;
  record.title = "settings";
  record.started = at_second(second);
  record.versions.binary = "0.1.0";
  record.versions.seed = 7;
  record.provider = "scripted (built-in rules)";
  record.tasks = 3;
  record.devices = 2;
  if (state == RunState::ended) {
    record.ended = at_second(second + 60);
    record.exit_code = 0;
  }
  return record;
}

inline TaskRecord sample_task(const std::string& run, const std::string& id) {
  TaskRecord record;
  record.run = RunId{run};
  record.task.id = TaskId{id};
  record.task.goal = "Turn on airplane mode";
  record.task.tags = {"settings"};
  return record;
}

inline AttemptRecord sample_attempt(const std::string& run, const std::string& task, std::uint32_t attempt = 1) {
  AttemptRecord record;
  record.run = RunId{run};
  record.task = TaskId{task};
  record.attempt = attempt;
  record.participants = {{"main", DeviceId{"phone-01"}, SessionId{"session-1"}, 41}};
  record.started = at_second(1);
  return record;
}

inline StepKey sample_key(const std::string& run, const std::string& task, std::uint32_t step,
                          std::uint32_t attempt = 1, const std::string& role = "main") {
  return {RunId{run}, TaskId{task}, attempt, role, step};
}

inline IntentRecord sample_intent(const StepKey& key) {
  IntentRecord record;
  record.key = key;
  record.intent = key.run.value + "/" + key.task.value + "/" + std::to_string(key.step);
  record.fence = 41;
  record.device = DeviceId{"phone-01"};
  record.page = "com.android.settings/network";
  record.step.action = Tap{Target{3, std::nullopt}};
  record.step.purpose = "reach the network page";
  record.step.expected_outcome = "the network page is shown";
  record.at = at_second(2);
  return record;
}

inline OutcomeRecord sample_outcome(const StepKey& key, ActStatus status = ActStatus::done) {
  OutcomeRecord record;
  record.key = key;
  record.intent = key.run.value + "/" + key.task.value + "/" + std::to_string(key.step);
  record.status = status;
  record.took = std::chrono::milliseconds{120};
  record.at = at_second(3);
  return record;
}

inline StepRecord sample_step(const StepKey& key) {
  StepRecord record;
  record.key = key;
  record.event.step = key.step;
  record.event.page = "com.android.settings/network";
  record.event.action = Tap{Target{3, std::nullopt}};
  record.event.tool = "tap";
  record.event.arguments = Json{{"element", 3}};
  record.event.purpose = "reach the network page";
  record.event.expected_outcome = "the network page is shown";
  record.event.success = true;
  return record;
}

inline DecisionRecord sample_decision(const StepKey& key, std::uint32_t request = 1) {
  DecisionRecord record;
  record.key = key;
  record.request = request;
  record.rung = "auto";
  record.provider = "scripted";
  record.model = "rules";
  record.system_prompt_hash = "9f86d081";
  record.user_prompt = "Goal: turn on airplane mode";
  record.tool = "tap";
  record.arguments = Json{{"element", 3}};
  record.usage.calls = 1;
  record.usage.input_tokens = 1200;
  record.at = at_second(2);
  return record;
}

}  // namespace drover::test
