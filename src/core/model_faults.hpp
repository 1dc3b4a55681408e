#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace drover {

/// How a service fails a request before it has answered it.
enum class TransportFault : std::uint8_t {
  none,
  rate_limited,  ///< 429.
  overloaded,    ///< 529; in OpenAI's formats 503.
  unavailable,   ///< 503.
  server_error,  ///< 500.
  html_520,      ///< 520 with a page in HTML, as a proxy at the edge sends.
  dropped,       ///< The connection is closed without an answer.
  timed_out,     ///< Never answers.
};

/// "rate_limited", "overloaded", "unavailable", "server_error", "html_520", "dropped",
/// "timed_out"; empty for none.
std::string_view name_of(TransportFault fault) noexcept;

/// A time in which requests fail.
struct ModelStorm {
  Duration at{};      ///< Its begin, from the start of the server, before the time scale.
  Duration length{};  ///< Before the time scale.
  TransportFault answer = TransportFault::overloaded;
  double share = 1;                       ///< Of the requests that come in its time, 0 to 1.
  std::optional<Duration> retry_after{};  ///< Before the time scale; absent: the header is not sent.
  bool operator==(const ModelStorm&) const = default;
};

/// What a storm can answer, as files and counts say it: "429", "529", "503", "500",
/// "520", "dropped", "timeout"; empty for none.
std::string_view storm_answer(TransportFault fault) noexcept;
/// Those words, in that order.
std::vector<std::string> storm_answers();
std::optional<TransportFault> storm_answer_from(std::string_view word) noexcept;

/// How fast a service lets its requests become more.
struct RampLimitSettings {
  double growth_percent = 50;  ///< A minute may serve so many more requests than the one before it.
  std::uint32_t floor = 0;     ///< So many requests a minute are served in any case.
  bool operator==(const RampLimitSettings&) const = default;
};

/// When a key has used up what was paid for.
struct ModelQuotaSettings {
  std::uint64_t after = 0;  ///< So many requests are served, and none after them.
  std::string key;          ///< Whose requests; empty: those of all keys together.
  bool operator==(const ModelQuotaSettings&) const = default;
};

/// Faults of the built-in model server that only a file of faults describes. Shares
/// are of requests, 0 to 1; those of ModelServerSettings add to them.
struct ModelFaultSettings {
  double html_520_share = 0;           ///< 520 with a page in HTML.
  double error_in_200_share = 0;       ///< Status 200 with an error in the body.
  double cut_body_share = 0;           ///< The connection is closed in the middle of the body.
  double slow_body_share = 0;          ///< The body comes in pieces with pauses between them.
  double closed_keep_alive_share = 0;  ///< The connection is closed behind an answer that did not say so.
  Duration slow_body_time = std::chrono::seconds{5};  ///< From first piece to last, before the time scale.
  std::uint64_t input_tokens_per_minute = 0;          ///< 0: no limit.
  std::uint64_t output_tokens_per_minute = 0;         ///< 0: no limit.
  std::optional<RampLimitSettings> ramp_limit{};
  std::vector<ModelStorm> storms;  ///< Where two overlap, the first one that takes a request has it.
  std::optional<ModelQuotaSettings> quota{};
  bool operator==(const ModelFaultSettings&) const = default;
};

}  // namespace drover
