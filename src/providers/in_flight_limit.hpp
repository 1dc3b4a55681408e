#pragma once

#include <cstdint>

#include "core/clock.hpp"

namespace drover::providers {

/// How many calls may be under way at once: additive increase, multiplicative
/// decrease, with a slow start that doubles until the first sign of congestion.
/// It grows only while it is made use of: by one a round, after twenty answers without
/// congestion by two, after forty by three, so that it is soon back after a bad hour.
/// One bad answer among good ones costs a tenth; the second within twenty costs three
/// tenths.
class InFlightLimit {
 public:
  /// Never above `most`. Not adaptive: always `most`. Without slow start it begins there.
  InFlightLimit(std::uint32_t most, bool adaptive, bool slow_start) noexcept;

  [[nodiscard]] std::uint32_t value() const noexcept;

  /// An answer came; `in_flight`: calls under way when it did, itself included.
  void succeeded(std::uint32_t in_flight) noexcept;
  /// The provider was overloaded or slow. Counts once per `window`, since the calls
  /// that were under way then bring the same news.
  void congested(TimePoint now, Duration window) noexcept;
  /// The provider refused the rate: most often too many calls came, and not too many at
  /// once. Costs a tenth, once per `window`.
  void refused(TimePoint now, Duration window) noexcept;
  /// Begins slowly again after idleness.
  void restart() noexcept;

 private:
  void cut(double factor, TimePoint now, Duration window) noexcept;

  static constexpr double first_ = 4;

  double most_;
  bool adaptive_;
  bool slow_start_;
  bool growing_fast_;
  double limit_;
  std::uint32_t successes_since_cut_;
  TimePoint last_decrease_{};
  bool decreased_before_ = false;
};

}  // namespace drover::providers
