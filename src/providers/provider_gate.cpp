#include "providers/provider_gate.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "providers/client_throttle.hpp"
#include "providers/in_flight_limit.hpp"
#include "providers/pacing.hpp"
#include "providers/retry_policy.hpp"

namespace drover::providers {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration idle_after = minutes{1};
/// A longer wait is not worth standing in line for: the key is parked.
constexpr Duration longest_hold = minutes{2};
constexpr Duration least_congestion_window = milliseconds{500};
constexpr double retry_reserve = 10;
/// Refused without an answer in between: the pace is far from what is served.
constexpr std::uint32_t many_refusals = 5;

CallCharge charge_of(const TokenEstimate& estimate) noexcept {
  return {static_cast<double>(estimate.input), static_cast<double>(estimate.output)};
}

/// The service is up and did not take the call.
bool was_refused(FailureKind kind) noexcept {
  return kind == FailureKind::rate_limited || kind == FailureKind::overloaded;
}

CallNews news_of(FailureKind kind) noexcept {
  if (kind == FailureKind::cancelled) return CallNews::none;
  if (kind == FailureKind::rate_limited) return CallNews::refused;
  if (kind == FailureKind::overloaded) return CallNews::shed;
  return is_transient(kind) ? CallNews::failed : CallNews::answered;
}

/// The mean time of a call by Little's law: the time spent in flight over the calls
/// that ended, old ones fading.
class CallTime {
 public:
  void advance(std::size_t in_flight, TimePoint now) noexcept {
    if (now > at_ && at_ != TimePoint{})
      area_ += static_cast<double>(in_flight) * std::chrono::duration<double>(now - at_).count();
    at_ = std::max(at_, now);
  }
  void ended() noexcept {
    ended_ += 1;
    if (ended_ < fade_at) return;
    ended_ /= 2;
    area_ /= 2;
  }
  /// Seconds; 0 before any call ended.
  [[nodiscard]] double mean() const noexcept { return ended_ > 0 ? area_ / ended_ : 0; }

 private:
  static constexpr double fade_at = 64;
  double area_ = 0;
  double ended_ = 0;
  TimePoint at_{};
};

}  // namespace

struct ProviderGate::State {
  State(GateOptions given, std::uint64_t seed, TimePoint now)
      : options(std::move(given)),
        pacing(options.limits, options.ramp_up, now),
        limit(options.limits.max_in_flight, options.adaptive_in_flight, options.ramp_up),
        backoff(options.backoff_base, options.backoff_cap, seed),
        budget(options.retry_budget, retry_reserve, now),
        throttle(now),
        last_activity(now) {}

  GateOptions options;
  Pacing pacing;
  InFlightLimit limit;
  Backoff backoff;
  RetryBudget budget;
  ClientThrottle throttle;
  CircuitBreaker breaker;
  CallTime call_time;
  std::map<CallNumber, CallCharge> open;  ///< Calls under way, with what each took from the buckets.
  CallNumber last_call = 0;
  TimePoint held_until{};
  std::uint32_t refusals_in_row = 0;
  std::optional<Parked> parked;
  TimePoint last_activity;

  [[nodiscard]] Duration congestion_window() const {
    const auto mean = Duration{static_cast<Duration::rep>(call_time.mean() * 1e9)};
    return std::max(least_congestion_window, mean);
  }

  [[nodiscard]] std::uint32_t in_flight() const noexcept { return static_cast<std::uint32_t>(open.size()); }

  /// What the call took; absent when it is not under way.
  std::optional<CallCharge> leave(CallNumber call, TimePoint now) {
    const auto place = open.find(call);
    if (place == open.end()) return std::nullopt;
    call_time.advance(open.size(), now);
    last_activity = std::max(last_activity, now);
    const CallCharge taken = place->second;
    open.erase(place);
    return taken;
  }

  CallCharge used_by(const Usage& usage, const CallCharge& taken) const {
    if (usage.input_tokens == 0 && usage.output_tokens == 0) return taken;
    const auto free = options.cached_input_counts ? 0 : std::min(usage.cached_tokens, usage.input_tokens);
    return {static_cast<double>(usage.input_tokens - free), static_cast<double>(usage.output_tokens)};
  }

