#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// Which step of a task is meant.
struct StepChoice {
  std::uint32_t step = 1;
  std::optional<std::uint32_t> attempt;  ///< Absent: the last one that came to that step.
  std::string role;                      ///< Empty: the only one that decided it.
};

/// The requests of one step's turn, of all decisions of its task in the order of their
/// keys, at least one. Errors: not_found, which says what steps, attempts or roles
/// there are; conflict, where several roles decided the step and none is named.
Result<std::span<const DecisionRecord>> requests_of_step(const std::vector<DecisionRecord>& decisions,
                                                         const StepChoice& choice);

}  // namespace drover::cli
