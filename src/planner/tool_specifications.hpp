#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "planner/planner.hpp"
#include "providers/model_request.hpp"

namespace drover::planner {

/// Stands in every attempt's versions: it rises with any change of a name, a
/// description or a schema below.
inline constexpr std::string_view tool_set_version = "1";

/// The name of the tool that ends a task (row P2).
inline constexpr std::string_view finish_tool = "finish_task";

/// The tools that a model is offered (row P4), one immutable set per choice that
/// all requests share. `core`: tap, swipe, input_text, launch_app, terminate_app,
/// finish_task. `full` adds press_key, long_press, wait, open_url, clear_text, note.
///
/// A schema is a plain object (no oneOf, no bounds) with additionalProperties
/// false, so that every provider's dialect can take it; purpose and
/// expected_outcome are required of every action (row P5). That an action aims at
/// an element or at coordinates, and not at both, is checked by decode_action().
std::shared_ptr<const providers::ToolSet> tool_set(ToolSetChoice choice);

/// "core-1", "full-1": the version that ToolSet carries and records keep.
std::string_view tool_set_name(ToolSetChoice choice) noexcept;

/// The choice that a name of this or another version stands for; nothing for any other text.
std::optional<ToolSetChoice> tool_set_choice_from(std::string_view name) noexcept;

}  // namespace drover::planner
