#include "actors/fleet_actor.hpp"

#include <algorithm>
#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {
namespace {

constexpr std::uint64_t fence_block = 4096;
constexpr Duration tick_interval = std::chrono::milliseconds{500};
constexpr Duration journal_patience = std::chrono::seconds{10};

}  // namespace

std::string_view name_of(DeviceState state) noexcept {
  switch (state) {
    case DeviceState::connecting:
      return "connecting";
    case DeviceState::free:
      return "free";
    case DeviceState::leased:
      return "busy";
    case DeviceState::offline:
      return "offline";
    case DeviceState::quarantined:
      return "quarantined";
    case DeviceState::dead:
      return "dead";
  }
  return "unknown";
}

void fleet_state::start(fleet_actor::pointer self, FleetParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  none_since_ = parts_.timers->now();
  for (auto& driver : parts_.drivers) {
    const DeviceId id = driver->description().id;
    Phone& phone = phones_[id];
    phone.driver = driver;
    ++parts_.statistics->phones[static_cast<std::size_t>(DeviceState::connecting)];
    ++usable_;
    spawn_device(phone);
  }
  parts_.drivers.clear();
  fetch_fences();
}

void fleet_state::spawn_device(Phone& phone) {
  DeviceParts device_parts;
  device_parts.driver = phone.driver;
  device_parts.timers = parts_.timers;
  device_parts.images = parts_.images;
  device_parts.statistics = parts_.statistics;
  device_parts.fleet = fleet_actor(self_);
  device_parts.options = parts_.device_options;
  phone.actor = self_->spawn<caf::linked + caf::monitored>(device, std::move(device_parts));
  parts_.live->add(ActorKind::device, phone.actor);
  by_actor_[phone.actor.id()] = phone.driver->description().id;
}

bool fleet_state::usable(DeviceState state) const noexcept {
  return state == DeviceState::connecting || state == DeviceState::free || state == DeviceState::leased;
}

void fleet_state::set_state(const DeviceId& id, Phone& phone, DeviceState state) {
  if (phone.state == state) return;
  --parts_.statistics->phones[static_cast<std::size_t>(phone.state)];
  ++parts_.statistics->phones[static_cast<std::size_t>(state)];
  usable_ += static_cast<std::size_t>(usable(state));
  usable_ -= static_cast<std::size_t>(usable(phone.state));
  if (usable_ == 0) none_since_ = parts_.timers->now();
  if (phone.state == DeviceState::free && state != DeviceState::leased) std::erase(free_, id);
  phone.state = state;
  if (state == DeviceState::free) free_.push_back(id);
}

void fleet_state::want(const WantPhones& wish) {
  if (auto error = impossible(wish)) {
    self_->send(wish.dispatcher, NoPhones{wish.number, std::move(*error)});
    return;
  }
  wishes_.push_back(wish);
  serve();
  if (!wishes_.empty()) arm_tick();
}

void fleet_state::forget(std::uint64_t number) {
  wishes_.remove_if([number](const WantPhones& wish) { return wish.number == number; });
}

std::optional<Error> fleet_state::impossible(const WantPhones& wish) const {
  if (!wish.device.empty()) {
    const auto found = phones_.find(DeviceId(wish.device));
    if (found == phones_.end()) {
      return Error{Errc::not_found, "there is no phone named " + wish.device, "see the names with `drover devices`"};
    }
    if (found->second.state == DeviceState::dead) {
      return Error{Errc::device_lost, wish.device + " is out of work: " + found->second.reason, ""};
    }
  }
  if (wish.roles.size() > phones_.size()) {
    return Error{Errc::device_unavailable,
                 "the task needs " + std::to_string(wish.roles.size()) + " phones at once and there are only " +
                     std::to_string(phones_.size()),
                 ""};
  }
  if (fences_failed_) return Error{Errc::storage_failed, "the journal gives no leases", ""};
  return std::nullopt;
}

std::optional<std::vector<DeviceId>> fleet_state::match(const WantPhones& wish) const {
  std::vector<DeviceId> chosen;
  const auto is_free = [&](const DeviceId& id) { return std::find(chosen.begin(), chosen.end(), id) == chosen.end(); };
  if (!wish.device.empty()) {
    const DeviceId only(wish.device);
    if (phones_.at(only).state != DeviceState::free) return std::nullopt;
    chosen.push_back(only);
  }
  for (const DeviceId& id : free_) {
    if (chosen.size() >= wish.roles.size()) break;
    if (is_free(id) && wish.avoid.count(id) == 0) chosen.push_back(id);
  }
  if (chosen.size() >= wish.roles.size()) return chosen;
  // A phone to be avoided will do when no other phone could ever.
  const auto others = static_cast<std::size_t>(std::count_if(phones_.begin(), phones_.end(), [&](const auto& entry) {
    return usable(entry.second.state) && wish.avoid.count(entry.first) == 0;
  }));
  if (others >= wish.roles.size()) return std::nullopt;
  for (const DeviceId& id : free_) {
    if (chosen.size() >= wish.roles.size()) break;
    if (is_free(id)) chosen.push_back(id);
  }
  if (chosen.size() < wish.roles.size()) return std::nullopt;
  return chosen;
}

