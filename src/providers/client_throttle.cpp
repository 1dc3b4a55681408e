#include "providers/client_throttle.hpp"

#include <algorithm>
#include <cmath>

namespace drover::providers {
namespace {

constexpr double sent_per_accepted = 2;
/// Two minutes, as in the book, would let a minute's worth of calls be refused at first.
constexpr double memory_seconds = 15;
/// What may be sent beyond: with nothing accepted four calls in three seconds.
constexpr double reserve = 20;
constexpr Duration longest_wait = std::chrono::seconds{1};

}  // namespace

double ClientThrottle::fading(TimePoint now) const noexcept {
  return now <= at_ ? 1 : std::exp(-std::chrono::duration<double>(now - at_).count() / memory_seconds);
}

void ClientThrottle::ended(bool answered, TimePoint now) noexcept {
  const double left = fading(now);
  requests_ = requests_ * left + 1;
  accepts_ = accepts_ * left + (answered ? 1 : 0);
  at_ = std::max(at_, now);
}

std::optional<TimePoint> ClientThrottle::not_before(std::size_t in_flight, TimePoint now) const noexcept {
  const double excess = requests_ - sent_per_accepted * accepts_;
  if (excess <= 0) return std::nullopt;
  // Calls under way will be refused in the share of those before them.
  const double room = reserve - static_cast<double>(in_flight) * (1 - accepts_ / requests_);
  const double present = excess * fading(now);
  if (present + 1 <= room) return std::nullopt;
  const double wait = room > 1 ? memory_seconds * std::log(present / (room - 1)) : 1;
  return now + std::clamp(Duration{static_cast<Duration::rep>(wait * 1e9)}, Duration{1'000'000}, longest_wait);
}

}  // namespace drover::providers
