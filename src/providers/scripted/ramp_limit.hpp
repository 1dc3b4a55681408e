#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "core/clock.hpp"
#include "core/model_faults.hpp"

namespace drover::providers::scripted {

/// Holds how fast requests become more: of the minutes since the start, each serves at
/// most so many per cent more than the one before it, and its floor in any case.
/// Thread-safe.
class RampLimit {
 public:
  /// Without settings there is no limit.
  RampLimit(std::optional<RampLimitSettings> settings, TimePoint start) : settings_(settings), minute_begin_(start) {}

  /// Counts a request where it is admitted. Else: how long until the next minute.
  std::optional<Duration> refusal(TimePoint now);

 private:
  std::optional<RampLimitSettings> settings_;
  std::mutex mutex_;
  TimePoint minute_begin_;
  std::uint64_t this_minute_ = 0;
  std::uint64_t last_minute_ = 0;
};

}  // namespace drover::providers::scripted
