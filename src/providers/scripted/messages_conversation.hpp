#pragma once

#include <optional>
#include <vector>

#include "core/json.hpp"
#include "providers/scripted/input_measure.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// What version and model of a request decide about its messages.
struct ConversationRules {
  bool newest_version = false;  ///< System messages are taken, citations of users are not.
  bool prefill = false;         ///< The last message may be the assistant's.
};

/// Holds the messages of a request in the Anthropic format to what the service
/// enforces: roles, blocks, a result for each call in the message behind it, and
/// format, bytes and pixels of pictures. Adds what was said to `turns`, system
/// messages left out, and counts it in `measure`. Gives the first refusal;
/// nothing when all is well.
std::optional<Refusal> check_conversation(const Json& messages, const ConversationRules& rules,
                                          std::vector<ConversationTurn>& turns, InputMeasure& measure);

}  // namespace drover::providers::scripted
