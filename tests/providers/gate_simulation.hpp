#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <variant>

#include "core/random.hpp"
#include "core/simulated_time.hpp"
#include "providers/provider_gate.hpp"

namespace drover::providers::testing {

/// A server that enforces a limit per minute with a bucket of its own.
struct ServerLimit {
  double per_minute = 0;  ///< 0: none.
  double capacity = 0;
  double level = 0;
  TimePoint at{};

  ServerLimit() = default;
  ServerLimit(double per_minute_, double capacity_, TimePoint now)
      : per_minute(per_minute_), capacity(capacity_), level(capacity_), at(now) {}

  void fill(TimePoint now) {
    level = std::min(capacity, level + per_minute / 60 * std::chrono::duration<double>(now - at).count());
    at = now;
  }
};

struct SimulatedService {
  ServerLimit requests;
  ServerLimit input_tokens;
  Duration latency = std::chrono::milliseconds{600};
  double latency_spread = 0.4;
  std::uint64_t input_per_call = 0;
  std::uint64_t output_per_call = 60;
  bool tells_limits = false;
  /// What an accepted call comes to; null for an answer.
  std::function<std::optional<ProviderFailure>(TimePoint)> fault;
};

/// Callers without end in front of one gate, a network with uneven delays, timers
/// that come late, and a service behind it, all in simulated time.
class GateSimulation {
 public:
  GateSimulation(GateOptions options, SimulatedService service, TokenEstimate estimate = {1000, 300})
      : service_(std::move(service)), estimate_(estimate), gate(std::move(options), 7, time.now()) {
    for (auto* const limit : {&service_.requests, &service_.input_tokens}) limit->at = time.now();
  }

  /// Runs for `span` and gives what happened in it.
  struct Counts {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;
    std::uint64_t delivered_failures = 0;
    std::uint64_t answers = 0;
    std::uint32_t most_in_flight = 0;
  };
  Counts run(Duration span) {
    counts_ = {};
    const TimePoint end = time.now() + span;
    running_ = true;
    pump();
    while (time.next_due() && *time.next_due() <= end) time.advance_to_next();
    time.advance(end - time.now());
    return counts_;
  }

  /// No new calls: those under way come to their end.
  void drain() {
    running_ = false;
    while (time.advance_to_next()) {
    }
  }

 private:
  struct Call {
    std::uint32_t tries = 0;
    TimePoint deadline{};
    CallNumber number = 0;  ///< Of its latest try.
  };

  void pump() {
    while (running_) {
      const auto ready = gate.readiness(estimate_, time.now());
      if (const auto* const later = std::get_if<NotBefore>(&ready)) {
        wake_at(later->at);
        return;
      }
      if (!std::holds_alternative<Ready>(ready)) return;
      Call call{0, time.now() + std::chrono::minutes{10}, 0};
      if (!retries_.empty()) {
        call = retries_.front();
        retries_.pop_front();
      }
      start(call);
    }
  }

  void wake_at(TimePoint at) {
    if (wake_pending_ && wake_time_ <= at) return;
    wake_pending_ = true;
    wake_time_ = at;
    const auto late = random_.between(Duration::zero(), std::chrono::milliseconds{8});
    time.after(at - time.now() + late, [this, at] {
      if (wake_pending_ && wake_time_ == at) wake_pending_ = false;
      pump();
    });
  }

  void start(Call call) {
    ++call.tries;
    call.number = gate.started(estimate_, time.now());
    counts_.most_in_flight = std::max(counts_.most_in_flight, gate.in_flight());
    const auto travel = random_.between(std::chrono::milliseconds{5}, std::chrono::milliseconds{40});
    time.after(travel, [this, call] { arrive(call); });
  }

  void arrive(const Call& call) {
    const TimePoint now = time.now();
    for (auto* const limit : {&service_.requests, &service_.input_tokens}) limit->fill(now);
    const bool too_many = service_.requests.per_minute > 0 && service_.requests.level < 1;
    const bool too_much = service_.input_tokens.per_minute > 0 &&
                          service_.input_tokens.level < static_cast<double>(service_.input_per_call);
    if (too_many || too_much) {
      ++counts_.refused;
      ProviderFailure failure;
      failure.kind = FailureKind::rate_limited;
      failure.status = 429;
      failure.retry_after = std::chrono::seconds{1};
      time.after(std::chrono::milliseconds{10}, [this, call, failure] { finish(call, failure); });
      return;
    }
    ++counts_.accepted;
    service_.requests.level -= 1;
    service_.input_tokens.level -= static_cast<double>(service_.input_per_call);
    const auto took = random_.log_normal(service_.latency, service_.latency_spread);
    time.after(took, [this, call] {
      std::optional<ProviderFailure> fault;
      if (service_.fault) fault = service_.fault(time.now());
      if (fault) {
        finish(call, *fault);
        return;
      }
      ModelAnswer answer;
      answer.usage.calls = 1;
      answer.usage.input_tokens = service_.input_per_call;
      answer.usage.output_tokens = service_.output_per_call;
      finish(call, answer);
    });
  }

  void finish(const Call& call, const DecodedAnswer& answer) {
    net::Headers headers;
    if (service_.tells_limits && service_.requests.per_minute > 0) {
      service_.requests.fill(time.now());
      headers.set("anthropic-ratelimit-requests-limit", std::to_string(static_cast<int>(service_.requests.per_minute)));
      headers.set("anthropic-ratelimit-requests-remaining",
                  std::to_string(static_cast<int>(std::max(0.0, service_.requests.level))));
    }
    const auto next =
        gate.finished(call.number, answer, headers, call.tries, call.deadline, time.now(), time.utc_now());
    std::optional<TimePoint> again;
    if (const auto* const retry = std::get_if<RetryAt>(&next)) again = retry->at;
    if (const auto* const later = std::get_if<LineUpAt>(&next)) again = later->at;
    if (again) {
      time.after(*again - time.now(), [this, call] {
        retries_.push_back(call);
        pump();
      });
    } else if (std::holds_alternative<ModelAnswer>(answer)) {
      ++counts_.answers;
    } else {
      ++counts_.delivered_failures;
    }
    pump();
  }

  SimulatedService service_;
  TokenEstimate estimate_;
  Random random_{11};
  Counts counts_;
  std::deque<Call> retries_;
  bool running_ = false;
  bool wake_pending_ = false;
  TimePoint wake_time_{};

 public:
  SimulatedTime time;
  ProviderGate gate;
};

}  // namespace drover::providers::testing
