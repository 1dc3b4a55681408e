#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses that want something shown, looked up or told.

/// "What is the battery level?", "find out how many notes there are".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_question(const ClauseWords& clause, Goal& goal);

/// "Search the shop for kayaks", "look up Anna", "find the red kettle".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_search(const ClauseWords& clause, Goal& goal);

/// "Open the display settings", "go to the basket".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_reaching(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
