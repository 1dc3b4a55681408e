#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

/// A sentence that commands nothing: "two jackets should be in the basket", "the
/// alarm should ring", "the speaker was given away". A mere fact adds no part and
/// becomes the goal's context, for an "it" later on.
/// True when the clause was of this kind.
bool read_statement(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
