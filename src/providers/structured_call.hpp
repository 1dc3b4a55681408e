#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// The JSON Schema by which a model that makes no tool call states one as
/// structured output (row C3): an object of `tool` and `arguments`. Keywords that
/// grammar-constrained output does not take (bounds of numbers and lengths) are
/// left out; they are checked in code anyway.
Json structured_call_schema(const ToolSet& tools);

/// The call that a text states when the text as a whole is such an object and
/// nothing else; nothing for any other text.
std::optional<ToolCall> read_structured_call(std::string_view text);

}  // namespace drover::providers
