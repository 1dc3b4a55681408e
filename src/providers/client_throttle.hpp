#pragma once

#include <cstddef>
#include <optional>

#include "core/clock.hpp"

namespace drover::providers {

/// Keeps what is sent to a service in proportion to what it takes: at most twice as many
/// calls as it answered lately, and a few more, by which it is tried. Client-side
/// throttling of Site Reliability Engineering (Beyer et al. 2016, chapter 21), where a
/// client turns calls away with probability max(0, (requests − K · accepts) / (requests
/// + 1)), K = 2. Here nothing is turned away: the next call waits until the formula
/// gives 0, so that the bound holds for each call and not on average. Both counts fade
/// with a time constant of a quarter of a minute instead of ending with a window.
class ClientThrottle {
 public:
  explicit ClientThrottle(TimePoint now) noexcept : at_(now) {}

  /// A call has ended: with an answer, or refused.
  void ended(bool answered, TimePoint now) noexcept;

  /// When the next call may start while `in_flight` are under way; nothing: now. May be
  /// early, since the ends of calls change it.
  [[nodiscard]] std::optional<TimePoint> not_before(std::size_t in_flight, TimePoint now) const noexcept;

 private:
  [[nodiscard]] double fading(TimePoint now) const noexcept;

  double requests_ = 0;
  double accepts_ = 0;
  TimePoint at_;
};

}  // namespace drover::providers
