#pragma once

#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/error.hpp"
#include "core/scene.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::planner {

/// What a call is held against: the screen that it was decided on (row W5).
struct Ground {
  int elements = 0;  ///< Ids run from 1 to this.
  int width = 0;     ///< Pixels; 0: not known, nothing is checked.
  int height = 0;
};

Ground ground_of(const Scene& scene);

/// A tool call as a decision. Takes a number or boolean written as text where the
/// schema wants one, drops nulls and arguments that the tool doesn't have, and says
/// in `notes` what it mended. Purpose and expected outcome leave the arguments
/// (row P5). Refused with Errc::malformed and a sentence that tells a model what to
/// correct: a tool that is not offered, a missing or empty purpose, expected
/// outcome or reason, wrong arguments, an element or a place that is not on the
/// screen. Rationale and thinking stay empty.
Result<Decision> read_tool_call(const providers::ToolCall& call, const providers::ToolSet& tools, const Ground& ground,
                                std::vector<std::string>& notes);

}  // namespace drover::planner
