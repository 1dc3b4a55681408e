#pragma once

#include "core/clock.hpp"

namespace drover::providers {

/// A bucket that fills evenly and is taken from in advance: it may go into debt,
/// so that one large call is possible at any rate, and what was taken too much
/// can be given back. Time is passed in and never runs backwards.
class TokenBucket {
 public:
  /// `per_minute` refills; `capacity` is the most that waiting can gather.
  TokenBucket(double per_minute, double capacity, double level, TimePoint now) noexcept;

  /// Changes rate and capacity from now on; what was gathered stays, up to the capacity.
  void set_rate(double per_minute, double capacity, TimePoint now) noexcept;

  [[nodiscard]] double per_minute() const noexcept { return per_second_ * 60; }
  [[nodiscard]] double level(TimePoint now) const noexcept;

  /// How long until `amount` may be taken: until the level reaches it, or the
  /// capacity where it is more than that. Zero when it may be taken now.
  [[nodiscard]] Duration wait_for(double amount, TimePoint now) const noexcept;

  void take(double amount, TimePoint now) noexcept;
  /// Returns what was taken too much; up to a minute's worth may gather so.
  void give_back(double amount, TimePoint now) noexcept;
  /// Lowers the level to what the server says is left.
  void lower_to(double level, TimePoint now) noexcept;

 private:
  void settle(TimePoint now) noexcept;

  double per_second_;
  double capacity_;
  double level_;
  TimePoint at_;
};

}  // namespace drover::providers
