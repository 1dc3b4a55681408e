#pragma once

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Holds a request in the OpenAI Chat Completions format to what the service
/// enforces (required fields, roles, parts, tools, tool choice, what reasoning
/// models refuse, pictures), by the capability row of its model. The call points
/// into `body`, which must outlive it.
CheckedCall check_chat_request(const net::HttpRequest& request, const Json& body);

/// The refusals that come before the body is looked at: key, content type, size.
std::optional<Refusal> check_chat_headers(const net::HttpRequest& request);

}  // namespace drover::providers::scripted
