#pragma once

#include <optional>
#include <string_view>

#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

/// What people say without naming the thing: "stop all radio communication",
/// "letters as big as they get", "times with a.m. and p.m.". Gives the part that
/// such a clause asks for; nothing for a clause that holds no known idiom.
std::optional<GoalPart> read_idiom(std::string_view clause);

}  // namespace drover::providers::scripted
