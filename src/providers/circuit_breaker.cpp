#include "providers/circuit_breaker.hpp"

#include <algorithm>

namespace drover::providers {

CircuitBreaker::CircuitBreaker(CircuitBreakerOptions options) noexcept
    : options_(options), pause_(options.first_pause) {}

bool CircuitBreaker::admits(TimePoint now) const noexcept {
  switch (state_) {
    case State::closed:
      return true;
    case State::open:
      return now >= probe_at_;
    case State::half_open:
      return false;
  }
  return false;
}

void CircuitBreaker::started() noexcept {
  if (state_ == State::open) state_ = State::half_open;
}

void CircuitBreaker::succeeded(TimePoint now) {
  if (state_ != State::closed) {
    state_ = State::closed;
    pause_ = options_.first_pause;
    outcomes_.clear();
    failures_ = 0;
    old_calls_ = 0;
  }
  outcomes_.emplace_back(now, false);
  if (outcomes_.size() > options_.window) {
    if (outcomes_.front().second) --failures_;
    outcomes_.pop_front();
  }
}

void CircuitBreaker::failed(std::uint32_t in_flight, std::optional<Duration> wish, TimePoint now) {
  if (state_ != State::closed) {
    if (old_calls_ > 0) {
      --old_calls_;
      return;
    }
    if (state_ == State::half_open) {
      pause_ = std::min(pause_ * 2, options_.longest_pause);
      open(in_flight, wish, now);
    }
    return;
  }
  outcomes_.emplace_back(now, true);
  ++failures_;
  while (outcomes_.size() > options_.window || now - outcomes_.front().first > options_.window_age) {
    if (outcomes_.front().second) --failures_;
    outcomes_.pop_front();
  }
  const auto count = static_cast<double>(outcomes_.size());
  if (outcomes_.size() >= options_.least_outcomes && static_cast<double>(failures_) >= options_.failure_share * count) {
    open(in_flight, wish, now);
  }
}

void CircuitBreaker::abandoned(TimePoint now) noexcept {
  if (state_ == State::closed) return;
  if (old_calls_ > 0) {
    --old_calls_;
  } else if (state_ == State::half_open) {
    state_ = State::open;
    probe_at_ = now;
  }
}

void CircuitBreaker::open(std::uint32_t in_flight, std::optional<Duration> wish, TimePoint now) {
  state_ = State::open;
  probe_at_ = now + std::max(pause_, std::min(wish.value_or(Duration::zero()), options_.longest_pause));
  old_calls_ = in_flight;
}

}  // namespace drover::providers
