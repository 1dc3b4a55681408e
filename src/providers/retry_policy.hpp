#pragma once

#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "core/random.hpp"

namespace drover::providers {

/// How long to wait before a call is sent again: full jitter, a random time below
/// base × 2^(tries − 1) and the cap, on top of what the provider asked for, so that
/// callers told the same wait do not come back together.
class Backoff {
 public:
  Backoff(Duration base, Duration cap, std::uint64_t seed) noexcept;

  /// `tries`: how often the call was sent so far, from 1. Never below `wish`.
  [[nodiscard]] Duration next(std::uint32_t tries, std::optional<Duration> wish) noexcept;

 private:
  Duration base_;
  Duration cap_;
  Random random_;
};

/// How many retries there may be: a share of first tries, with a small reserve so that
/// a few callers can retry at all. Keeps retries from multiplying the load on a
/// provider that is down (Finagle's RetryBudget, but without its allowance a second).
class RetryBudget {
 public:
  /// `share` of a retry for each first try, up to five times the reserve; `reserve` is
  /// there at the beginning and comes back within ten minutes.
  RetryBudget(double share, double reserve, TimePoint now) noexcept;

  void first_try(TimePoint now) noexcept;
  /// Takes one retry; false when there is none left.
  bool withdraw(TimePoint now) noexcept;

 private:
  void settle(TimePoint now) noexcept;

  double share_;
  double reserve_;
  double balance_;
  TimePoint at_;
};

}  // namespace drover::providers
