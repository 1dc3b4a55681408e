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
  std::size_t sheds_in_row = 40;                           ///< Calls shed without an answer among them open it.
  Duration longest_shed_pause = std::chrono::seconds{15};  ///< A service that sheds is up, and soon back.
};

/// Names one call from its start to its end. Numbers grow; none is used twice.
using CallNumber = std::uint64_t;

/// What the end of a call says of its provider.
enum class CallNews : std::uint8_t {
  answered,  ///< It serves.
  refused,   ///< It refused the rate (429): it is up, which counts from the probe alone.
  shed,      ///< It is overloaded: it may serve the next one, unless it has shed very many in a row.
  failed,    ///< A server fault, a timeout or a broken connection.
  none,      ///< The call was cut off before it could say anything.
};

/// Stops calling a provider that fails most calls or sheds all, and tries again with a single
/// probe after a pause that doubles with each failed probe. It knows the probe by
/// its number: a call from before it opened may still answer and so close it, but
/// its failure is no news, however late it comes.
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
  void started(CallNumber call) noexcept;
  /// A call has ended. Every call that started must come here, or a probe would be
  /// waited for without end. `wish`: how long the provider asked to be left alone.
  void ended(CallNumber call, CallNews news, std::optional<Duration> wish, TimePoint now);

 private:
  void answered(TimePoint now);
  void failed(std::optional<Duration> wish, TimePoint now);
  void probe_failed(Duration longest_pause, std::optional<Duration> wish, TimePoint now);
  void open(std::optional<Duration> wish, TimePoint now);

  CircuitBreakerOptions options_;
  State state_ = State::closed;
  std::deque<std::pair<TimePoint, bool>> outcomes_;  ///< True: failed.
  std::size_t failures_ = 0;
  std::size_t sheds_in_row_ = 0;
  TimePoint probe_at_{};
  Duration pause_;
  CallNumber newest_ = 0;
  CallNumber probe_ = 0;     ///< While half open.
  CallNumber last_old_ = 0;  ///< The newest call from before it last opened.
};

}  // namespace drover::providers
