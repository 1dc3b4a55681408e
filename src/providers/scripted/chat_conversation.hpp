#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "providers/scripted/input_measure.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Holds the messages of a request in the OpenAI format to what the service
/// enforces: roles, parts, a tool message for each call right behind it, and kind
/// and bytes of pictures. Adds what was said to `turns`, messages of the system
/// and the developer left out, and counts it in `measure`. Gives the first
/// refusal; nothing when all is well.
std::optional<Refusal> check_chat_conversation(const Json& messages, std::vector<ConversationTurn>& turns,
                                               InputMeasure& measure);

/// What is wrong with a picture's URL, which stands at `place`: a data URL of a kind and
/// size that OpenAI takes, or one of the web, which is not fetched. Counts it in `measure`.
std::optional<Refusal> check_image_url(const std::string& url, const std::string& detail, const std::string& place,
                                       InputMeasure& measure);

}  // namespace drover::providers::scripted
