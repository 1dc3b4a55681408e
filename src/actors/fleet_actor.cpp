#include "actors/fleet_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {
namespace {

constexpr Duration tick_interval = std::chrono::milliseconds{500};

}  // namespace

void fleet_state::start(fleet_actor::pointer self, FleetParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  PhoneLineOptions options;
  options.device_timeout = parts_.device_timeout;
  options.quarantine_timeout = std::max(parts_.device_timeout, 2 * parts_.device_options.health.quarantine);
  line_ = PhoneLine(options);
  for (auto& driver : parts_.drivers) {
    const DeviceId id = driver->description().id;
    Phone& phone = phones_[id];
    phone.driver = driver;
    ++parts_.statistics->phones[static_cast<std::size_t>(DeviceState::connecting)];
    line_.add(id, parts_.timers->now());
    spawn_device(id, phone);
  }
  parts_.drivers.clear();
  fetch_fences();
}

void fleet_state::spawn_device(const DeviceId& id, Phone& phone) {
  DeviceParts device_parts;
  device_parts.driver = phone.driver;
  device_parts.timers = parts_.timers;
  device_parts.images = parts_.images;
  device_parts.statistics = parts_.statistics;
  device_parts.fleet = fleet_actor(self_);
  device_parts.options = parts_.device_options;
  phone.actor = self_->spawn<caf::linked + caf::monitored>(device, std::move(device_parts));
  parts_.live->add(ActorKind::device, phone.actor);
  by_actor_[phone.actor.id()] = id;
}

void fleet_state::set_state(const DeviceId& id, DeviceState state, std::string reason) {
  if (state == DeviceState::quarantined && line_.state(id) != state) {
    spdlog::warn("{} is quarantined: {}", id.value, reason);
  }
  --parts_.statistics->phones[static_cast<std::size_t>(line_.state(id))];
  ++parts_.statistics->phones[static_cast<std::size_t>(state)];
  line_.set_state(id, state, std::move(reason), parts_.timers->now());
}

void fleet_state::want(const WantPhones& wish) {
  const std::uint64_t ticket = ++last_ticket_;
  auto error = line_.want({ticket, wish.roles.size(), DeviceId(wish.device), wish.avoid}, parts_.timers->now());
  if (error) {
    self_->send(wish.dispatcher, NoPhones{wish.number, std::move(*error)});
    return;
  }
  wishes_.emplace(ticket, wish);
  serve();
  if (!line_.empty()) arm_tick();
}

void fleet_state::forget(std::uint64_t number) {
  std::erase_if(wishes_, [&](const auto& entry) {
    if (entry.second.number != number) return false;
    line_.forget(entry.first);
    return true;
  });
  // The grant may have gone to a dispatcher that was no longer there.
  for (auto& [id, phone] : phones_) {
    if (phone.wish == number && phone.fence != 0) released({id, phone.fence, true});
  }
  serve();  // it may have held phones
}

void fleet_state::refuse(std::uint64_t ticket, Error error) {
  const auto wish = wishes_.extract(ticket);
  self_->send(wish.mapped().dispatcher, NoPhones{wish.mapped().number, std::move(error)});
}

void fleet_state::refuse_all(const Error& error) {
  while (!wishes_.empty()) {
    line_.forget(wishes_.begin()->first);
    refuse(wishes_.begin()->first, error);
  }
}

void fleet_state::serve() {
  for (const PhoneMatch& match : line_.serve(parts_.timers->now(), fences_.left())) grant(match);
  fetch_fences();
}

void fleet_state::grant(const PhoneMatch& match) {
  const auto wish = wishes_.extract(match.number);
  PhonesGranted granted;
  granted.number = wish.mapped().number;
  for (std::size_t i = 0; i < match.phones.size(); ++i) {
    const DeviceId& id = match.phones[i];
    Phone& phone = phones_.at(id);
    phone.fence = fences_.take();
    phone.user = wish.mapped().dispatcher;
    phone.wish = wish.mapped().number;
    --parts_.statistics->phones[static_cast<std::size_t>(DeviceState::free)];
    ++parts_.statistics->phones[static_cast<std::size_t>(DeviceState::leased)];
    granted.phones.push_back({wish.mapped().roles[i], id, phone.actor, phone.fence});
  }
  self_->send(wish.mapped().dispatcher, std::move(granted));
}