  /// A refusal or an overload that says how long to stay away holds the whole key
  /// back, but not on the word of a single call among answered ones.
  void hold_key(const ProviderFailure& failure, TimePoint now) {
    ++refusals_in_row;
    const auto wish = failure.retry_after.value_or(Duration::zero());
    if (failure.kind == FailureKind::rate_limited && wish > longest_hold) {
      parked = Parked{failure.cause, now + wish};
    } else if (refusals_in_row >= 2) {
      held_until = std::max(held_until, now + std::min(wish, longest_hold));
    }
  }

  void answered(std::uint32_t in_flight_before, TimePoint now) {
    refusals_in_row = 0;
    throttle.ended(true, now);
    limit.succeeded(in_flight_before);
  }

  [[nodiscard]] double calls_per_minute() const noexcept {
    double calls = pacing.calls_per_minute();
    if (const double mean = call_time.mean(); mean > 0) {
      const double by_limit = limit.value() * 60.0 / mean;
      if (calls <= 0 || by_limit < calls) calls = by_limit;
    }
    return calls;
  }

  void failed(const ProviderFailure& failure, TimePoint now, std::uint32_t in_flight_before) {
    switch (failure.kind) {
      case FailureKind::rate_limited:
        throttle.ended(false, now);
        hold_key(failure, now);
        // A key that is held brings one such sign in the time of its wait, and not in each second.
        pacing.refused(held_until > now || refusals_in_row >= many_refusals, calls_per_minute(), now);
        if (held_until > now) pacing.held(held_until);
        limit.refused(now, congestion_window());
        break;
      case FailureKind::overloaded:
        throttle.ended(false, now);
        hold_key(failure, now);
        // Others load the service, too: a share of refusals that the throttle bears says
        // nothing of how many calls may be under way.
        if (throttle.not_before(open.size(), now)) limit.congested(now, congestion_window());
        break;
      case FailureKind::timeout:
        limit.congested(now, congestion_window());
        break;
      case FailureKind::authentication:
      case FailureKind::not_served:
        parked = Parked{failure.cause, std::nullopt};
        break;
      case FailureKind::quota:
        parked = Parked{failure.cause, std::nullopt};
        if (failure.retry_after) parked->until = now + *failure.retry_after;
        break;
      case FailureKind::server:
      case FailureKind::network:
      case FailureKind::budget:
      case FailureKind::cancelled:
        break;
      case FailureKind::bad_request:
      case FailureKind::unreadable:
      case FailureKind::refused:
        answered(in_flight_before, now);
        break;
    }
  }

  /// What of the pre-charge was not used. A call whose end was never seen counts as spent.
  void settle(const ProviderFailure& failure, const CallCharge& taken, TimePoint now) {
    switch (failure.kind) {
      case FailureKind::rate_limited:
      case FailureKind::overloaded:
      case FailureKind::authentication:
      case FailureKind::not_served:
      case FailureKind::quota:
      case FailureKind::bad_request:
        pacing.settle(taken, {}, now);
        break;
      case FailureKind::unreadable:
      case FailureKind::refused:
        pacing.settle(taken, used_by(failure.usage, taken), now);
        break;
      case FailureKind::server:
      case FailureKind::network:
      case FailureKind::timeout:
      case FailureKind::budget:
      case FailureKind::cancelled:
        break;
    }
  }

  Disposition next_move(const ProviderFailure& failure, std::uint32_t tries, TimePoint deadline, TimePoint now) {
    const bool refused = was_refused(failure.kind);
    if (parked && refused && parked->until && *parked->until < deadline) return LineUpAt{*parked->until};
    if (parked || !may_retry(failure)) return Deliver{};
    if (tries > options.max_retries && !refused) return Deliver{};
    // One that was refused is spaced by the gate like any call; its own wait need not grow.
    const TimePoint at = now + backoff.next(refused ? 1 : tries, failure.retry_after);
    if (at >= deadline) return Deliver{};
    if (refused || !budget.withdraw(now)) return LineUpAt{at};
    return RetryAt{at};
  }
};

