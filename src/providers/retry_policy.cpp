#include "providers/retry_policy.hpp"

#include <algorithm>

namespace drover::providers {
namespace {

/// Shares of first tries may gather up to this many reserves.
constexpr double most_reserves = 5;
constexpr double reserve_minutes = 10;

}  // namespace

Backoff::Backoff(Duration base, Duration cap, std::uint64_t seed) noexcept
    : base_(base), cap_(cap), random_(seed, "backoff") {}

Duration Backoff::next(std::uint32_t tries, std::optional<Duration> wish) noexcept {
  const auto doublings = std::min(tries == 0 ? 0U : tries - 1, 20U);
  const double ceiling = std::min(static_cast<double>(base_.count()) * static_cast<double>(1U << doublings),
                                  static_cast<double>(cap_.count()));
  const auto jitter = random_.between(Duration::zero(), Duration{static_cast<Duration::rep>(ceiling)});
  return std::max(wish.value_or(Duration::zero()), Duration::zero()) + jitter;
}

RetryBudget::RetryBudget(double share, double reserve, TimePoint now) noexcept
    : share_(share), reserve_(reserve), balance_(reserve), at_(now) {}

void RetryBudget::first_try(TimePoint now) noexcept {
  settle(now);
  balance_ = std::min(balance_ + share_, reserve_ * most_reserves);
}

bool RetryBudget::withdraw(TimePoint now) noexcept {
  settle(now);
  if (balance_ < 1) return false;
  balance_ -= 1;
  return true;
}

void RetryBudget::settle(TimePoint now) noexcept {
  if (now <= at_) return;
  const double minutes = std::chrono::duration<double>(now - at_).count() / 60;
  if (balance_ < reserve_) balance_ = std::min(balance_ + reserve_ * minutes / reserve_minutes, reserve_);
  at_ = now;
}

}  // namespace drover::providers
