#pragma once

#include <cstddef>

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses about goods and the basket.

/// "Buy a mug and two kettles", "add the cheapest lamp to the basket", "get me a
/// mug". Of goods that a clause before asked for, "put it into the basket" says
/// that they are to go no further; "add it to my calendar" is about something else.
/// A bare wish ("I need a mug") is for goods where the goal names the shop or its
/// basket. A clause that says not is none of these.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_goods(const ClauseWords& clause, Goal& goal);

/// "Two mugs should be in the basket", "I'd like a mug in my basket", "the basket
/// should hold a mug"; "check that the basket holds a mug" only looks for it.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_basket_state(const ClauseWords& clause, Goal& goal);

/// One part for each kind of goods between two places: "a mug and two kettles", "a mug, a kettle".
void read_wanted_goods(const ClauseWords& clause, std::size_t begin, std::size_t end, Goal& goal);

/// "Check out", "order what is in the basket", "pay".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_check_out(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