ProviderGate::ProviderGate(GateOptions options, std::uint64_t seed, TimePoint now)
    : state_(std::make_unique<State>(std::move(options), seed, now)) {}
ProviderGate::~ProviderGate() = default;
ProviderGate::ProviderGate(ProviderGate&&) noexcept = default;
ProviderGate& ProviderGate::operator=(ProviderGate&&) noexcept = default;

Readiness ProviderGate::readiness(const TokenEstimate& estimate, TimePoint now) {
  auto& s = *state_;
  if (s.parked) {
    if (!s.parked->until || now < *s.parked->until) return *s.parked;
    s.parked.reset();
  }
  if (s.open.empty() && now - s.last_activity > idle_after) {
    s.last_activity = now;
    if (s.options.ramp_up) {
      s.pacing.restart(now);
      s.limit.restart();
    }
  }
  if (s.in_flight() >= s.limit.value() || s.breaker.state() == CircuitBreaker::State::half_open) return SlotsFull{};
  TimePoint at = std::max(now, s.held_until);
  if (!s.breaker.admits(now)) at = std::max(at, s.breaker.probe_at());
  at = std::max(at, now + s.pacing.wait_for(charge_of(estimate), now));
  at = std::max(at, s.throttle.not_before(s.open.size(), now).value_or(now));
  if (at > now) return NotBefore{at};
  return Ready{};
}

CallNumber ProviderGate::started(const TokenEstimate& estimate, TimePoint now) {
  auto& s = *state_;
  s.call_time.advance(s.open.size(), now);
  const CallNumber call = ++s.last_call;
  const CallCharge charge = charge_of(estimate);
  s.open.emplace_hint(s.open.end(), call, charge);
  s.last_activity = std::max(s.last_activity, now);
  s.pacing.take(charge, now);
  s.breaker.started(call);
  return call;
}

Disposition ProviderGate::finished(CallNumber call, const DecodedAnswer& answer, const net::Headers& headers,
                                   std::uint32_t tries, TimePoint deadline, TimePoint now, std::optional<UtcTime> utc) {
  auto& s = *state_;
  const std::uint32_t in_flight_before = s.in_flight();
  const auto left = s.leave(call, now);
  if (!left) return Deliver{};
  const CallCharge taken = *left;
  s.call_time.ended();
  if (tries <= 1) s.budget.first_try(now);

  const auto* const failure = std::get_if<ProviderFailure>(&answer);
  if (failure == nullptr) {
    s.pacing.settle(taken, s.used_by(std::get<ModelAnswer>(answer).usage, taken), now);
  } else {
    s.settle(*failure, taken, now);
  }
  s.pacing.resynchronise(parse_rate_limits(headers, utc ? utc : date_of(headers)), now);

  if (failure == nullptr) {
    s.breaker.ended(call, CallNews::answered, {}, now);
    s.answered(in_flight_before, now);
    return Deliver{};
  }
  s.breaker.ended(call, news_of(failure->kind), failure->retry_after, now);
  s.failed(*failure, now, in_flight_before);
  return s.next_move(*failure, tries, deadline, now);
}

void ProviderGate::abandoned(CallNumber call, TimePoint now) {
  if (state_->leave(call, now)) state_->breaker.ended(call, CallNews::none, {}, now);
}

std::uint32_t ProviderGate::in_flight() const noexcept { return state_->in_flight(); }
std::uint32_t ProviderGate::in_flight_limit() const noexcept { return state_->limit.value(); }

double ProviderGate::calls_per_minute() const noexcept { return state_->calls_per_minute(); }

bool ProviderGate::hindered(TimePoint now) {
  auto& s = *state_;
  return s.held_until > now || s.parked || !s.breaker.admits(now) || s.pacing.slowed(now) ||
         s.throttle.not_before(s.open.size(), now);
}

bool ProviderGate::breaker_open(TimePoint now) const noexcept { return !state_->breaker.admits(now); }

}  // namespace drover::providers
