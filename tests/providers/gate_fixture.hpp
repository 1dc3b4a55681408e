#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <variant>

#include "providers/provider_gate.hpp"

namespace drover::providers::testing {

inline const TimePoint start = TimePoint{} + std::chrono::hours{1};
inline const TokenEstimate small{100, 50};

inline GateOptions fixed(std::uint32_t in_flight = 4) {
  GateOptions options;
  options.limits.max_in_flight = in_flight;
  options.adaptive_in_flight = false;
  options.ramp_up = false;
  return options;
}

inline ProviderFailure failure_of_kind(FailureKind kind, std::optional<Duration> wish = {}) {
  ProviderFailure failure;
  failure.kind = kind;
  failure.cause = "told so";
  failure.retry_after = wish;
  return failure;
}

inline bool is_ready(ProviderGate& gate, TimePoint now, TokenEstimate estimate = small) {
  return std::holds_alternative<Ready>(gate.readiness(estimate, now));
}

inline Disposition end_call(ProviderGate& gate, CallNumber call, const DecodedAnswer& answer, TimePoint now,
                            std::uint32_t tries = 1, TimePoint deadline = TimePoint::max(),
                            const net::Headers& headers = {}) {
  return gate.finished(call, answer, headers, tries, deadline, now);
}

inline Disposition fail_once(ProviderGate& gate, const ProviderFailure& failure, TimePoint now, std::uint32_t tries = 1,
                             TimePoint deadline = TimePoint::max()) {
  return end_call(gate, gate.started(small, now), failure, now, tries, deadline);
}

/// When the call is sent again, in whatever way.
inline TimePoint again_at(const Disposition& disposition) {
  if (const auto* const retry = std::get_if<RetryAt>(&disposition)) return retry->at;
  REQUIRE(std::holds_alternative<LineUpAt>(disposition));
  return std::get<LineUpAt>(disposition).at;
}

}  // namespace drover::providers::testing
