#pragma once

#include <string_view>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover::planner {

/// The screen that a user prompt shows, for prompts that were logged: what
/// write_user_prompt() put between the screen's marks, read by read_scene(), so without
/// bounds. Refused with Errc::malformed where there is no screen or it can't be read.
Result<Scene> screen_of_prompt(std::string_view user_prompt);

}  // namespace drover::planner
