#pragma once

#include <cstddef>

#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal.hpp"

namespace drover::providers::scripted {

// Clauses that want something on or off.

/// "Turn on Wi-Fi and Bluetooth", "the vibration should be off", "put the phone
/// into flight mode", "the phone should not vibrate"; also "use the network Home".
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_switch(const ClauseWords& clause, Goal& goal);

/// "Save power by turning the battery saver on": the means is what is to be done.
/// True when the clause was of this kind; its parts are then added to the goal.
bool read_means(const ClauseWords& clause, Goal& goal);

/// One part for each thing between two places that is to be on or off ("A, B and
/// C"); "them" and "both" are all things that parts before switch. False where none is named.
bool append_switches(const ClauseWords& clause, bool on, std::size_t begin, std::size_t end, Goal& goal);

}  // namespace drover::providers::scripted
