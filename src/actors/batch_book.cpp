#include "actors/batch_book.hpp"

#include <algorithm>
#include <utility>

#include "core/outcome.hpp"
#include "core/sentence.hpp"

namespace drover::actors {
namespace {

/// Of several participants the one that went worst speaks for the attempt.
bool speaks_before(const SessionResult& a, const SessionResult& b) {
  const auto rank = [](Outcome outcome) {
    if (outcome == Outcome::cancelled) return 1;  // a partner of one that ended
    return verdict_of(outcome) == Verdict::passed ? 3 : verdict_of(outcome) == Verdict::unverified ? 2 : 0;
  };
  return rank(a.outcome) < rank(b.outcome);
}

/// A journal or a program that fails is not a phone that is missing.
Outcome outcome_without_attempt(Errc code) {
  switch (code) {
    case Errc::storage_failed:
    case Errc::disk_full:
    case Errc::journal_locked:
    case Errc::internal:
      return Outcome::error;
    case Errc::budget_exhausted:
      return Outcome::budget_exhausted;
    default:
      return Outcome::device_lost;
  }
}

}  // namespace

SessionResult OpenPart::without_report(Outcome outcome, std::string reason) const {
  SessionResult lost;
  lost.role = role;
  lost.outcome = act_is_open->load(std::memory_order_relaxed) ? Outcome::in_doubt : outcome;
  lost.reason = std::move(reason);
  return lost;
}

BatchBook::BatchBook(const RunBatch& order)
    : rules(order.tasks, order.retries), run(order.run), require_assertions_(order.require_assertions) {
  for (const Task& task : order.tasks) order_.push_back(task.id);
}

OpenAttempt& BatchBook::open(const TaskId& task, std::uint32_t number, const std::vector<GrantedPhone>& phones,
                             const CancelToken& run_token, const Clock& clock) {
  OpenAttempt& attempt = attempts[task];
  attempt.cancel = run_token.child();
  attempt.record.run = run.run;
  attempt.record.task = task;
  attempt.record.attempt = number;
  attempt.record.versions = run.versions;
  attempt.record.started = clock.utc_now();
  spent_.try_emplace(task, Spent{0, {}, clock.now(), {}, {}});
  for (const GrantedPhone& phone : phones) {
    const SessionId id(run.run.value + "/" + task.value + "/" + std::to_string(number) + "/" + phone.role);
    attempt.record.participants.push_back({phone.role, phone.id, id, phone.fence});
    attempt.parts.push_back({phone.role, phone, session_actor{}, 0, attempt.cancel.child(),
                             std::make_shared<std::atomic<bool>>(false), std::nullopt});
  }
  return attempt;
}

BatchBook::Closed BatchBook::close(const TaskId& task, const Clock& clock) {
  auto node = attempts.extract(task);
  OpenAttempt& attempt = node.mapped();
  AttemptRecord& record = attempt.record;
  const SessionResult* spokesman = nullptr;
  std::vector<DeviceId> devices;
  for (const OpenPart& part : attempt.parts) {
    const SessionResult& result = *part.result;
    devices.push_back(part.phone.id);
    if (result.phone_lost) spent_.at(task).lost_phones.push_back(part.phone.id);
    record.steps += result.steps;
    record.relooks += result.relooks;
    record.transport_retries += result.transport_retries;
    record.action_retries += result.action_retries;
    record.usage.add(result.usage);
    for (const auto& assertion : result.assertions) record.assertions.push_back(assertion);
    if (result.claimed) record.claimed = record.claimed.value_or(true) && *result.claimed;
    if (spokesman == nullptr || speaks_before(result, *spokesman)) spokesman = &result;
  }
  record.ended = clock.utc_now();
  record.outcome = spokesman->outcome;
  record.reason = spokesman->reason;

  Spent& spent = spent_.at(task);
  spent.steps += record.steps;
  spent.usage.add(record.usage);
  const Batch::Ended ended = rules.attempt_ended(task, spokesman->outcome, devices);
  // A retry that was cancelled says nothing: outcome and reason are those of the attempt before.
  if (ended.again || ended.outcome == spokesman->outcome) spent.reason = spokesman->reason;
  Closed closed{record, std::nullopt};
  if (!ended.again) closed.task = end(task, spent.reason, ended.flaky, clock.now());
  return closed;
}

TaskRecord BatchBook::end(const TaskId& task, std::string reason, bool flaky, TimePoint now) {
  TaskRecord record;
  record.run = run.run;
  record.task = rules.task(task);
  record.outcome = rules.outcome_of(task);
  record.verdict = verdict_of(*record.outcome);
  record.attempts = rules.attempts_of(task);
  record.reason = reason;
  record.flaky = flaky;
  TaskSummary end;
  end.task = task;
  end.verdict = *record.verdict;
  end.outcome = *record.outcome;
  end.reason = std::move(reason);
  end.attempts = record.attempts;
  end.flaky = flaky;
  if (const auto spent = spent_.find(task); spent != spent_.end()) {
    end.took = now - spent->second.began;
    end.steps = spent->second.steps;
    end.usage = spent->second.usage;
    end.lost_phones = spent->second.lost_phones;
  }
  ends_[task] = std::move(end);
  return record;
}

TaskRecord BatchBook::give_up(const TaskId& task, const Error& why, TimePoint now) {
  rules.give_up(task, outcome_without_attempt(why.code));
  const auto spent = spent_.find(task);
  if (spent == spent_.end()) return end(task, why.describe(), false, now);
  const char* const missing =
      why.code == Errc::budget_exhausted ? "no further attempt is made: " : "no phone came for another attempt: ";
  return end(task, two_statements(spent->second.reason, missing + why.describe()), false, now);
}

std::vector<TaskRecord> BatchBook::stop(CancelReason reason, TimePoint now) {
  cancelled = reason;
  for (auto& [number, start] : wishes) rules.put_back(start.task->id);
  wishes.clear();
  std::vector<TaskRecord> ended;
  for (const TaskId& task : rules.stop(reason == CancelReason::shutdown ? Outcome::error : Outcome::cancelled)) {
    const auto spent = spent_.find(task);
    if (spent != spent_.end()) {
      ended.push_back(
          end(task, two_statements(spent->second.reason, "the run was stopped before another attempt"), false, now));
    } else {
      ended.push_back(
          end(task, failure ? failure->describe() : "the run was stopped before this task began", false, now));
    }
  }
  return ended;
}

std::vector<TaskRecord> BatchBook::end_undecided(const Error& why, TimePoint now) {
  std::vector<TaskRecord> ended;
  for (const TaskId& task : order_) {
    if (ends_.count(task) != 0 || attempts.count(task) != 0) continue;
    rules.give_up(task, outcome_without_attempt(why.code));
    ended.push_back(end(task, why.describe(), false, now));
  }
  return ended;
}

int BatchBook::exit_code() const {
  std::vector<int> codes;
  if (cancelled == CancelReason::user) codes.push_back(exit_code::interrupted);
  if (cancelled == CancelReason::terminated) codes.push_back(exit_code::terminated);
  if (cancelled == CancelReason::request) codes.push_back(exit_code::cancelled);
  if (failure) codes.push_back(failure->code == Errc::internal ? exit_code::internal : exit_code::infrastructure);
  const bool no_phone = !ends_.empty() && std::all_of(ends_.begin(), ends_.end(), [](const auto& entry) {
    return entry.second.outcome == Outcome::device_lost && entry.second.attempts == 0;
  });
  for (const auto& [task, end] : ends_) {
    codes.push_back(no_phone ? exit_code::no_device : exit_code_of(end.verdict, require_assertions_));
  }
  if (order_.empty()) codes.push_back(exit_code::nothing_selected);
  return first_exit_code(codes);
}

BatchSummary BatchBook::summary() const {
  BatchSummary ended;
  for (const TaskId& task : order_) {
    if (const auto end = ends_.find(task); end != ends_.end()) ended.tasks.push_back(end->second);
  }
  ended.failure = failure;
  ended.cancelled = cancelled;
  ended.exit_code = exit_code();
  return ended;
}

}  // namespace drover::actors
