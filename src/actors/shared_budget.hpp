#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "providers/budget_ledger.hpp"
#include "storage/journal.hpp"

namespace drover::actors {

/// The budgets of a run, shared by all its providers. What the day has spent stands in
/// durable counters of the journal, "budget/2026-12-01/calls" and so on, so that it holds
/// over runs and crashes: with a day's budget a part of it is put down as spent ahead of
/// the calls, and what was not needed of it is given back at the end. After a crash the
/// rest of that part counts as spent. Thread-safe; its functions are short, but for
/// open(), extend_lease() and close(), which write to disk.
class SharedBudget {
 public:
  using CallId = providers::BudgetLedger::CallId;
  using Spent = providers::BudgetSpent;

  /// Journal and clock outlive it.
  SharedBudget(BudgetSettings settings, std::shared_ptr<storage::Journal> journal, const Clock& clock);

  /// Before the first call. Errors: those of the journal.
  Status open();

  struct Refused {
    std::string why;  ///< "the task's budget of 20 calls is used up".
  };
  /// Calls under way have to be settled first, or the journal has to put down more of the
  /// day's budget: extend_lease().
  struct Later {};
  using Answer = std::variant<CallId, Refused, Later>;
  Answer set_aside(const TaskId& task, const Spent& estimate);
  /// What a call came to; nothing: it is not known, so what was set aside is spent. Every
  /// call that was set aside is settled, or others wait for it.
  void settle(CallId call, const std::optional<Spent>& actual);
  /// Why no call of any task can be made any more.
  [[nodiscard]] std::optional<std::string> exhausted() const;

  /// Whether extend_lease() is due, so that no call has to wait for it.
  [[nodiscard]] bool wants_lease() const noexcept { return wants_lease_; }
  /// Puts down more of the day's budget. Belongs to the thread of the journal actor.
  Status extend_lease();
  /// After the last call: the counters are what was spent. A second one does nothing.
  Status close();

 private:
  /// Differences to the counters of a day.
  struct Amounts {
    std::int64_t calls = 0;
    std::int64_t tokens = 0;
    std::int64_t micros = 0;
  };
  [[nodiscard]] std::string today() const;
  [[nodiscard]] Amounts own() const;
  void turn_day();
  /// How much is to be put down for what is spent, this `need` and a while on top.
  [[nodiscard]] Amounts wanted_lease(const Spent& need) const;
  Status write(const std::string& day, const Amounts& more);

  const BudgetSettings settings_;
  const std::shared_ptr<storage::Journal> journal_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  providers::BudgetLedger ledger_;
  CallId last_call_ = 0;
  std::string day_;
  Spent others_;    ///< What other runs have spent of the day.
  Amounts leased_;  ///< Of the day by this run, on disk.
  Spent need_;      ///< Of the call that waits.
  std::vector<std::pair<std::string, Amounts>> ended_days_;
  std::atomic<bool> wants_lease_{false};
  bool closed_ = false;
};

}  // namespace drover::actors
