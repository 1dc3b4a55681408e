#pragma once

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Holds a request in the Anthropic Messages format to what the service enforces
/// (headers, required fields, roles, blocks, tools, tool choice, thinking,
/// sampling, pictures), by the capability row of its model. The call points into
/// `body`, which must outlive it. `counting` is for count_tokens, which needs no
/// max_tokens.
CheckedCall check_messages_request(const net::HttpRequest& request, const Json& body, bool counting);

/// The refusals that come before the body is looked at: key, version, content
/// type, size. Nothing when all is well.
std::optional<Refusal> check_messages_headers(const net::HttpRequest& request);

}  // namespace drover::providers::scripted
