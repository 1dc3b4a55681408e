#pragma once

#include <vector>

#include "providers/scripted/goal.hpp"
#include "providers/scripted/goal_tokens.hpp"

namespace drover::providers::scripted {

/// Finds the texts that a goal gives for fields, and marks their words as used:
/// `password Tea4two`, `user name is "mia"`, `sign in as mia with Tea4two`,
/// `mia@example.com`, `the address "1 Main Street"`.
std::vector<FieldText> take_field_texts(std::vector<GoalToken>& tokens);

}  // namespace drover::providers::scripted
