#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/assertion.hpp"
#include "core/simulated_time.hpp"
#include "core/simulation.hpp"
#include "core/task.hpp"
#include "devices/simulated/simulated_phones.hpp"

namespace drover::test {

/// What came of a task that the built-in rules did on a simulated phone.
struct RulesReport {
  bool finished = false;  ///< The rules ended it by themselves.
  bool success = false;   ///< What they claimed.
  std::string reason;
  std::uint32_t steps = 0;
  std::vector<AssertionResult> assertions;
  std::vector<std::string> log;  ///< One line a step, for a failing test's message.

  [[nodiscard]] bool verified() const;
  [[nodiscard]] std::string text() const;
};

/// Observe, prompt, decide, act, check, in a plain loop without actors and HTTP:
/// the planner's prompt goes to the rules as text, and their call comes back
/// through the planner's reader, so that nothing passes between them but what
/// would pass over the wire.
RulesReport follow_rules(const Task& task, std::shared_ptr<const devices::simulated::AppCatalogue> apps,
                         std::uint64_t seed = 1, PhoneFaultSettings faults = {}, bool show_screens = false);

}  // namespace drover::test
