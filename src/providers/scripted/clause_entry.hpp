#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses that want a new entry: a note, a message, an alarm, a contact.

/// "Write a note saying …", "wake me at 6:45", "send Anna a message". Recipient,
/// title, hour and minute become texts for fields.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_create(const ClauseWords& clause, Goal& goal);

/// "Tell Nora that Friday is fine", "Ask Jonas: which one?": a message to that person.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_saying(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
