#pragma once

#include <optional>
#include <string_view>

#include "core/clock.hpp"
#include "core/json.hpp"
#include "net/http_message.hpp"

namespace drover::providers {

/// The wait that a provider asked for, wherever it stood. In this order: the
/// headers retry-after-ms and retry-after (seconds or an HTTP date against the
/// answer's own Date), a field of the error body (retry_after, retry_after_ms,
/// retryDelay), the message ("try again in 20s"), and last the reset of a limit
/// that is used up.
std::optional<Duration> retry_wish(const net::Headers& headers, const Json& body, std::string_view message);

/// The wait that an error message states in words; nothing when it states none.
std::optional<Duration> wait_in_message(std::string_view message);

}  // namespace drover::providers
