#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// A call that a model wrote as text.
struct RescuedCall {
  ToolCall call;
  std::string form;         ///< What it was written as: "<tool_call>", "fenced JSON", …
  std::string text_before;  ///< The text in front of it, trimmed: the rationale.
};

/// Finds the first call of one of `tools` that stands in a text: `<tool_call>{…}`,
/// `<function=name>…`, `<invoke name="…">` with parameters, JSON in a code fence, or
/// a bare JSON object with a name and arguments. Calls of other tools are not
/// found, so that prose about JSON is never taken for a call. Only for answers that
/// hold no structured call (last rung of row C3).
std::optional<RescuedCall> rescue_call_from_text(std::string_view text, const ToolSet& tools);

}  // namespace drover::providers
