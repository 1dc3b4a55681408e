#include "providers/in_flight_limit.hpp"

#include <algorithm>

namespace drover::providers {
namespace {

constexpr double mild_decrease = 0.9;
constexpr double strong_decrease = 0.7;
constexpr std::uint32_t isolated_after = 20;  ///< Answers.

}  // namespace

InFlightLimit::InFlightLimit(std::uint32_t most, bool adaptive, bool slow_start) noexcept
    : most_(std::max(most, 1U)),
      adaptive_(adaptive),
      slow_start_(slow_start),
      growing_fast_(adaptive && slow_start),
      limit_(adaptive && slow_start ? std::min(first_, most_) : most_),
      successes_since_cut_(isolated_after) {}

std::uint32_t InFlightLimit::value() const noexcept { return static_cast<std::uint32_t>(limit_ + 1e-9); }

void InFlightLimit::succeeded(std::uint32_t in_flight) noexcept {
  ++successes_since_cut_;
  if (!adaptive_ || in_flight + 1 < limit_) return;
  const std::uint32_t a_round = 1 + successes_since_cut_ / isolated_after;
  limit_ = std::min(most_, limit_ + (growing_fast_ ? 1.0 : std::min(1.0, a_round / limit_)));
}

void InFlightLimit::congested(TimePoint now, Duration window) noexcept {
  cut(successes_since_cut_ >= isolated_after ? mild_decrease : strong_decrease, now, window);
}

void InFlightLimit::refused(TimePoint now, Duration window) noexcept { cut(mild_decrease, now, window); }

void InFlightLimit::cut(double factor, TimePoint now, Duration window) noexcept {
  if (!adaptive_) return;
  if (decreased_before_ && now - last_decrease_ < window) return;
  limit_ = std::max(1.0, limit_ * factor);
  growing_fast_ = false;
  successes_since_cut_ = 0;
  last_decrease_ = now;
  decreased_before_ = true;
}

void InFlightLimit::restart() noexcept {
  if (!adaptive_ || !slow_start_) return;
  limit_ = std::min(limit_, first_);
  growing_fast_ = true;
}

}  // namespace drover::providers
