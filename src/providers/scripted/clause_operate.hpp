#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses that want a thing that is there marked, put away or taken away.

/// "Mark the pan as a favourite", "keep it for later": the thing is to be marked so.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_marking(const ClauseWords& clause, Goal& goal);

/// "Put the football chat away."
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_putting_away(const ClauseWords& clause, Goal& goal);

/// "Remove the mug", "empty the basket", "get rid of the note": anything that is to be taken away.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_removal(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
