#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/clock.hpp"

namespace drover {

/// Time that stands still until it is told to move. The whole program runs on it
/// in tests and in benchmarks of days that must pass in seconds: callbacks run
/// inside advance(), in the order of their due time and then of their setting.
class SimulatedTime final : public Timers {
 public:
  /// Starts at `start`, the UTC reading; the monotonic reading starts at one hour
  /// so that a subtraction can't underflow.
  explicit SimulatedTime(UtcTime start = UtcTime{std::chrono::hours{24 * 365 * 56}});

  [[nodiscard]] TimePoint now() const override;
  [[nodiscard]] UtcTime utc_now() const override;
  TimerId after(Duration delay, std::function<void()> callback) override;
  bool cancel(TimerId timer) override;

  /// Moves on by `step` and runs what falls due on the way, each at its own time.
  void advance(Duration step);
  /// Moves on to the next timer, runs it and every other due at that same instant;
  /// false when none is pending.
  bool advance_to_next();
  /// When the next timer is due; nothing when none is pending.
  [[nodiscard]] std::optional<TimePoint> next_due() const;
  [[nodiscard]] std::size_t pending() const;

 private:
  bool run_one_due(TimePoint limit);

  mutable std::mutex mutex_;
  TimePoint now_;
  UtcTime utc_;
  std::map<std::pair<TimePoint, TimerId>, std::function<void()>> queue_;
  std::unordered_map<TimerId, TimePoint> due_;
  TimerId last_id_ = 0;
};

}  // namespace drover
