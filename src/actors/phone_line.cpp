#include "actors/phone_line.hpp"

#include <algorithm>
#include <utility>

namespace drover::actors {
namespace {

bool is_there(DeviceState state) noexcept { return state == DeviceState::free || state == DeviceState::leased; }
bool is_usable(DeviceState state) noexcept { return is_there(state) || state == DeviceState::connecting; }

/// Whether a wish that has waited for so long is in one of its times of holding.
bool in_holding_time(Duration waited, Duration hold) noexcept {
  if (hold <= Duration::zero()) return false;
  for (Duration holding = hold;; holding *= 2) {
    if (waited < holding) return true;
    waited -= holding;
    if (waited < hold) return false;
    waited -= hold;
  }
}

}  // namespace

void PhoneLine::add(const DeviceId& id, TimePoint now) {
  Phone& phone = phones_[id];
  phone.away_since = now;
  ++usable_;
  fewer_since_.resize(phones_.size() + 1);
  fewer_since_.back() = now;
}

void PhoneLine::set_state(const DeviceId& id, DeviceState state, std::string reason, TimePoint now) {
  Phone& phone = phones_.at(id);
  phone.reason = std::move(reason);
  if (phone.state == state) return;
  if (phone.state == DeviceState::free) free_.erase(phone.turn);
  if (state == DeviceState::free) {
    phone.turn = ++last_turn_;
    free_.emplace(phone.turn, id);
  }
  if (is_there(phone.state) && !is_there(state)) {
    phone.away_since = now;
    fewer_since_[there_--] = now;
  } else if (!is_there(phone.state) && is_there(state)) {
    ++there_;
  }
  if (phone.state == DeviceState::quarantined && !is_there(state)) {
    // It is being reached again: whoever waited for that has a device timeout from now.
    phone.away_since = now;
    for (std::size_t n = there_ + 1; n < fewer_since_.size(); ++n) fewer_since_[n] = now;
  }
  if (!is_there(state) && !phone.reason.empty()) last_reason_ = phone.reason;
  usable_ += static_cast<std::size_t>(is_usable(state));
  usable_ -= static_cast<std::size_t>(is_usable(phone.state));
  quarantined_ += static_cast<std::size_t>(state == DeviceState::quarantined);
  quarantined_ -= static_cast<std::size_t>(phone.state == DeviceState::quarantined);
  dead_ += static_cast<std::size_t>(state == DeviceState::dead);
  dead_ -= static_cast<std::size_t>(phone.state == DeviceState::dead);
  phone.state = state;
}

std::optional<Error> PhoneLine::want(PhoneWish wish, TimePoint now) {
  if (auto error = refusal(wish, now, now)) return error;
  wishes_.push_back({std::move(wish), now, std::nullopt});
  return std::nullopt;
}

void PhoneLine::forget(std::uint64_t number) {
  wishes_.remove_if([number](const Waiting& waiting) { return waiting.wish.number == number; });
}

std::vector<PhoneMatch> PhoneLine::serve(TimePoint now, std::uint64_t most) {
  std::vector<PhoneMatch> served;
  std::set<DeviceId> held;
  for (auto waiting = wishes_.begin(); waiting != wishes_.end() && held.size() < free_.size();) {
    const PhoneWish& wish = waiting->wish;
    if (wish.phones > most) break;
    auto chosen = choose(wish, held);
    if (chosen.size() < wish.phones) {
      if (holds(*waiting, now)) held.insert(chosen.begin(), chosen.end());
      ++waiting;
      continue;
    }
    for (const DeviceId& id : chosen) set_state(id, DeviceState::leased, "", now);
    most -= wish.phones;
    served.push_back({wish.number, std::move(chosen)});
    waiting = wishes_.erase(waiting);
  }
  return served;
}

std::vector<DeviceId> PhoneLine::choose(const PhoneWish& wish, const std::set<DeviceId>& held) const {
  std::vector<DeviceId> chosen;
  std::size_t most = wish.phones;
  if (!wish.device.empty()) {
    if (phones_.at(wish.device).state == DeviceState::free && held.count(wish.device) == 0) {
      chosen.push_back(wish.device);
    } else {
      --most;  // the place is kept for it
    }
  }
  const auto take = [&](bool avoided) {
    for (const auto& [turn, id] : free_) {
      if (chosen.size() >= most) return;
      if (id != wish.device && held.count(id) == 0 && (wish.avoid.count(id) != 0) == avoided) chosen.push_back(id);
    }
  };
  take(false);
  if (chosen.size() < most && !others_suffice(wish)) take(true);
  return chosen;
}

bool PhoneLine::others_suffice(const PhoneWish& wish) const {
  std::size_t others = usable_;
  for (const DeviceId& id : wish.avoid) {
    const auto avoided = phones_.find(id);
    // The one that must be among them is no matter of choice.
    if (avoided != phones_.end() && id != wish.device && is_usable(avoided->second.state)) --others;
  }
  return others >= wish.phones;
}

bool PhoneLine::holds(Waiting& waiting, TimePoint now) const {
  const PhoneWish& wish = waiting.wish;
  if (wish.phones < 2) return false;
  // A phone that is being connected may be the one that is missing.
  const bool could_come = usable_ >= wish.phones && (wish.device.empty() || is_usable(phones_.at(wish.device).state));
  if (!could_come) {
    waiting.held_since.reset();
    return false;
  }
  if (!waiting.held_since) waiting.held_since = now;
  return in_holding_time(now - *waiting.held_since, options_.hold);
}

std::optional<TimePoint> PhoneLine::missing_since(const PhoneWish& wish) const {
  std::optional<TimePoint> since;
  if (!wish.device.empty()) {
    const Phone& only = phones_.at(wish.device);
    if (!is_there(only.state)) since = only.away_since;
  }
  if (there_ < wish.phones) {
    const TimePoint fewer = fewer_since_.at(wish.phones);
    since = since ? std::min(*since, fewer) : fewer;
  }
  return since;
}

Duration PhoneLine::patience(const PhoneWish& wish) const {
  const bool named_will_do = wish.device.empty() || is_there(phones_.at(wish.device).state) ||
                             phones_.at(wish.device).state == DeviceState::quarantined;
  return named_will_do && there_ + quarantined_ >= wish.phones ? options_.quarantine_timeout : options_.device_timeout;
}

std::optional<Error> PhoneLine::refusal(const PhoneWish& wish, TimePoint joined, TimePoint now) const {
  if (wish.phones == 0) return Error{Errc::invalid_argument, "the task names no role, so no phone", ""};
  const auto named = phones_.find(wish.device);
  if (!wish.device.empty()) {
    if (named == phones_.end()) {
      return Error{Errc::not_found, "there is no phone named " + wish.device.value,
                   "name one of the phones of the configuration"};
    }
    if (named->second.state == DeviceState::dead) {
      return Error{Errc::device_lost, wish.device.value + " is out of work: " + named->second.reason, ""};
    }
  }
  const std::size_t living = phones_.size() - dead_;
  if (wish.phones > living && wish.phones > 1) {
    return Error{Errc::device_unavailable,
                 "the task needs " + std::to_string(wish.phones) + " phones at once and there are only " +
                     std::to_string(living),
                 ""};
  }
  const auto since = missing_since(wish);
  if (!since || (now - std::max(*since, joined) < patience(wish) && living > 0)) return std::nullopt;
  if (named != phones_.end() && !is_there(named->second.state)) {
    const Phone& phone = named->second;
    return Error{Errc::device_unavailable,
                 wish.device.value + " is " + std::string(name_of(phone.state)) +
                     (phone.reason.empty() ? "" : ": " + phone.reason),
                 "attach it or name another"};
  }
  const std::string last = last_reason_.empty() ? "" : ", the last: " + last_reason_;
  if (there_ == 0) {
    return Error{Errc::device_unavailable, "no phone is there" + last, "attach a phone or start simulated ones"};
  }
  return Error{Errc::device_unavailable,
               "the task needs " + std::to_string(wish.phones) + " phones at once and only " + std::to_string(there_) +
                   " of " + std::to_string(phones_.size()) + " are there" + last,
               "attach another phone"};
}

std::vector<PhoneRefusal> PhoneLine::give_up(TimePoint now) {
  std::vector<PhoneRefusal> refusals;
  for (auto waiting = wishes_.begin(); waiting != wishes_.end();) {
    if (auto error = refusal(waiting->wish, waiting->joined, now)) {
      refusals.push_back({waiting->wish.number, std::move(*error)});
      waiting = wishes_.erase(waiting);
    } else {
      ++waiting;
    }
  }
  return refusals;
}

}  // namespace drover::actors
