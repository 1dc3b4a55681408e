#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/json_writer.hpp"
#include "core/records.hpp"
#include "core/scene.hpp"
#include "net/http_message.hpp"
#include "providers/prices.hpp"
#include "providers/tool_calling_client.hpp"
#include "providers/tool_calls.hpp"

/// What Chat Completions and Responses have in common.
namespace drover::providers::openai {

/// Writes a picture as a text that holds a data URL. `json` writes to the end of `body`.
void write_data_url(JsonWriter& json, std::string& body, const Screenshot& picture);

/// Usage whose counts are called `input`, `output` and each with "_details" behind its
/// name: "prompt_tokens" and "completion_tokens", or "input_tokens" and "output_tokens".
Usage read_usage(const Json& usage, const std::string& input, const std::string& output,
                 const std::optional<Price>& price);

/// An answer with its model and request id, and nothing else yet.
ModelAnswer begin_answer(const net::HttpResponse& response, const Json& body);

/// Ends the decoding of an answer whose text, thinking and reason to stop are read: a
/// filter or a refusal makes it a failure. `refusal`: the model's words for it, if any.
DecodedAnswer conclude(ModelAnswer answer, std::vector<RawToolCall> calls, const std::string& refusal,
                       std::string_view secret, int status);

}  // namespace drover::providers::openai
