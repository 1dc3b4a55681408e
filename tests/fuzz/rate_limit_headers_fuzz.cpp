#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "fuzz_input.hpp"
#include "providers/rate_limit_headers.hpp"
#include "providers/retry_after.hpp"
#include "providers/wire_time.hpp"

using namespace drover;
using namespace drover::providers;

namespace {

constexpr UtcTime now{std::chrono::seconds{1'800'000'000}};

void check(std::optional<Duration> wait) {
  if (wait && (*wait < Duration::zero() || *wait > longest_wire_duration)) __builtin_trap();
}

/// A limit of 0 or below means that the server counts nothing.
void check(const LimitState& limit) {
  if (limit.limit && *limit.limit == 0) __builtin_trap();
  for (const auto& count : {limit.limit, limit.remaining}) {
    if (count && *count > std::uint64_t{INT64_MAX}) __builtin_trap();
  }
  check(limit.reset);
}

bool same(const LimitState& one, const LimitState& other) {
  return one.limit == other.limit && one.remaining == other.remaining && one.reset == other.reset;
}

void check_limits(const net::Headers& headers, std::optional<UtcTime> at) {
  net::Headers shouted;
  for (const auto& [name, value] : headers) {
    std::string upper(name);
    for (char& letter : upper) letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
    shouted.add(upper, value);
  }
  const auto state = parse_rate_limits(headers, at);
  const auto again = parse_rate_limits(shouted, at);
  for (const auto part : {&RateLimitState::requests, &RateLimitState::tokens, &RateLimitState::input_tokens,
                          &RateLimitState::output_tokens, &RateLimitState::window}) {
    check(state.*part);
    if (!same(state.*part, again.*part)) __builtin_trap();
  }
}

void check_times(std::string_view text) {
  check(parse_seconds(text));
  check(parse_milliseconds(text));
  check(parse_go_duration(text));
  check(parse_time_left(text, now));
  check(parse_time_left(text, std::nullopt));
  parse_http_date(text);
  const auto moment = parse_rfc3339(text);
  const auto other = from_iso8601(text);
  if (moment && other && *moment != *other) __builtin_trap();
}

}  // namespace

/// The head of an answer up to an empty line, then its body, as JSON or as a message in words.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto head = text.substr(0, text.find("\n\n"));
  const auto rest = text.substr(std::min(text.size(), head.size() + 2));
  const auto headers = fuzz::headers_in(head);
  check_limits(headers, now);
  check_limits(headers, std::nullopt);
  for (const auto& [name, value] : headers) check_times(value);
  const Json body = Json::parse(rest, nullptr, false);
  const Json& usable = body.is_discarded() ? Json() : body;
  check(retry_wish(headers, usable, rest));
  check(retry_wish({}, usable, {}));
  check(wait_in_message(rest));
  return 0;
}
