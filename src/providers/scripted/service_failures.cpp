#include "providers/scripted/service_failures.hpp"

#include <chrono>
#include <utility>

#include "providers/scripted/request_limit.hpp"
#include "providers/scripted/responses_reply.hpp"

namespace drover::providers::scripted {

namespace {

net::HttpResponse ok_with(std::string body, const ModelCall& call, const ReplyStamp& stamp) {
  net::HttpResponse response;
  response.headers.set("content-type", call.stream ? "text/event-stream; charset=utf-8" : "application/json");
  response.headers.set(call.format == WireFormat::anthropic ? "request-id" : "x-request-id", "req_" + stamp.id);
  response.body = std::move(body);
  return response;
}

}  // namespace

Refusal refusal_of(int status, std::string type, std::string message, std::string code) {
  Refusal refusal;
  refusal.status = status;
  refusal.type = std::move(type);
  refusal.message = std::move(message);
  refusal.code = std::move(code);
  return refusal;
}

Refusal rate_limited(WireFormat format, Duration wait, std::string_view counted) {
  const std::string what{counted};
  if (format == WireFormat::anthropic) {
    return refusal_of(429, "rate_limit_error", "The number of " + what + " has exceeded the rate limit of this key.");
  }
  const auto when = wait > Duration::zero() ? "in " + write_seconds(wait) + "s." : std::string{"later."};
  return refusal_of(429, what, "Rate limit reached for " + what + ". Please try again " + when, "rate_limit_exceeded");
}

Refusal ramp_limited(WireFormat format) {
  if (format == WireFormat::anthropic) {
    return refusal_of(429, "rate_limit_error", "The number of requests of this key has grown too quickly.",
                      "ramp_limit_exceeded");
  }
  return refusal_of(429, "requests", "Requests have become more too quickly. Please slow down.", "slow_down");
}

Refusal quota_used_up(WireFormat format) {
  if (format == WireFormat::anthropic) {
    return refusal_of(429, "rate_limit_error", "This key has reached its spend limit.", "enforced_spend_limit_reached");
  }
  return refusal_of(429, "insufficient_quota",
                    "You exceeded your current quota, please check your plan and billing details.",
                    "insufficient_quota");
}

Refusal failure_of(TransportFault fault, WireFormat format, Duration wait) {
  const bool anthropic = format == WireFormat::anthropic;
  switch (fault) {
    case TransportFault::rate_limited:
      return rate_limited(format, wait);
    case TransportFault::overloaded:
      if (anthropic) return refusal_of(529, "overloaded_error", "Overloaded");
      return refusal_of(503, "service_unavailable_error", "The server is overloaded. Please try again later.",
                        "server_is_overloaded");
    case TransportFault::unavailable:
      if (anthropic) return refusal_of(503, "api_error", "Service unavailable");
      return refusal_of(503, "service_unavailable_error", "The service is unavailable. Please try again later.");
    default:
      if (anthropic) return refusal_of(500, "api_error", "Internal server error");
      return refusal_of(500, "server_error", "The server had an error while processing your request.");
  }
}

net::HttpResponse render_html_520(const ReplyStamp& stamp) {
  const auto ray = stamp.id.substr(0, 16);
  net::HttpResponse response;
  response.status = 520;
  response.headers.set("content-type", "text/html; charset=UTF-8");
  response.headers.set("cache-control", "private, no-store");
  response.headers.set("server", "edge");
  response.body =
      "<!DOCTYPE html>\n<html lang=\"en-US\">\n<head>\n"
      "<title>520: Web server is returning an unknown error</title>\n"
      "<meta charset=\"UTF-8\">\n</head>\n<body>\n"
      "<h1>Web server is returning an unknown error <span>Error code 520</span></h1>\n"
      "<p>There is an unknown connection issue between the edge and the origin web server. As a result, the web page "
      "can not be displayed.</p>\n"
      "<p>Ray ID: <strong>" +
      ray + "</strong></p>\n</body>\n</html>\n";
  return response;
}

net::HttpResponse render_error_in_200(const ModelCall& call, const ReplyStamp& stamp) {
  if (call.format == WireFormat::openai_responses) {
    return ok_with(call.stream ? failed_response_events(call, stamp) : failed_response_body(call, stamp), call, stamp);
  }
  if (call.format == WireFormat::anthropic) {
    auto body = render_refusal(call.format, failure_of(TransportFault::overloaded, call.format, {}), stamp).body;
    return ok_with(call.stream ? "event: error\ndata: " + body + "\n\n" : std::move(body), call, stamp);
  }
  auto body = dump_json({{"error",
                          {{"message", "Provider returned error"},
                           {"code", 502},
                           {"metadata", {{"raw", "upstream connection failed"}, {"provider_name", "drover-rules"}}}}}});
  return ok_with(call.stream ? "data: " + body + "\n\ndata: [DONE]\n\n" : std::move(body), call, stamp);
}

void write_retry_after(Duration time, net::HttpResponse& response) {
  response.headers.set("retry-after", write_seconds(time));
  response.headers.set("retry-after-ms", std::to_string(std::chrono::ceil<std::chrono::milliseconds>(time).count()));
}

}  // namespace drover::providers::scripted
