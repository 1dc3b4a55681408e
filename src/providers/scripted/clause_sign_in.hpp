#pragma once

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

/// "Sign in as mia", "log out". A clause that says that it fails or is refused
/// asks to see just that.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_signing(const ClauseWords& clause, Goal& goal);

/// "… and see it refused", "which should fail", "check that the shop denies access":
/// what the sign-in before is to come to. Says nothing else, adds no part.
/// True when the clause was of this kind.
bool read_sign_in_refusal(const ClauseWords& clause, Goal& goal);

}  // namespace drover::providers::scripted
