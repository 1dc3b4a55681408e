#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "providers/scripted/goal.hpp"
#include "providers/scripted/goal_tokens.hpp"

namespace drover::providers::scripted {

/// A run of tokens that asks for one thing.
struct Clause {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Cuts a goal at sentence ends, at "then", and at "and" or a comma before a verb.
std::vector<Clause> split_clauses(const std::vector<GoalToken>& tokens);

/// Adds what a clause asks for; one clause can give several parts ("turn on A and
/// B", "buy a mug"), a mere statement of fact none. Never fails: a clause that no
/// kind fits becomes a part of kind `operate`, or `find` after "make sure"; one
/// without a word that says something adds nothing.
void append_parts(std::string_view text, const std::vector<GoalToken>& tokens, const Clause& clause, Goal& goal);

}  // namespace drover::providers::scripted
