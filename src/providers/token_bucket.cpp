#include "providers/token_bucket.hpp"

#include <algorithm>
#include <cmath>

namespace drover::providers {
namespace {

double seconds(Duration duration) noexcept { return std::chrono::duration<double>(duration).count(); }

/// Sums of fractions may miss a whole number by a little.
constexpr double tolerance = 1e-6;

}  // namespace

TokenBucket::TokenBucket(double per_minute, double capacity, double level, TimePoint now) noexcept
    : per_second_(std::max(per_minute, 1e-9) / 60), capacity_(capacity), level_(std::min(level, capacity)), at_(now) {}

void TokenBucket::set_rate(double per_minute, double capacity, TimePoint now) noexcept {
  settle(now);
  per_second_ = std::max(per_minute, 1e-9) / 60;
  capacity_ = capacity;
}

double TokenBucket::level(TimePoint now) const noexcept {
  if (now <= at_) return level_;
  const double filled = level_ + per_second_ * seconds(now - at_);
  return std::max(level_, std::min(filled, capacity_));
}

Duration TokenBucket::wait_for(double amount, TimePoint now) const noexcept {
  const double missing = std::min(amount, capacity_) - level(now);
  if (missing <= tolerance) return Duration::zero();
  const double wait = std::min(missing / per_second_, 86400.0);
  return Duration{static_cast<Duration::rep>(std::ceil(wait * 1e9))};
}

void TokenBucket::take(double amount, TimePoint now) noexcept {
  settle(now);
  level_ -= amount;
}

void TokenBucket::give_back(double amount, TimePoint now) noexcept {
  settle(now);
  level_ = std::max(level_, std::min(level_ + amount, std::max(capacity_, per_second_ * 60)));
}

void TokenBucket::lower_to(double level, TimePoint now) noexcept {
  settle(now);
  level_ = std::min(level_, level);
}

void TokenBucket::settle(TimePoint now) noexcept {
  level_ = level(now);
  at_ = std::max(at_, now);
}

}  // namespace drover::providers
