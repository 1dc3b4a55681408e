#pragma once

#include <string>

#include "providers/scripted/replies.hpp"

namespace drover::providers::scripted {

/// A reply in the Responses format, as one JSON body.
std::string responses_body(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp);

/// The same as server-sent events: created, each item with its parts, completed or incomplete.
std::string responses_events(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp);

/// A response of status "failed" with error.code "server_error", which comes with HTTP 200.
std::string failed_response_body(const ModelCall& call, const ReplyStamp& stamp);
/// The same as events: created, in progress, failed.
std::string failed_response_events(const ModelCall& call, const ReplyStamp& stamp);

}  // namespace drover::providers::scripted