void fleet_state::fetch_fences() {
  if (!fences_.wants_more(parts_.timers->now())) return;
  self_->request(parts_.journal, fences_.asked(), ReserveFences{FenceStock::block})
      .then(
          [this](const FenceBlock& block) {
            if (block.count == 0) return fences_.refused(parts_.timers->now());
            fences_.refilled(block.first, block.count);
            serve();
          },
          [this](const caf::error&) { fences_.refused(parts_.timers->now()); });
}

void fleet_state::released(const PhoneReleased& release) {
  const auto found = phones_.find(release.id);
  if (found == phones_.end() || found->second.fence != release.fence) return;
  found->second.fence = 0;
  found->second.user = nullptr;
  // A phone that went away before its lease began has said so itself, and will say when it is back.
  if (line_.state(release.id) == DeviceState::leased) {
    set_state(release.id, release.ready ? DeviceState::free : DeviceState::offline, "");
  }
  serve();
}

void fleet_state::reported(const DeviceReport& report) {
  const auto found = phones_.find(report.id);
  if (found == phones_.end() || line_.state(report.id) == DeviceState::dead) return;
  // Between the grant and the session's lease the phone still speaks for itself.
  const bool granted = found->second.fence != 0 && report.state == DeviceState::free;
  set_state(report.id, granted ? DeviceState::leased : report.state, report.reason);
  serve();
}

bool fleet_state::owns(const caf::actor_addr& address) const { return by_actor_.count(address.id()) != 0; }

void fleet_state::device_died(const caf::down_msg& down) {
  const auto known = by_actor_.find(down.source.id());
  if (known == by_actor_.end()) return;
  const DeviceId id = known->second;
  Phone& phone = phones_.at(id);
  if (!phone.actor || phone.actor.address() != down.source) return;
  if (phone.fence != 0 && phone.user) {
    self_->send(phone.user,
                PhoneDied{id, phone.fence,
                          Error{Errc::device_lost, "the part of the program that drives " + id.value + " failed", ""}});
  }
  phone.fence = 0;
  phone.user = nullptr;
  phone.actor = nullptr;
  const bool again = phone.restarts++ < parts_.most_restarts;
  set_state(id, again ? DeviceState::connecting : DeviceState::dead,
            "a fault of this program: " + caf::to_string(down.reason));
  if (again) spawn_device(id, phone);
  serve();
}

void fleet_state::arm_tick() {
  if (std::exchange(tick_armed_, true)) return;
  parts_.timers->after(tick_interval, [handle = fleet_actor(self_)] { caf::anon_send(handle, FleetTimer{}); });
}

void fleet_state::tick() {
  tick_armed_ = false;
  for (PhoneRefusal& refusal : line_.give_up(parts_.timers->now())) refuse(refusal.number, std::move(refusal.error));
  for (auto wish = wishes_.begin(); wish != wishes_.end();) {
    const std::uint64_t ticket = wish->first;
    const bool out_of_fences = fences_.out_of(wish++->second.roles.size());
    if (!out_of_fences) continue;
    line_.forget(ticket);
    refuse(ticket, Error{Errc::storage_failed, "the journal gives no leases", "see the log for its fault"});
  }
  serve();
  if (!line_.empty()) arm_tick();
}

fleet_actor::behavior_type fleet(actor_pointer<fleet_actor, fleet_state> self, FleetParts parts) {
  end_on_exception(self, fleet_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.device_died(down); });
  // Devices go with the fleet through their links; the other way a death is only news.
  self->set_exit_handler([self](const caf::exit_msg& exit) {
    if (self->state.owns(exit.source)) return;
    self->state.refuse_all(Error{Errc::cancelled, "the phones are no longer given out", ""});
    self->quit(exit.reason);
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
