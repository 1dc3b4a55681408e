#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "core/clock.hpp"

namespace drover::actors {

struct RestartOptions {
  std::uint32_t most = 3;  ///< Within `interval`; one more failure and it stays down.
  Duration interval = std::chrono::minutes{10};
  Duration first_pause = std::chrono::milliseconds{200};  ///< Doubles with each failure in the interval.
};

/// When a part of the program that failed is started again. Plain class with time
/// passed in; one per part.
class RestartRule {
 public:
  explicit RestartRule(RestartOptions options = {}) : options_(options) {}

  /// How long to wait before it is started again after a failure at `now`;
  /// nothing: it has failed too often.
  std::optional<Duration> after_failure(TimePoint now) {
    while (!failures_.empty() && now - failures_.front() >= options_.interval) failures_.pop_front();
    failures_.push_back(now);
    if (failures_.size() > options_.most) return std::nullopt;
    return options_.first_pause * (std::int64_t{1} << (failures_.size() - 1));
  }

 private:
  RestartOptions options_;
  std::deque<TimePoint> failures_;
};

}  // namespace drover::actors
