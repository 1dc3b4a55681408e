#pragma once

#include <cstddef>
#include <string_view>

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

/// A part of that kind: what it is about is read from the words between two
/// places up to a "when" or "because", with the place ("in the display settings")
/// set apart. Its text is the whole clause.
GoalPart make_part(const ClauseWords& clause, PartKind kind, std::size_t begin, std::size_t end);

/// Reads the part's object from the words between two places, and "two", "the
/// cheapest" and the like off them. Quantities count for goods only and go from
/// 1 to 50.
void read_object(const ClauseWords& clause, std::size_t begin, std::size_t end, GoalPart& part);

/// Makes these terms of a text the part's object; those that say little go where
/// others are left. The words for a search box are the text's from the first
/// term to the last.
void take_object(std::string_view text, Terms terms, GoalPart& part);

/// 1 to 12 for "two", "2" or "2x", plain numbers up to 999 as they are; 0 for anything else.
int count_of(std::string_view word);

/// Adds the part to the goal. Always true, for a reader's last line.
bool append(Goal& goal, GoalPart part);

}  // namespace drover::providers::scripted
