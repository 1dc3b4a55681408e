#pragma once

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// Holds a request in the OpenAI Responses format to what the service enforces
/// (required fields, input items, flat tools, tool choice, what the model takes of
/// reasoning, pictures), by the capability row of its model. Nothing is stored here,
/// so that a request that refers to an earlier response is refused as one that is not
/// there. The call points into `body`, which must outlive it.
CheckedCall check_responses_request(const net::HttpRequest& request, const Json& body);

}  // namespace drover::providers::scripted
