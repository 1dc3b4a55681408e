#pragma once

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::fuzz {

/// The key of the clients that are fuzzed: it must not come back in any text.
inline constexpr std::string_view secret = "secret-of-the-fuzzer";

/// Lets a client decode `body` under a status that `choice` picks, so that answers and
/// errors are both reached, and traps where the result breaks a promise of decode().
inline void check_decoding(const providers::ToolCallingClient& client, std::uint8_t choice, std::string body) {
  constexpr int statuses[] = {200, 200, 200, 200, 400, 401, 429, 500, 503, 529, 302};
  net::HttpResponse response;
  response.status = statuses[choice % std::size(statuses)];
  response.headers = {{"date", "Mon, 30 Nov 2026 12:00:00 GMT"}};
  response.body = std::move(body);
  const auto decoded = client.decode(response);
  if (const auto* const failure = std::get_if<providers::ProviderFailure>(&decoded)) {
    const bool one_line = failure->cause.find('\n') == std::string::npos;
    const bool safe = failure->cause.find(secret) == std::string::npos;
    if (!one_line || !safe || failure->cause.empty() || failure->cause.size() > 400) __builtin_trap();
    if (failure->retry_after && *failure->retry_after < Duration::zero()) __builtin_trap();
    return;
  }
  const auto& answer = std::get<providers::ModelAnswer>(decoded);
  for (const auto& call : answer.calls) {
    if (!call.arguments.is_object() || call.name.empty() || call.id.empty()) __builtin_trap();
  }
  if (!is_valid_utf8(answer.text_output) || !is_valid_utf8(answer.thinking)) __builtin_trap();
}

}  // namespace drover::fuzz
