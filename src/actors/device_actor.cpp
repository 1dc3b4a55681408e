#include "actors/device_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {

void device_state::start(device_actor::pointer self, DeviceParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  health_.emplace(parts_.options.health, stable_hash(id().value, parts_.options.seed));
  parts_.driver->on_lost(
      [handle = device_actor(self)](Error error) { caf::anon_send(handle, DriverGone{std::move(error)}); });
  connect();
}

// ---- the one wait ---------------------------------------------------------

std::uint64_t device_state::wait_for(Wait what, Duration most) {
  stop_waiting();
  wait_ = what;
  wait_timer_ = parts_.timers->after(
      most, [handle = device_actor(self_), number = ++wait_number_] { caf::anon_send(handle, DeviceTimer{number}); });
  return wait_number_;
}

bool device_state::came(Wait what, std::uint64_t number) {
  if (wait_ != what || wait_number_ != number) return false;
  stop_waiting();
  return true;
}

void device_state::stop_waiting() {
  if (std::exchange(wait_, Wait::nothing) != Wait::nothing) parts_.timers->cancel(wait_timer_);
}

void device_state::timer(const DeviceTimer& timer) {
  if (timer.generation != wait_number_) return;
  switch (std::exchange(wait_, Wait::nothing)) {
    case Wait::nothing:
      break;
    case Wait::connect:
      lost({Errc::timeout, id().value + " did not answer while it was connected to", ""});
      break;
    case Wait::reconnect:
      if (fence_ != 0 && grace_left() <= Duration::zero()) {
        give_up_lease(Error{Errc::device_lost, health_->reason(), ""});
      }
      connect();
      break;
    case Wait::quarantine_end:
      report_standing();
      break;
    case Wait::answer: {
      // Its driver keeps no promise any more and has to start afresh. An act may have been carried out; a look or a
      // preparation ends as one on a phone that was lost.
      const bool acting = std::holds_alternative<Acting>(operation_);
      const Error hung{acting ? Errc::timeout : Errc::device_lost, id().value + " did not answer in time", ""};
      if (release_when_settled_) {
        connection_ = Connection::offline;
        free_phone();
      } else {
        break_off(hung);
      }
      lost(hung);
      break;
    }
    case Wait::pause:
      go_on();
      break;
    case Wait::picture:
      break_off({Errc::timeout, "the picture took too long", ""});
      break;
  }
}

// ---- the connection -------------------------------------------------------

void device_state::connect() {
  connection_ = Connection::connecting;
  report_standing();
  Duration timeout = parts_.options.connect_timeout;
  if (fence_ != 0) timeout = std::min(timeout, grace_left());
  const std::uint64_t number = wait_for(Wait::connect, timeout + parts_.options.slack);
  parts_.driver->connect(timeout, [handle = device_actor(self_), number](Status status) {
    caf::anon_send(handle, DriverConnected{number, std::move(status)});
  });
}

void device_state::connected(const DriverConnected& answer) {
  if (!came(Wait::connect, answer.generation)) return;
  if (!answer.status.ok()) return lost(answer.status.error());
  connection_ = Connection::ready;
  lost_at_.reset();
  health_->on_connected(parts_.timers->now());
  report_standing();
  if (const auto* looking = std::get_if<Looking>(&operation_)) {
    begin(looking->order);
  } else if (const auto* preparing = std::get_if<Preparing>(&operation_)) {
    begin(preparing->order);
  }
}

void device_state::gone(const Error& error) {
  if (connection_ != Connection::ready || wait_ == Wait::answer) return;  // the open primitive says it too
  lost(error);
}

void device_state::lost(const Error& error) {
  const TimePoint now = parts_.timers->now();
  connection_ = Connection::offline;
  if (lost_at_) {
    health_->on_connect_failed(error.cause);
  } else {
    lost_at_ = now;
    health_->on_fault(error.cause, now);
  }
  // A look and a preparation begin anew when the phone is back; an act can't, and a picture need not.
  if (std::holds_alternative<Acting>(operation_) || std::holds_alternative<Drawing>(operation_)) break_off(error);
  if (fence_ != 0 && (grace_left() <= Duration::zero() || quarantined())) {
    give_up_lease(error);
  } else {
    report_standing();
  }
  reconnect_later();
}

void device_state::reconnect_later() {
  Duration wait = health_->next_pause();
  if (quarantined()) {
    wait = health_->quarantined_until() - parts_.timers->now();
  } else if (fence_ != 0) {
    wait = std::min(wait, grace_left());
  }
  (void)wait_for(Wait::reconnect, wait);
}

Duration device_state::grace_left() const {
  if (!lost_at_) return parts_.options.reconnect_grace;
  return *lost_at_ + parts_.options.reconnect_grace - parts_.timers->now();
}

