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

BudgetSpent BudgetLedger::Account::all() const noexcept {
  BudgetSpent sum = spent;
  add(sum, set_aside);
  return sum;
}

BudgetLedger::BudgetLedger(BudgetSettings settings, BudgetSpent today, TimePoint batch_began)
    : settings_(std::move(settings)), batch_{{}, {}, batch_began}, day_{today, {}, {}} {}

std::optional<BudgetRefusal> BudgetLedger::set_aside(CallId call, const TaskId& task, const BudgetSpent& estimate,
                                                     TimePoint now) {
  Account& own = tasks_.try_emplace(task, Account{{}, {}, now}).first->second;
  const auto refused = [&](bool settled_alone) {
    const auto sum = [&](const Account& account) { return settled_alone ? account.spent : account.all(); };
    auto why = beyond("the task's", settings_.task, sum(own), estimate, now - own.began);
    if (!why) why = beyond("the batch's", settings_.batch, sum(batch_), estimate, now - batch_.began);
    if (!why) why = beyond("the day's", settings_.day, sum(day_), estimate, Duration::zero());
    return why;
  };
  if (auto why = refused(true)) return BudgetRefusal{*std::move(why), false};
  if (auto why = refused(false)) return BudgetRefusal{*std::move(why), true};
  for (Account* account : {&own, &batch_, &day_}) add(account->set_aside, estimate);
  open_[call] = {task, estimate, days_};
  return std::nullopt;
}

void BudgetLedger::settle(CallId call, const std::optional<BudgetSpent>& actual) {
  const auto found = open_.find(call);
  if (found == open_.end()) return;
  const Call& ended = found->second;
  for (Account* account : {&tasks_[ended.task], &batch_, &day_}) {
    if (account == &day_ && ended.day != days_) continue;
    take_back(account->set_aside, ended.estimate);
    add(account->spent, actual.value_or(ended.estimate));
  }
  open_.erase(found);
}

void BudgetLedger::begin_day() {
  ++days_;
  day_ = {};
}

std::optional<std::string> BudgetLedger::exhausted(TimePoint now) const {
  const BudgetSpent least{1, 1, 1};
  auto why = beyond("the batch's", settings_.batch, batch_.spent, least, now - batch_.began);
  if (!why) why = beyond("the day's", settings_.day, day_.spent, least, Duration::zero());
  return why;
}

}  // namespace drover::providers
