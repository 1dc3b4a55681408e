#include "providers/rate_limit_headers.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "providers/wire_time.hpp"

namespace drover::providers {
namespace {

/// Counts are whole; "-1" and what is no number give nothing. Draft headers may
/// carry a policy behind a semicolon or a comma ("100, 100;w=60").
std::optional<std::int64_t> parse_count(std::string_view text) {
  text = text.substr(0, text.find_first_of(";,"));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || at == text.data()) return std::nullopt;
  if (at != end && *at != '.') return std::nullopt;
  return number;
}

/// A limit while its fields are being read.
struct Reading {
  LimitState state;
  bool sentinel = false;  ///< Servers that do not count write a limit of 0 or -1.
};

struct Readings {
  Reading requests;
  Reading tokens;
  Reading input_tokens;
  Reading output_tokens;
  Reading window;

  Reading* find(std::string_view name) {
    if (name == "requests") return &requests;
    if (name == "tokens") return &tokens;
    if (name == "input-tokens") return &input_tokens;
    if (name == "output-tokens") return &output_tokens;
    return nullptr;
  }
};

void store(Reading& reading, std::string_view word, std::string_view value, std::optional<UtcTime> now) {
  if (word == "reset") {
    if (const auto left = parse_time_left(value, now)) reading.state.reset = left;
    return;
  }
  if (word != "limit" && word != "remaining") return;
  const auto count = parse_count(value);
  if (!count) return;
  if (*count < 0 || (*count == 0 && word == "limit")) {
    reading.sentinel = true;
    return;
  }
  (word == "limit" ? reading.state.limit : reading.state.remaining) = static_cast<std::uint64_t>(*count);
}

void read_field(Readings& readings, std::string_view name, std::string_view value, std::optional<UtcTime> now) {
  constexpr std::string_view anthropic = "anthropic-ratelimit-";
  constexpr std::string_view draft = "ratelimit-";
  if (name.starts_with(anthropic)) {
    name.remove_prefix(anthropic.size());
    const auto dash = name.rfind('-');
    if (dash == std::string_view::npos) return;
    if (auto* const reading = readings.find(name.substr(0, dash))) store(*reading, name.substr(dash + 1), value, now);
    return;
  }
  if (name.starts_with("x-")) name.remove_prefix(2);
  if (!name.starts_with(draft)) return;
  name.remove_prefix(draft.size());
  const auto dash = name.find('-');
  auto* const reading = dash == std::string_view::npos ? &readings.window : readings.find(name.substr(dash + 1));
  if (reading != nullptr) store(*reading, name.substr(0, dash), value, now);
}

LimitState settled(const Reading& reading) { return reading.sentinel ? LimitState{} : reading.state; }

}  // namespace

RateLimitState parse_rate_limits(const net::Headers& headers, std::optional<UtcTime> now) {
  Readings readings;
  for (const auto& [name, value] : headers) {
    if (name.size() < 15 || name.size() > 64 || value.size() > 64) continue;
    const auto lower = to_lower_ascii(name);
    if (lower.find("ratelimit-") != std::string::npos) read_field(readings, lower, value, now);
  }
  return {settled(readings.requests), settled(readings.tokens), settled(readings.input_tokens),
          settled(readings.output_tokens), settled(readings.window)};
}

std::optional<UtcTime> date_of(const net::Headers& headers) { return parse_http_date(headers.get("date")); }

}  // namespace drover::providers
