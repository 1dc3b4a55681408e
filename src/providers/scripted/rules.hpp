#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "providers/scripted/prompt.hpp"

namespace drover::providers::scripted {

inline constexpr std::string_view model_id = "drover-rules-1";
inline constexpr std::string_view finish_tool = "finish_task";

/// What the rules answer to a prompt: a text, and a call of one tool unless no
/// tool that they know is offered.
struct RuleDecision {
  std::string rationale;            ///< One or two sentences: what the last step came to, what this one is for.
  std::string tool;                 ///< Empty: the text is all there is.
  Json arguments = Json::object();  ///< With purpose and expected_outcome for actions.
};

/// Decides what to do on a phone from what one prompt says, like a modest model:
/// reads the goal, judges the last step, looks for the next one on the screen,
/// and finishes only when the screen shows the goal reached or nothing is left to
/// try. A pure function: the same prompt and tools give the same decision.
/// `offers` tells whether the request offers a tool.
RuleDecision decide(const Prompt& prompt, const std::function<bool(std::string_view)>& offers);

/// Claims success at once with a plausible reason: the answer of a model that lies.
RuleDecision claim_success(const Prompt& prompt);

}  // namespace drover::providers::scripted
