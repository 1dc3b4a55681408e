#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/budget.hpp"
#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/records.hpp"

namespace drover::providers {

/// What has been spent, or is set aside for calls under way.
struct BudgetSpent {
  std::uint64_t calls = 0;
  std::uint64_t tokens = 0;
  std::int64_t micros = 0;
  bool operator==(const BudgetSpent&) const = default;
};

BudgetSpent spent_by(const Usage& usage) noexcept;

/// Keeps the budgets of a run: a call is set aside by what it is likely to come to before
/// it is sent, and settled by what it did come to. A budget stops the call that would
/// go beyond it, so calls under way never add up to more than what is left. Plain class;
/// its owner sees to it that one thread uses it at a time.
class BudgetLedger {
 public:
  using CallId = std::uint64_t;

  /// `today`: what other runs have spent of the day's budget so far.
  BudgetLedger(BudgetSettings settings, BudgetSpent today, TimePoint batch_began);

  /// Sets a call aside; otherwise a sentence that says which budget it would go beyond:
  /// "the batch's budget of 1000 calls is used up".
  std::optional<std::string> set_aside(CallId call, const TaskId& task, const BudgetSpent& estimate, TimePoint now);
  /// What a call came to; nothing: what was set aside is spent, as of one that was cut off.
  void settle(CallId call, const std::optional<BudgetSpent>& actual);

  /// Another day: nothing of it is spent. Calls under way are the last one's.
  void begin_day();

  /// Whether no call of any task could be set aside any more, and why: no work is begun then.
  [[nodiscard]] std::optional<std::string> exhausted(TimePoint now) const;

  [[nodiscard]] BudgetSpent batch() const noexcept { return batch_; }  ///< With what is set aside.
  [[nodiscard]] BudgetSpent day() const noexcept { return day_; }      ///< Likewise.

 private:
  struct TaskAccount {
    BudgetSpent spent;
    TimePoint began{};
  };
  struct Call {
    TaskId task;
    BudgetSpent estimate;
    std::uint64_t day = 0;
  };

  BudgetSettings settings_;
  BudgetSpent batch_;
  BudgetSpent day_;
  TimePoint batch_began_;
  std::uint64_t days_ = 0;
  std::map<TaskId, TaskAccount> tasks_;
  std::unordered_map<CallId, Call> open_;
};

}  // namespace drover::providers
