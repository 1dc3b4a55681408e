#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"

namespace drover {

/// What model calls may come to; absent: as much as there is.
struct BudgetLimits {
  std::optional<std::uint64_t> calls;
  std::optional<std::uint64_t> tokens;  ///< Input, cached input too, and output.
  std::optional<std::int64_t> micros;   ///< Millionths of a dollar.
  std::optional<Duration> time;         ///< Since it began; not for a day.
  bool operator==(const BudgetLimits&) const = default;
};

/// The budgets of a run. A task's counts all its attempts, a day's is UTC's and is
/// counted over all runs of a journal.
struct BudgetSettings {
  BudgetLimits task;
  BudgetLimits batch;
  BudgetLimits day;
  bool operator==(const BudgetSettings&) const = default;

  /// Whether any of them limits money, for which every call needs a known price.
  [[nodiscard]] bool limits_money() const { return task.micros || batch.micros || day.micros; }
};

}  // namespace drover
