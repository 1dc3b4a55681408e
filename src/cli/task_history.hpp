#pragma once

#include <string>
#include <vector>

#include "core/records.hpp"

namespace drover::cli {

/// "phone-03", or "phone-03 (caller), phone-02 (callee)" where there are several roles.
std::string phones_text(const AttemptRecord& attempt);

/// What the journal holds of an attempt, among its task's other attempts.
struct AttemptHistory {
  const AttemptRecord& attempt;
  std::size_t assertions = 0;  ///< Of the task.
  const std::vector<OutcomeRecord>& outcomes;
  const std::vector<StepRecord>& steps;
  const std::vector<DecisionRecord>& decisions;
};

/// An attempt for people: its phones, its end (`undecided` where it has none), each
/// assertion, and a row for each of its steps. The turn that ended it by finish_task
/// is a step, too. Assertions and steps have the role in front where there are
/// several. `width`: as table_width() gives it.
std::string attempt_text(const AttemptHistory& history, const std::string& undecided, std::size_t width);

}  // namespace drover::cli
