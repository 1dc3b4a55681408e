#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/outcome.hpp"
#include "core/records.hpp"

namespace drover::actors {

/// How one task ended.
struct TaskSummary {
  TaskId task;
  Verdict verdict = Verdict::unknown;
  Outcome outcome = Outcome::unknown;
  std::string reason;
  std::uint32_t attempts = 0;
  std::uint32_t steps = 0;  ///< Of all attempts, as are the time and the usage.
  Duration took{};
  bool flaky = false;  ///< Passed, but not at the first attempt.
  Usage usage;
  std::vector<DeviceId> lost_phones;  ///< That went away while they were at it.
};

/// How a batch ended.
struct BatchSummary {
  std::vector<TaskSummary> tasks;  ///< In the order of the batch.
  std::optional<Error> failure;    ///< What ended the batch early, if anything.
  CancelReason cancelled = CancelReason::none;
  int exit_code = 0;
};

}  // namespace drover::actors
