#include "providers/budget_ledger.hpp"

#include <cstdio>
#include <utility>

namespace drover::providers {
namespace {

void add(BudgetSpent& sum, const BudgetSpent& other) noexcept {
  sum.calls += other.calls;
  sum.tokens += other.tokens;
  sum.micros += other.micros;
}

void take_back(BudgetSpent& sum, const BudgetSpent& other) noexcept {
  sum.calls -= other.calls;
  sum.tokens -= other.tokens;
  sum.micros -= other.micros;
}

std::string dollars(std::int64_t micros) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f USD", static_cast<double>(micros) / 1e6);
  return text;
}

std::string seconds(Duration time) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
  return text;
}

std::string used_up(const char* whose, const std::string& what) {
  return std::string(whose) + " budget of " + what + " is used up";
}

/// Which limit stands in the way of `more` on top of `spent`.
std::optional<std::string> beyond(const char* whose, const BudgetLimits& limits, const BudgetSpent& spent,
                                  const BudgetSpent& more, Duration since) {
  if (limits.calls && spent.calls + more.calls > *limits.calls) {
    return used_up(whose, std::to_string(*limits.calls) + (*limits.calls == 1 ? " call" : " calls"));
  }
  if (limits.tokens && spent.tokens + more.tokens > *limits.tokens) {
    return used_up(whose, std::to_string(*limits.tokens) + " tokens");
  }
  if (limits.micros && spent.micros + more.micros > *limits.micros) return used_up(whose, dollars(*limits.micros));
  if (limits.time && since >= *limits.time) {
    return used_up(whose, seconds(*limits.time));
  }
  return std::nullopt;
}

}  // namespace

BudgetSpent spent_by(const Usage& usage) noexcept {
  return {usage.calls, usage.input_tokens + usage.output_tokens, usage.cost ? usage.cost->micros : 0};
}

BudgetLedger::BudgetLedger(BudgetSettings settings, BudgetSpent today, TimePoint batch_began)
    : settings_(std::move(settings)), day_(today), batch_began_(batch_began) {}

std::optional<std::string> BudgetLedger::set_aside(CallId call, const TaskId& task, const BudgetSpent& estimate,
                                                   TimePoint now) {
  const auto [account, is_new] = tasks_.try_emplace(task, TaskAccount{{}, now});
  TaskAccount& own = account->second;
  auto refusal = beyond("the task's", settings_.task, own.spent, estimate, now - own.began);
  if (!refusal) refusal = beyond("the batch's", settings_.batch, batch_, estimate, now - batch_began_);
  if (!refusal) refusal = beyond("the day's", settings_.day, day_, estimate, Duration::zero());
  if (refusal) return refusal;
  for (BudgetSpent* sum : {&own.spent, &batch_, &day_}) add(*sum, estimate);
  open_[call] = {task, estimate, days_};
  return std::nullopt;
}

void BudgetLedger::settle(CallId call, const std::optional<BudgetSpent>& actual) {
  const auto found = open_.find(call);
  if (found == open_.end()) return;
  if (actual) {
    for (BudgetSpent* sum : {&tasks_[found->second.task].spent, &batch_, &day_}) {
      if (sum == &day_ && found->second.day != days_) continue;
      take_back(*sum, found->second.estimate);
      add(*sum, *actual);
    }
  }
  open_.erase(found);
}

void BudgetLedger::begin_day() {
  ++days_;
  day_ = {};
}

std::optional<std::string> BudgetLedger::exhausted(TimePoint now) const {
  const BudgetSpent least{1, 1, 0};
  auto refusal = beyond("the batch's", settings_.batch, batch_, least, now - batch_began_);
  if (!refusal) refusal = beyond("the day's", settings_.day, day_, least, Duration::zero());
  return refusal;
}

}  // namespace drover::providers
