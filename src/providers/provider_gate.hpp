#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/clock.hpp"
#include "core/rate_limits.hpp"
#include "net/http_message.hpp"
#include "providers/circuit_breaker.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers {

struct GateOptions {
  RateLimits limits;              ///< Limits of 0 are learned from headers, where they tell.
  std::uint32_t max_retries = 6;  ///< Of one call, transient failures.
  Duration backoff_base = std::chrono::milliseconds{500};
  Duration backoff_cap = std::chrono::seconds{30};
  double retry_budget = 0.2;        ///< Retries out of turn, per first try.
  bool adaptive_in_flight = true;   ///< False: max_in_flight as it stands.
  bool ramp_up = true;              ///< Slow start at the beginning and after a minute of idleness.
  bool cached_input_counts = true;  ///< Cached input counts to the input limit (Anthropic: no).
};

/// What a call is likely to take from the buckets.
struct TokenEstimate {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
};

/// Whether a call may start now.
struct Ready {};
struct NotBefore {
  TimePoint at;  ///< Worth asking again then.
};
struct SlotsFull {};  ///< Worth asking again when a call has finished.
struct Parked {
  std::string reason;              ///< Out of quota, key refused, or a wait of minutes that the provider asked for.
  std::optional<TimePoint> until;  ///< Worth asking again then; absent: not before a person acts.
};
using Readiness = std::variant<Ready, NotBefore, SlotsFull, Parked>;

/// What to do with a call that ended.
struct Deliver {};  ///< Give the answer or the failure to the caller.
struct RetryAt {
  TimePoint at;
};
/// It was not served and loses nothing by waiting: back to its place in line, from
/// where it is sent here when its turn comes and not before that time, or elsewhere at once.
struct LineUpAt {
  TimePoint at;
};
using Disposition = std::variant<Deliver, RetryAt, LineUpAt>;

/// Everything that decides when one provider (endpoint × key × model) may be
/// called: token buckets for requests, input and output tokens (pre-charged,
/// settled, resynchronised from headers), the adaptive in-flight limit, full-jitter
/// backoff that never undercuts the server's wish, the retry budget, the circuit
/// breaker and parking. Plain class with time passed in; the provider actor is
/// its only caller.
///
/// Calls are paced evenly at 99.5 % of the limit with bursts of at most a quarter of
/// a second, so that a server that counts in short windows refuses none. One
/// refusal (429) among answers delays its own call and slows the pace a little; two
/// in a row hold the whole key back for as long as the server asked.
///
/// A call that was refused (429) or shed (529, 503) is not sent again out of turn: it
/// waits in line until its deadline, and is never failed for being refused too often.
/// What the key sends in all is bounded by the pace after 429 and by the client throttle
/// after both. Other failures that pass are retried within the budget, and wait in line
/// when it is used up.
class ProviderGate {
 public:
  ProviderGate(GateOptions options, std::uint64_t seed, TimePoint now);
  ~ProviderGate();
  ProviderGate(ProviderGate&&) noexcept;
  ProviderGate& operator=(ProviderGate&&) noexcept;

  /// Whether a call of that size may start now; a retry takes the same way. The
  /// time of NotBefore may be early (ask again), never late by more than a moment.
  [[nodiscard]] Readiness readiness(const TokenEstimate& estimate, TimePoint now);
  /// Takes slot and tokens; only after Ready at the same `now`. Each start, also of a
  /// retry, gets a number of its own, and ends in one finished() or abandoned() with
  /// that number; a number that is not under way changes nothing.
  CallNumber started(const TokenEstimate& estimate, TimePoint now);
  /// Frees the slot, settles the tokens, feeds limit and breaker. `tries` counts
  /// this one; `deadline` is the call's: a retry that would start after it is not made.
  /// `utc` resolves moments in headers; without it the answer's Date does.
  Disposition finished(CallNumber call, const DecodedAnswer& answer, const net::Headers& headers, std::uint32_t tries,
                       TimePoint deadline, TimePoint now, std::optional<UtcTime> utc = {});
  /// A call that was cut off: the slot is free, what it took counts as spent.
  void abandoned(CallNumber call, TimePoint now);

  [[nodiscard]] std::uint32_t in_flight() const noexcept;
  [[nodiscard]] std::uint32_t in_flight_limit() const noexcept;
  /// Calls a minute that the buckets and the limit allow at present, for stage tickets; 0: no limit known.
  [[nodiscard]] double calls_per_minute() const noexcept;
  [[nodiscard]] bool breaker_open(TimePoint now) const noexcept;
  /// Whether refusals keep it from being called as often as it could be: another provider
  /// need not wait for this one.
  [[nodiscard]] bool hindered(TimePoint now);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drover::providers
