#pragma once

#include <cstdint>
#include <string>

#include "core/clock.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// What every answer carries apart from its content.
struct ReplyStamp {
  std::string id;  ///< Unique among the server's answers; the prefixes of the formats come before it.
  UtcTime at{};
};

/// A reply as the format states it: one JSON body, or the same as server-sent
/// events where a stream was asked for.
net::HttpResponse render_reply(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp);

/// A refusal with the format's own error body and request id header.
net::HttpResponse render_refusal(WireFormat format, const Refusal& refusal, const ReplyStamp& stamp);

/// The answer to count_tokens.
net::HttpResponse render_token_count(std::uint64_t tokens, const ReplyStamp& stamp);

/// The list of models, or one of them, in the format asked for.
net::HttpResponse render_models(WireFormat format, const std::string& only, const ReplyStamp& stamp);

}  // namespace drover::providers::scripted
