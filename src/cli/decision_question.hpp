#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/journal_look.hpp"
#include "cli/logged_step.hpp"

namespace drover::cli {

/// What the command line of `drover decisions ask` says.
struct QuestionOptions {
  std::string task;
  StepChoice step;
  std::string config;                    ///< Empty: drover.yaml.
  std::vector<std::string> providers;    ///< Names; none: the one that the planner asks first.
  std::string model;                     ///< In the place of the configured one; of one provider alone.
  std::string system_prompt = "logged";  ///< Or "today".
};

/// Sends the logged prompt of a step to each of the providers, one after the other, and
/// prints what was decided then and what they decide now. The journal is only read;
/// nothing is done on a phone. `look.journal` absent: the configuration's. Gives the
/// exit code: 0 where each came to a decision, 22 where a model did not, 20 where a
/// provider could not be asked, 2 for what is not there.
int ask_again(const JournalLook& look, const QuestionOptions& options);

}  // namespace drover::cli
