#pragma once

#include <optional>
#include <vector>

#include "core/json.hpp"
#include "providers/scripted/input_measure.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Holds the input of a request in the Responses format to what the service enforces: a
/// text, or items with roles and parts, an output for each function call and none without
/// its call, and kind and bytes of pictures. Adds what was said to `turns`, messages of the
/// system and the developer left out, and counts it in `measure`. Gives the first refusal.
std::optional<Refusal> check_responses_input(const Json& input, std::vector<ConversationTurn>& turns,
                                             InputMeasure& measure);

}  // namespace drover::providers::scripted
