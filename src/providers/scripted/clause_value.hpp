#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses that want a value chosen or changed, or a text to stand in a field.

/// "Change the language to German", "choose green as the colour", "make the text
/// bigger". The value is "+" or "-" where only the direction is said.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_value(const ClauseWords& clause, Goal& goal);

/// "Call this phone Bench 4."
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_naming(const ClauseWords& clause, Goal& goal);

/// "Type \"hello\" into the search field".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_typing(const ClauseWords& clause, Goal& goal);

/// "Use the code SPRING10": the text is among the goal's texts already, the act is
/// left. A code without a name becomes a voucher's there, too.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_given_text(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
