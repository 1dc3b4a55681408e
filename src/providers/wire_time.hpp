#pragma once

#include <optional>
#include <string_view>

#include "core/clock.hpp"

namespace drover::providers {

/// Times as providers write them into headers and bodies. Every reader gives
/// nothing for what is not exactly of its form; durations are never negative and
/// are capped at 31 days.
inline constexpr Duration longest_wire_duration = std::chrono::hours{24 * 31};

/// A decimal number of seconds, such as "20" or "0.5".
std::optional<Duration> parse_seconds(std::string_view text);
/// The same in milliseconds.
std::optional<Duration> parse_milliseconds(std::string_view text);
/// The form of Go: "6m0s", "20ms", "7.66s", "1h2m".
std::optional<Duration> parse_go_duration(std::string_view text);
/// "2026-11-30T14:15:02Z", with a fraction or an offset where there is one.
std::optional<UtcTime> parse_rfc3339(std::string_view text);
/// "Mon, 30 Nov 2026 14:15:02 GMT" (RFC 9110, the form that may be sent).
std::optional<UtcTime> parse_http_date(std::string_view text);

/// What is left until a moment written in any of these forms: a number of seconds,
/// a Unix time in seconds or milliseconds (numbers above 10^9 and 10^12), a Go
/// duration, RFC 3339 or an HTTP date. Moments in the past are zero away; without
/// `now`, moments can't be told.
std::optional<Duration> parse_time_left(std::string_view text, std::optional<UtcTime> now);

}  // namespace drover::providers
