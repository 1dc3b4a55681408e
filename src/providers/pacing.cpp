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

constexpr double mild_drop = 0.9;
constexpr double strong_drop = 0.7;
constexpr Duration drop_interval = seconds{1};
/// Of the pace, regained t seconds after its drop: 0.02 t + 0.0002 t³, as exponents.
constexpr double regained_per_second = 0.02;
constexpr double regained_cubic = 0.0002;
/// A call every five seconds tells soon enough that a service serves again.
constexpr double least_calls_per_minute = 12;
constexpr double lowest_pace = 0.02;
constexpr double highest_least_pace = 0.3;

constexpr double smoothing = 0.05;

double in_seconds(Duration duration) noexcept { return std::chrono::duration<double>(duration).count(); }

}  // namespace

double Pacing::Limit::per_minute() const noexcept {
  if (configured <= 0) return learned > 0 ? learned : found;
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

void Pacing::regain(TimePoint now) {
  if (now <= pace_at_) return;
  if (pace_ < 1) {
    const double from = in_seconds(pace_at_ - regains_from_);
    const double to = in_seconds(now - regains_from_);
    const auto regained = [](double t) { return regained_per_second * t + regained_cubic * t * t * t; };
    pace_ = std::min(1.0, pace_ * std::exp(regained(to) - regained(from)));
  }
  pace_at_ = now;
  auto& limit = limits_[requests];
  if (pace_ >= 1 && limit.found > 0) {
    limit.found = 0;
    if (limit.per_minute() <= 0) limit.bucket.reset();
  }
}

double Pacing::least_pace() const noexcept {
  const double per_minute = limits_[requests].per_minute();
  return per_minute <= 0 ? lowest_pace
                         : std::clamp(least_calls_per_minute / per_minute, lowest_pace, highest_least_pace);
}

/// Brings every bucket to the present pace and makes those that are missing.
void Pacing::adjust(TimePoint now) {
  regain(now);
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

void Pacing::refused(bool much, double calls_per_minute, TimePoint now) {
  const bool limited = std::any_of(limits_.begin(), limits_.end(), [](const Limit& limit) { return limit.bucket; });
  if (!limited) limits_[requests].found = calls_per_minute;
  for (auto& limit : limits_) {
    if (limit.bucket) limit.bucket->lower_to(0, now);
  }
  double drop = much ? strong_drop : mild_drop;
  if (last_drop_ && now - *last_drop_ < drop_interval) {
    // The same news again, unless it is worse.
    if (drop >= last_drop_factor_) return;
    drop /= last_drop_factor_;
  } else {
    last_drop_ = now;
  }
  last_drop_factor_ = much ? strong_drop : mild_drop;
  adjust(now);
  pace_ = std::max(std::min(pace_, least_pace()), pace_ * drop);
  regains_from_ = now;
  adjust(now);
}

void Pacing::held(TimePoint until) {
  pace_at_ = std::max(pace_at_, until);
  regains_from_ = std::max(regains_from_, until);
}

bool Pacing::slowed(TimePoint now) {
  adjust(now);
  return pace_ < mild_drop;
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
