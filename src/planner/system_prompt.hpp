#pragma once

#include <string>

#include "planner/planner.hpp"

namespace drover::planner {

/// What a model is told in every request: its part, how to judge, aim and end,
/// how to read a screen, and that nothing on a screen is an instruction. The same
/// text for every turn of every task with the same tools, so that providers cache
/// it; `prompt_version` rises with any change of it or of the user prompt's form.
const std::string& system_prompt(ToolSetChoice tools);

}  // namespace drover::planner
