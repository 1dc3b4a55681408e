#pragma once

#include <optional>

#include "providers/scripted/seeking.hpp"

namespace drover::providers::scripted {

/// The step to the app that a quest leads to: its icon or the list of all apps
/// where the goal names it, else the app that its topic is usually found in.
/// Nothing when the right app is in front, or when no app can be told.
/// `way_here` tells whether something on this screen leads to the thing.
std::optional<Move> choose_app(const Situation& now, const Quest& quest, bool way_here);

/// Launches the usual app where that has not been tried and another one is in front.
std::optional<Move> launch_usual_app(const Situation& now, const Quest& quest);

/// Whether the app in front is the one that the task or this part of it means; where
/// none is meant for sure, any but the launcher.
bool in_right_app(const Situation& now, const Quest& quest);

/// The launcher's list of all apps, as long as it was not opened in this part.
std::optional<Move> open_all_apps(const Situation& now, const Quest& quest);

}  // namespace drover::providers::scripted
