#pragma once

#include <string_view>

#include "core/action.hpp"
#include "core/json.hpp"
#include "core/scene.hpp"

namespace drover {

/// What stands in records and prompts for a text that was typed into a password
/// field: always the same, so that it tells no length.
inline constexpr std::string_view typed_secret = "•••••";

/// The action as it may be written down (row L3): the text of an input_text that is
/// aimed at an element flagged as a password on the screen that was decided on, by
/// id, by place or by focus, is replaced by typed_secret. Everything else is left as
/// it is. What is done on the phone keeps the real text.
Action mask_secret(Action action, const Scene& decided_on);

/// The same for a call's arguments as a model gave them. Where they can't be read as
/// an action, the text is masked on every screen with a password field.
Json mask_secret(std::string_view tool, Json arguments, const Scene& decided_on);

}  // namespace drover