void fleet_state::serve() {
  for (auto wish = wishes_.begin(); wish != wishes_.end() && !free_.empty();) {
    if (fences_left_ < wish->roles.size()) {
      fetch_fences();
      return;
    }
    const auto chosen = match(*wish);
    if (!chosen) {
      // Who needs several phones is not overtaken for ever by those who need one.
      if (wish->roles.size() > 1) break;
      ++wish;
      continue;
    }
    PhonesGranted granted;
    granted.number = wish->number;
    for (std::size_t i = 0; i < wish->roles.size(); ++i) {
      const DeviceId& id = (*chosen)[i];
      std::erase(free_, id);
      Phone& phone = phones_.at(id);
      phone.fence = next_fence_++;
      --fences_left_;
      phone.user = wish->dispatcher;
      set_state(id, phone, DeviceState::leased);
      granted.phones.push_back({wish->roles[i], id, phone.actor, phone.fence});
    }
    self_->send(wish->dispatcher, std::move(granted));
    wish = wishes_.erase(wish);
  }
  if (fences_left_ < fence_block / 4) fetch_fences();
}

void fleet_state::fetch_fences() {
  if (fences_failed_ || std::exchange(fetching_, true)) return;  // a journal that gives none is not asked for ever
  self_->request(parts_.journal, journal_patience, ReserveFences{fence_block})
      .then(
          [this](const FenceBlock& block) {
            fetching_ = false;
            if (block.count == 0) {
              fences_failed_ = true;
              return tick();
            }
            // What is left of the last block is forgotten: fences only ever rise.
            next_fence_ = block.first;
            fences_left_ = block.count;
            serve();
          },
          [this](const caf::error&) {
            fetching_ = false;
            fences_failed_ = true;
            tick();
          });
}

void fleet_state::released(const PhoneReleased& release) {
  const auto found = phones_.find(release.id);
  if (found == phones_.end() || found->second.fence != release.fence) return;
  Phone& phone = found->second;
  phone.fence = 0;
  phone.user = nullptr;
  if (phone.state != DeviceState::leased) return;
  set_state(release.id, phone, release.ready ? DeviceState::free : DeviceState::offline);
  serve();
}

void fleet_state::reported(const DeviceReport& report) {
  const auto found = phones_.find(report.id);
  if (found == phones_.end() || found->second.state == DeviceState::dead) return;
  // Between the grant and the session's lease the phone may still speak for itself.
  if (found->second.fence != 0 && report.state == DeviceState::free) return;
  found->second.reason = report.reason;
  set_state(report.id, found->second, report.state);
  serve();
}

bool fleet_state::owns(const caf::actor_addr& address) const { return by_actor_.count(address.id()) != 0; }

void fleet_state::device_died(const caf::down_msg& down) {
  const auto known = by_actor_.find(down.source.id());
  if (known == by_actor_.end()) return;
  const DeviceId id = known->second;
  Phone& phone = phones_.at(id);
  if (!phone.actor || phone.actor.address() != down.source) return;
  phone.reason = "a fault of this program: " + caf::to_string(down.reason);
  if (phone.fence != 0 && phone.user) {
    self_->send(phone.user,
                PhoneDied{id, phone.fence,
                          Error{Errc::device_lost, "the part of the program that drives " + id.value + " failed", ""}});
  }
  phone.fence = 0;
  phone.user = nullptr;
  phone.actor = nullptr;
  if (phone.restarts++ < parts_.most_restarts) {
    set_state(id, phone, DeviceState::connecting);
    spawn_device(phone);
  } else {
    set_state(id, phone, DeviceState::dead);
  }
  serve();
}

void fleet_state::arm_tick() {
  if (std::exchange(tick_armed_, true)) return;
  parts_.timers->after(tick_interval, [handle = fleet_actor(self_)] { caf::anon_send(handle, FleetTimer{}); });
}

void fleet_state::tick() {
  tick_armed_ = false;
  const bool nobody = usable_ == 0 && parts_.timers->now() - none_since_ >= parts_.device_timeout;
  for (auto wish = wishes_.begin(); wish != wishes_.end();) {
    auto error = impossible(*wish);
    if (!error && nobody) {
      std::string why = phones_.empty() ? "" : ", the last: " + phones_.begin()->second.reason;
      error = Error{Errc::device_unavailable, "no phone is there" + why, "attach a phone or start simulated ones"};
    }
    if (!error) {
      ++wish;
      continue;
    }
    self_->send(wish->dispatcher, NoPhones{wish->number, std::move(*error)});
    wish = wishes_.erase(wish);
  }
  serve();
  if (!wishes_.empty()) arm_tick();
}

fleet_actor::behavior_type fleet(actor_pointer<fleet_actor, fleet_state> self, FleetParts parts) {
  end_on_exception(self, fleet_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.device_died(down); });
  // Devices go with the fleet through their links; the other way a death is only news.
  self->set_exit_handler([self](const caf::exit_msg& exit) {
    if (!self->state.owns(exit.source)) self->quit(exit.reason);
  });
  self->state.start(self, std::move(parts));
  return {
      [self](const WantPhones& wish) { self->state.want(wish); },
      [self](const ForgetWant& wish) { self->state.forget(wish.number); },
      [self](const PhoneReleased& release) { self->state.released(release); },
      [self](const DeviceReport& report) { self->state.reported(report); },
      [self](const FleetTimer&) { self->state.tick(); },
  };
}

}  // namespace drover::actors
