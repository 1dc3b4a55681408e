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

void CircuitBreaker::started(CallNumber call) noexcept {
  newest_ = std::max(newest_, call);
  if (state_ != State::open) return;
  state_ = State::half_open;
  probe_ = call;
}

void CircuitBreaker::ended(CallNumber call, CallNews news, std::optional<Duration> wish, TimePoint now) {
  const bool is_probe = state_ == State::half_open && call == probe_;
  switch (news) {
    case CallNews::answered:
      return answered(now);
    case CallNews::refused:
      if (is_probe) answered(now);
      return;
    case CallNews::shed:
      if (is_probe) {
        probe_failed(options_.longest_shed_pause, wish, now);
      } else if (state_ == State::closed && call > last_old_ && ++sheds_in_row_ >= options_.sheds_in_row) {
        open(wish, now);
      }
      return;
    case CallNews::failed:
      if (is_probe) {
        probe_failed(options_.longest_pause, wish, now);
      } else if (state_ == State::closed && call > last_old_) {
        failed(wish, now);
      }
      return;
    case CallNews::none:
      if (!is_probe) return;
      state_ = State::open;
      probe_at_ = now;
      return;
  }
}

void CircuitBreaker::answered(TimePoint now) {
  sheds_in_row_ = 0;
  if (state_ != State::closed) {
    state_ = State::closed;
    pause_ = options_.first_pause;
    outcomes_.clear();
    failures_ = 0;
  }
  outcomes_.emplace_back(now, false);
  if (outcomes_.size() > options_.window) {
    if (outcomes_.front().second) --failures_;
    outcomes_.pop_front();
  }
}

void CircuitBreaker::failed(std::optional<Duration> wish, TimePoint now) {
  outcomes_.emplace_back(now, true);
  ++failures_;
  while (outcomes_.size() > options_.window || now - outcomes_.front().first > options_.window_age) {
    if (outcomes_.front().second) --failures_;
    outcomes_.pop_front();
  }
  const auto count = static_cast<double>(outcomes_.size());
  if (outcomes_.size() >= options_.least_outcomes && static_cast<double>(failures_) >= options_.failure_share * count) {
    open(wish, now);
  }
}

void CircuitBreaker::probe_failed(Duration longest_pause, std::optional<Duration> wish, TimePoint now) {
  pause_ = std::max(pause_, std::min(pause_ * 2, longest_pause));
  open(wish, now);
}

void CircuitBreaker::open(std::optional<Duration> wish, TimePoint now) {
  state_ = State::open;
  probe_at_ = now + std::max(pause_, std::min(wish.value_or(Duration::zero()), options_.longest_pause));
  last_old_ = newest_;
}

}  // namespace drover::providers