void device_state::give_up_lease(const Error& error) {
  spdlog::warn("{} went away in the middle of a task: {}", id().value, error.cause);
  self_->send(holder_,
              DeviceGone{id(), Error{Errc::device_lost, id().value + " went away: " + error.cause, error.remedy}});
  free_phone();
}

/// Tells the fleet where a phone without a lease stands.
void device_state::report_standing() {
  if (fence_ != 0) return;
  if (quarantined()) {
    report(DeviceState::quarantined, "too many faults, the last: " + health_->reason());
    if (connection_ == Connection::ready) {
      (void)wait_for(Wait::quarantine_end, health_->quarantined_until() - parts_.timers->now());
    }
  } else if (connection_ == Connection::ready) {
    report(DeviceState::free, "");
  } else if (connection_ == Connection::connecting) {
    report(DeviceState::connecting, health_->reason());
  } else {
    report(DeviceState::offline, health_->reason());
  }
}

void device_state::report(DeviceState state, std::string reason) {
  self_->send(parts_.fleet, DeviceReport{id(), state, std::move(reason)});
}

// ---- the driver -----------------------------------------------------------

void device_state::run(devices::Primitive primitive, Duration timeout) {
  const std::uint64_t number = wait_for(Wait::answer, timeout + parts_.options.slack);
  parts_.driver->run(std::move(primitive), timeout,
                     [handle = device_actor(self_), number](devices::PrimitiveResult result) {
                       caf::anon_send(handle, DriverAnswered{number, std::move(result)});
                     });
}

void device_state::reset() {
  const std::uint64_t number = wait_for(Wait::answer, parts_.options.reset_timeout + parts_.options.slack);
  parts_.driver->reset(parts_.options.reset_timeout, [handle = device_actor(self_), number](const Status& status) {
    devices::PrimitiveResult result = devices::PrimitiveReply{};
    if (!status.ok()) result = status.error();
    caf::anon_send(handle, DriverAnswered{number, std::move(result)});
  });
}

// ---- the lease ------------------------------------------------------------

void device_state::lease(const LeasePhone& order) {
  const bool could_serve = connection_ == Connection::ready && fence_ == 0 && !quarantined();
  if (!could_serve || busy()) {
    self_->send(order.holder, DeviceGone{id(), Error{Errc::device_unavailable, id().value + " is not free", ""}});
    self_->send(parts_.fleet, PhoneReleased{id(), order.fence, could_serve});
    return;
  }
  fence_ = order.fence;
  holder_ = order.holder;
  release_when_settled_ = false;
  self_->monitor(holder_);
}

void device_state::release(Fence fence) {
  if (!holds(fence)) {
    // Of a session that died before it took the phone: the fleet still counts it as given out.
    const bool ready = connection_ == Connection::ready;
    if (fence_ == 0) self_->send(parts_.fleet, PhoneReleased{parts_.driver->description().id, fence, ready});
    return;
  }
  if (wait_ == Wait::answer) {
    release_when_settled_ = true;
  } else {
    free_phone();
  }
}

void device_state::free_phone() {
  if (fence_ == 0) return;
  end_operation();
  const Fence ended = std::exchange(fence_, 0);
  self_->demonitor(holder_.address());
  holder_ = nullptr;
  release_when_settled_ = false;
  const bool ready = connection_ == Connection::ready && !quarantined();
  self_->send(parts_.fleet, PhoneReleased{id(), ended, ready});
  if (!ready) report_standing();
}

void device_state::holder_died(const caf::actor_addr& address) {
  if (holder_ && holder_.address() == address) release(fence_);
}

device_actor::behavior_type device(actor_pointer<device_actor, device_state> self, DeviceParts parts) {
  end_on_exception(self, device_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.holder_died(down.source); });
  self->state.start(self, std::move(parts));
  return {
      [self](const LeasePhone& order) { self->state.lease(order); },
      [self](const PreparePhone& order) { self->state.prepare(order); },
      [self](const LookAt& order) { self->state.look(order); },
      [self](const ActOn& order) { self->state.act(order); },
      [self](const StopActing& order) { self->state.stop_acting(order); },
      [self](const ReleaseLease& order) { self->state.release(order.fence); },
      [self](const DriverAnswered& answer) { self->state.answered(answer); },
      [self](const DriverConnected& answer) { self->state.connected(answer); },
      [self](const DriverGone& loss) { self->state.gone(loss.error); },
      [self](const PictureReady& ready) { self->state.picture_ready(ready); },
      [self](const DeviceTimer& timer) { self->state.timer(timer); },
  };
}

}  // namespace drover::actors
