#pragma once

#include <string>
#include <string_view>

#include "actors/session_phase.hpp"
#include "core/cancellation.hpp"
#include "core/error.hpp"
#include "core/outcome.hpp"

namespace drover::actors {

/// What an attempt ends in that was cancelled for this reason.
Outcome outcome_of(CancelReason reason);

/// What an attempt ends in that met this error.
Outcome outcome_of(const Error& error);

/// The reason that the attempt's record gives, for one cancelled in this phase.
std::string sentence_of(CancelReason reason, SessionPhase phase);

/// "Type: cause" of an error that ended an attempt while the phone was looked at or
/// prepared: the type is `DeviceLost` where the phone is gone, else `type`.
std::string typed_reason(const Error& error, std::string_view type);

/// Ends that an act whose effect was never seen turns into in doubt: after them
/// nobody has looked whether it happened.
bool leaves_open(Outcome outcome);

}  // namespace drover::actors
