#pragma once

#include <cstdint>

namespace drover::actors {

/// What a session waits for.
enum class SessionPhase : std::uint8_t {
  preparing,
  waiting_for_ticket,
  looking,
  waiting_for_answer,
  saving_intent,
  acting,
  checking,  ///< Looking until the assertions hold or their time is over.
  closing,   ///< Waiting for the journal.
  ended,
};

}  // namespace drover::actors
