#include "providers/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace drover::providers {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A little below the limit: clocks differ, and answers travel at different speeds.
constexpr double safety = 0.995;
constexpr double burst_seconds = 0.25;
constexpr double least_requests_burst = 2;

constexpr double ramp_from = 0.25;
constexpr Duration ramp_time = seconds{10};
/// While the pace still rises, a wait reckoned with the present one is too long.
constexpr Duration longest_ramp_wait = milliseconds{250};

constexpr double refusal_factor = 0.9;
constexpr double least_pace = 0.3;
constexpr double pace_per_second = 0.02;  ///< Regained.
constexpr Duration refusal_interval = seconds{1};

constexpr double smoothing = 0.05;

double in_seconds(Duration duration) noexcept { return std::chrono::duration<double>(duration).count(); }

}  // namespace

double Pacing::Limit::per_minute() const noexcept {
  if (configured <= 0) return learned;
  return learned <= 0 ? configured : std::min(configured, learned);
}

Pacing::Pacing(const RateLimits& limits, bool ramp_up, TimePoint now)
    : ramp_up_(ramp_up), ramp_start_(now), pace_at_(now) {
  limits_[requests].configured = limits.requests_per_minute;
  limits_[requests].mean_charge = 1;
  limits_[input].configured = static_cast<double>(limits.input_tokens_per_minute);
  limits_[output].configured = static_cast<double>(limits.output_tokens_per_minute);
  adjust(now);
}

double Pacing::amount(Dimension dimension, const CallCharge& charge) noexcept {
  switch (dimension) {
    case requests:
      return 1;
    case input:
      return charge.input;
    case output:
      return charge.output;
    default:
      return charge.input + charge.output;
  }
}

double Pacing::factor(TimePoint now) const noexcept {
  double ramp = 1;
  if (ramp_up_ && now < ramp_start_ + ramp_time) {
    ramp = ramp_from + (1 - ramp_from) * std::max(0.0, in_seconds(now - ramp_start_)) / in_seconds(ramp_time);
  }
  return ramp * pace_ * safety;
}

/// Brings every bucket to the present pace and makes those that are missing.
void Pacing::adjust(TimePoint now) {
  if (now > pace_at_) {
    pace_ = std::min(1.0, pace_ + pace_per_second * in_seconds(now - pace_at_));
    pace_at_ = now;
  }
  const double present = factor(now);
  for (std::size_t i = 0; i < dimensions; ++i) {
    auto& limit = limits_[i];
    const double per_minute = limit.per_minute();
    if (per_minute <= 0) continue;
    const double rate = per_minute * present;
    if (limit.bucket && std::abs(limit.bucket->per_minute() - rate) <= rate * 1e-9) continue;
    const double least = i == requests ? least_requests_burst : 1.0;
    const double capacity = std::max(rate / 60 * burst_seconds, least);
    if (limit.bucket) {
      limit.bucket->set_rate(rate, capacity, now);
    } else {
      limit.bucket.emplace(rate, capacity, i == requests ? 1.0 : capacity, now);
    }
  }
  applied_factor_ = present;
}

Duration Pacing::wait_for(const CallCharge& charge, TimePoint now) {
  adjust(now);
  Duration wait = Duration::zero();
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto& limit = limits_[i];
    if (limit.bucket) wait = std::max(wait, limit.bucket->wait_for(amount(Dimension(i), charge), now));
  }
  const bool rising = applied_factor_ < safety * (1 - 1e-9);
  return rising ? std::min(wait, longest_ramp_wait) : wait;
}

void Pacing::take(const CallCharge& charge, TimePoint now) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (limits_[i].bucket) limits_[i].bucket->take(amount(Dimension(i), charge), now);
  }
}

void Pacing::settle(const CallCharge& taken, const CallCharge& used, TimePoint now) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    if (i == requests) continue;
    auto& limit = limits_[i];
    const double difference = amount(Dimension(i), taken) - amount(Dimension(i), used);
    if (const double spent = amount(Dimension(i), used); spent > 0) {
      limit.mean_charge = limit.mean_charge <= 0 ? spent : limit.mean_charge + smoothing * (spent - limit.mean_charge);
    }
    if (!limit.bucket) continue;
    if (difference > 0) {
      limit.bucket->give_back(difference, now);
    } else {
      limit.bucket->take(-difference, now);
    }
  }
}

void Pacing::learn(Limit& limit, const LimitState& state, TimePoint now) {
  if (state.limit) limit.learned = static_cast<double>(*state.limit);
  if (limit.bucket && state.remaining) limit.bucket->lower_to(static_cast<double>(*state.remaining), now);
}

void Pacing::resynchronise(const RateLimitState& state, TimePoint now) {
  learn(limits_[requests], state.requests, now);
  learn(limits_[input], state.input_tokens, now);
  learn(limits_[output], state.output_tokens, now);
  learn(limits_[both], state.tokens, now);
  adjust(now);
}

void Pacing::refused(TimePoint now) {
  for (auto& limit : limits_) {
    if (limit.bucket) limit.bucket->lower_to(0, now);
  }
  if (last_refusal_ && now - *last_refusal_ < refusal_interval) return;
  last_refusal_ = now;
  adjust(now);
  pace_ = std::max(least_pace, pace_ * refusal_factor);
  adjust(now);
}

void Pacing::restart(TimePoint now) {
  ramp_start_ = now;
  adjust(now);
}

double Pacing::calls_per_minute() const noexcept {
  double lowest = 0;
  for (const auto& limit : limits_) {
    if (!limit.bucket || limit.mean_charge <= 0) continue;
    const double calls = limit.bucket->per_minute() / limit.mean_charge;
    if (lowest <= 0 || calls < lowest) lowest = calls;
  }
  return lowest;
}

}  // namespace drover::providers
