#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "core/clock.hpp"

namespace drover::providers {

struct CircuitBreakerOptions {
  std::size_t window = 20;                         ///< Outcomes that are looked at.
  std::size_t least_outcomes = 10;                 ///< Fewer say nothing.
  double failure_share = 0.5;                      ///< Opens at this share of failures.
  Duration window_age = std::chrono::seconds{30};  ///< Older outcomes don't count.
  Duration first_pause = std::chrono::seconds{5};
  Duration longest_pause = std::chrono::seconds{60};
};

/// Stops calling a provider that fails most calls, and tries again with a single
/// probe after a pause that doubles with each failed probe. Failures are overload,
/// server faults, timeouts and broken connections; a refused rate is none.
class CircuitBreaker {
 public:
  explicit CircuitBreaker(CircuitBreakerOptions options = {}) noexcept;

  enum class State : std::uint8_t { closed, open, half_open };

  /// Half open means that the probe is under way: no other call may start.
  [[nodiscard]] State state() const noexcept { return state_; }
  /// While open: when a probe may start.
  [[nodiscard]] TimePoint probe_at() const noexcept { return probe_at_; }
  /// Whether a call may start now.
  [[nodiscard]] bool admits(TimePoint now) const noexcept;

  /// A call starts; while open it is the probe.
  void started() noexcept;
  void succeeded(TimePoint now);
  /// `in_flight`: calls still under way; `wish`: the wait the provider asked for.
  void failed(std::uint32_t in_flight, std::optional<Duration> wish, TimePoint now);
  /// A call was cut off and says nothing.
  void abandoned(TimePoint now) noexcept;

 private:
  void open(std::uint32_t in_flight, std::optional<Duration> wish, TimePoint now);

  CircuitBreakerOptions options_;
  State state_ = State::closed;
  std::deque<std::pair<TimePoint, bool>> outcomes_;  ///< True: failed.
  std::size_t failures_ = 0;
  TimePoint probe_at_{};
  Duration pause_;
  std::uint32_t old_calls_ = 0;  ///< Still under way from before it opened: their failures are no news.
};

}  // namespace drover::providers
