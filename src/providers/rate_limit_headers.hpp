#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "net/http_message.hpp"

namespace drover::providers {

/// What a provider's headers say of one limit; absent where they say nothing or
/// hold a sentinel (-1, or a limit of 0).
struct LimitState {
  std::optional<std::uint64_t> limit;  ///< Per window, in requests or tokens.
  std::optional<std::uint64_t> remaining;
  std::optional<Duration> reset;  ///< Until the limit is whole again.

  /// Nothing is left at present.
  [[nodiscard]] bool exhausted() const noexcept { return remaining && *remaining == 0; }
};

/// The limits of one answer, by what they count.
struct RateLimitState {
  LimitState requests;
  LimitState tokens;  ///< Input and output together.
  LimitState input_tokens;
  LimitState output_tokens;
  LimitState window;  ///< Requests of a window whose length is not told (ratelimit-* without a dimension).
};

/// Reads anthropic-ratelimit-{requests,tokens,input-tokens,output-tokens}-*,
/// x-ratelimit-*-{requests,tokens}, x-ratelimit-* and ratelimit-* (IETF draft).
/// Resets stand there as seconds, Go durations, RFC 3339, HTTP dates or Unix
/// times; moments need `now`.
RateLimitState parse_rate_limits(const net::Headers& headers, std::optional<UtcTime> now);

/// The answer's own Date, which makes moments in its headers independent of this
/// host's clock.
std::optional<UtcTime> date_of(const net::Headers& headers);

}  // namespace drover::providers
