#pragma once

#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/model_faults.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"
#include "providers/scripted/replies.hpp"

namespace drover::providers::scripted {

// How the services say that they can't serve a request now, or no longer.

Refusal refusal_of(int status, std::string type, std::string message, std::string code = {});

/// 429 of a limit. `counted`: "requests" or "tokens", as OpenAI names its type;
/// `wait`: what its message promises, zero where it promises nothing.
Refusal rate_limited(WireFormat format, Duration wait, std::string_view counted = "requests");

/// 429 of requests that have become more too quickly: ramp_limit_exceeded; OpenAI: slow_down.
Refusal ramp_limited(WireFormat format);

/// 429 that no waiting helps: enforced_spend_limit_reached; OpenAI: insufficient_quota.
Refusal quota_used_up(WireFormat format);

/// The refusal of a fault that has a status and a JSON body: rate_limited, overloaded,
/// unavailable or server_error. `wait` as for rate_limited().
Refusal failure_of(TransportFault fault, WireFormat format, Duration wait);

/// 520 with a page in HTML, as a proxy before the service sends: no format, no request id.
net::HttpResponse render_html_520(const ReplyStamp& stamp);

/// Status 200 with an error in place of the answer: in Chat Completions as OpenRouter
/// words it, with a number as its code; in Responses `status: failed` and server_error; in
/// Messages the body of an error. Where a stream was asked for, as its events.
net::HttpResponse render_error_in_200(const ModelCall& call, const ReplyStamp& stamp);

/// Says how long to wait, in retry-after (seconds) and retry-after-ms.
void write_retry_after(Duration time, net::HttpResponse& response);

}  // namespace drover::providers::scripted
