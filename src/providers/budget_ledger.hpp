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

/// Why a call must not be made.
struct BudgetRefusal {
  std::string why;       ///< "the batch's budget of 1000 calls is used up".
  bool for_now = false;  ///< Only what is set aside for calls under way stands in the way.
  bool operator==(const BudgetRefusal&) const = default;
};

/// Keeps the budgets of a run: a call is set aside by the most that it may come to before
/// it is sent, and settled by what it did come to. A budget stops the call that would
/// go beyond it, so calls under way never add up to more than what is left; one that would
/// fit once they are settled is told apart. Plain class; its owner sees to it that one
/// thread uses it at a time.
class BudgetLedger {
 public:
  using CallId = std::uint64_t;

  /// `today`: what other runs have spent of the day's budget so far.
  BudgetLedger(BudgetSettings settings, BudgetSpent today, TimePoint batch_began);

  /// Sets a call aside, or says which budget it would go beyond.
  std::optional<BudgetRefusal> set_aside(CallId call, const TaskId& task, const BudgetSpent& estimate, TimePoint now);
  /// What a call came to; nothing: what was set aside is spent, as of one that was cut off.
  void settle(CallId call, const std::optional<BudgetSpent>& actual);

  /// Another day: nothing of it is spent. Calls under way are the last one's.
  void begin_day();

  /// Whether no call of any task can be made any more, however those under way end, and
  /// why: no work is begun then.
  [[nodiscard]] std::optional<std::string> exhausted(TimePoint now) const;

  [[nodiscard]] BudgetSpent batch() const noexcept { return batch_.all(); }  ///< With what is set aside.
  [[nodiscard]] BudgetSpent day() const noexcept { return day_.all(); }      ///< Likewise.

 private:
  struct Account {
    BudgetSpent spent;
    BudgetSpent set_aside;  ///< On top, for calls under way.
    TimePoint began{};
    [[nodiscard]] BudgetSpent all() const noexcept;
  };
  struct Call {
    TaskId task;
    BudgetSpent estimate;
    std::uint64_t day = 0;
  };

  BudgetSettings settings_;
  Account batch_;
  Account day_;
  std::uint64_t days_ = 0;
  std::map<TaskId, Account> tasks_;
  std::unordered_map<CallId, Call> open_;
};

}  // namespace drover::providers
