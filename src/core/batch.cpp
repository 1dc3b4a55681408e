#include "core/batch.hpp"

#include <utility>

namespace drover {

Batch::Batch(std::vector<Task> tasks, RetryRules retries) : retries_(std::move(retries)) {
  for (std::size_t place = 0; place < tasks.size(); ++place) {
    State state;
    state.place = place;
    state.task = std::move(tasks[place]);
    const TaskId id = state.task.id;
    waiting_.insert({place, id});
    states_.emplace(id, std::move(state));
  }
}

std::optional<Batch::Start> Batch::next() {
  if (stopped_ || waiting_.empty()) return std::nullopt;
  const TaskId id = waiting_.begin()->second;
  waiting_.erase(waiting_.begin());
  State& state = states_.at(id);
  ++state.attempts;
  return Start{&state.task, state.attempts, state.avoid};
}

void Batch::put_back(const TaskId& task) {
  State& state = states_.at(task);
  if (state.outcome) return;
  --state.attempts;
  waiting_.insert({state.place, task});
}

void Batch::decide(State& state, Outcome outcome) {
  if (state.outcome) return;
  state.outcome = outcome;
  ++decided_;
}

Batch::Ended Batch::attempt_ended(const TaskId& task, Outcome outcome, const std::vector<DeviceId>& devices) {
  State& state = states_.at(task);
  if (state.outcome) return {false, state.outcome, false};
  const RetryClass retry = retry_class_of(outcome);
  if (!stopped_ && retries_.classes.count(retry) != 0 && state.attempts <= retries_.per_task &&
      retried_ < retries_.total) {
    ++retried_;
    state.last = outcome;
    state.avoid.insert(devices.begin(), devices.end());
    waiting_.insert({state.place, task});
    return {true, std::nullopt, false};
  }
  decide(state, outcome == Outcome::cancelled ? state.last.value_or(outcome) : outcome);
  return {false, state.outcome, verdict_of(outcome) == Verdict::passed && state.attempts > 1};
}

std::vector<TaskId> Batch::stop(Outcome outcome) {
  stopped_ = true;
  std::vector<TaskId> stopped;
  for (const auto& [place, id] : waiting_) {
    stopped.push_back(id);
    State& state = states_.at(id);
    decide(state, state.last.value_or(outcome));
  }
  waiting_.clear();
  return stopped;
}

void Batch::give_up(const TaskId& task, Outcome outcome) {
  State& state = states_.at(task);
  if (state.outcome) return;
  const bool handed_out = waiting_.erase({state.place, task}) == 0;
  if (handed_out) --state.attempts;
  decide(state, state.last.value_or(outcome));
}

const Task& Batch::task(const TaskId& id) const { return states_.at(id).task; }
std::uint32_t Batch::attempts_of(const TaskId& id) const { return states_.at(id).attempts; }
std::optional<Outcome> Batch::outcome_of(const TaskId& id) const { return states_.at(id).outcome; }

}  // namespace drover
