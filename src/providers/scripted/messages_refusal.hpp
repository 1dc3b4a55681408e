#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

// How the Anthropic Messages service says what is wrong with a request.

/// An invalid_request_error of status 400.
Refusal refuse(std::string message);

/// Where an item of a list stands: "messages.3".
std::string item_path(std::string_view list, std::size_t index);

/// Refuses a tool's name of other than 1 to 128 letters, digits, `_` or `-`;
/// `path` is where the tool or the call stands.
std::optional<Refusal> check_tool_name(std::string_view name, const std::string& path);

}  // namespace drover::providers::scripted
