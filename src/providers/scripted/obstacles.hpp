#pragma once

#include <optional>

#include "providers/scripted/situation.hpp"

namespace drover::providers::scripted {

/// What to do about something that stands in the way and is no part of the goal:
/// permission prompts, offers, ratings, crash messages. Nothing when the screen is
/// free, or when what stands in front is what the goal needs.
std::optional<Move> clear_the_way(const Situation& now);

/// The button that says yes to a question which the last step raised; nothing
/// when no such question is on the screen.
std::optional<Move> confirm_own_act(const Situation& now);

/// The meanings that a button may have when it confirms what the part wants.
Terms confirming_words(const GoalPart& part);

/// Whether the dialog only tells what came of the last act: it is the app's own,
/// asks nothing and can but be closed.
bool is_answer_to_own_act(const Situation& now);

}  // namespace drover::providers::scripted
