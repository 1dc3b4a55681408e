#include "providers/admission_queue.hpp"

#include <algorithm>
#include <cmath>

namespace drover::providers {
namespace {

/// What a call of weight 1 moves its session on by. A session is not in line during its
/// own call, so it may come back as much later than its start as others have moved on.
constexpr double round_of_calls = 1.0;

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

void smooth(double& mean, double sample, double weight) { mean += weight * (sample - mean); }

}  // namespace

AdmissionQueue::AdmissionQueue(AdmissionOptions options) : options_(options) {}

bool AdmissionQueue::join(SessionNumber session, std::uint32_t weight, TimePoint deadline, TimePoint) {
  if (line_.size() >= options_.max_waiting) return false;
  const auto [found, newcomer] = shares_.try_emplace(session);
  Share& share = found->second;
  if (share.in_line) return true;
  if (newcomer) share.served_until = virtual_time_;
  share.weight = std::max(weight, 1u);
  share.deadline = deadline;
  share.in_line = true;
  share.start = std::max(share.served_until, virtual_time_ - round_of_calls);
  share.number = ++arrivals_;
  line_.insert({{share.start, share.number}, session});
  return true;
}

std::optional<SessionNumber> AdmissionQueue::next_ticket(TimePoint) {
  if (line_.empty() || tickets_.size() >= ticket_limit()) return std::nullopt;
  const Place first = *line_.begin();
  line_.erase(line_.begin());
  Share& share = shares_[first.second];
  share.in_line = false;
  virtual_time_ = std::max(virtual_time_, share.start);
  tickets_.insert(first.second);
  return first.second;
}

void AdmissionQueue::ready(SessionNumber session, TimePoint observed_at, Duration observe_took, TimePoint now) {
  const auto share = shares_.find(session);
  if (share == shares_.end() || ready_.count(session) != 0) return;
  smooth(observe_seconds_, seconds(observe_took), 0.05);
  enter_line(session, {observed_at, observe_took, now, share->second.start, share->second.number});
}

void AdmissionQueue::put_back(const Slot& slot, TimePoint observed_at, Duration observe_took, TimePoint now) {
  const auto share = shares_.find(slot.session);
  if (share == shares_.end() || ready_.count(slot.session) != 0) return;
  enter_line(slot.session, {observed_at, observe_took, now - slot.waited, share->second.start, share->second.number});
}

void AdmissionQueue::enter_line(SessionNumber session, const ReadyCall& call) {
  ready_line_.insert({{call.start, call.number}, session});
  ready_.emplace(session, call);
}

bool AdmissionQueue::is_stale(TimePoint observed_at, Duration observe_took, TimePoint now) const noexcept {
  return now - observed_at > std::max(options_.max_observation_age, 2 * observe_took);
}

std::optional<AdmissionQueue::Slot> AdmissionQueue::next_slot(TimePoint now) {
  if (ready_line_.empty()) return std::nullopt;
  const SessionNumber session = ready_line_.begin()->second;
  ready_line_.erase(ready_line_.begin());
  const auto found = ready_.find(session);
  const ReadyCall call = found->second;
  ready_.erase(found);
  return Slot{session, is_stale(call.observed_at, call.observe_took, now), now - call.since};
}

void AdmissionQueue::served(SessionNumber session) {
  const auto share = shares_.find(session);
  if (share == shares_.end()) return;
  share->second.served_until = std::max(share->second.served_until, share->second.start) + 1.0 / share->second.weight;
}

void AdmissionQueue::call_ended(Duration took) { smooth(call_seconds_, seconds(took), 0.05); }

void AdmissionQueue::ticket_back(SessionNumber session) { tickets_.erase(session); }

void AdmissionQueue::withdraw(SessionNumber session) {
  tickets_.erase(session);
  if (const auto call = ready_.find(session); call != ready_.end()) {
    ready_line_.erase({{call->second.start, call->second.number}, session});
    ready_.erase(call);
  }
  if (const auto share = shares_.find(session); share != shares_.end() && share->second.in_line) {
    line_.erase({{share->second.start, share->second.number}, session});
    share->second.in_line = false;
  }
}

void AdmissionQueue::forget(SessionNumber session) {
  withdraw(session);
  shares_.erase(session);
}

std::vector<SessionNumber> AdmissionQueue::expire(TimePoint now) {
  std::vector<SessionNumber> late;
  for (const auto& [place, session] : line_) {
    if (shares_[session].deadline <= now) late.push_back(session);
  }
  for (const SessionNumber session : tickets_) {
    if (shares_[session].deadline <= now) late.push_back(session);
  }
  for (const auto& [session, call] : ready_) {
    if (tickets_.count(session) == 0 && shares_[session].deadline <= now) late.push_back(session);
  }
  for (const SessionNumber session : late) withdraw(session);
  return late;
}

void AdmissionQueue::set_capacity(std::size_t in_flight_limit, double calls_per_minute) {
  in_flight_limit_ = std::max<std::size_t>(in_flight_limit, 1);
  calls_per_second_limit_ = calls_per_minute / 60.0;
}

std::size_t AdmissionQueue::ticket_limit() const noexcept {
  // Little's law, stage by stage: what is in call plus what is being looked at,
  // with a margin so that a slot never waits for a screen.
  const double slots = static_cast<double>(in_flight_limit_);
  double rate = calls_per_second_limit_;
  if (rate <= 0) rate = slots / std::max(call_seconds_, 1e-3);
  const double calling = std::min(slots, rate * call_seconds_ * 1.5 + 1);
  const double looking = rate * observe_seconds_ * 1.5 + 1;
  const double fresh = rate * std::max(seconds(options_.max_observation_age) - observe_seconds_, 0.0);
  const double wanted = calling + std::min(looking, std::max(fresh, 1.0));
  return static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, 4 * slots + 16));
}

}  // namespace drover::providers
