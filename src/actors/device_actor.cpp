#include "actors/device_actor.hpp"

#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {

void device_state::start(device_actor::pointer self, DeviceParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  health_.emplace(parts_.options.health, stable_hash(parts_.driver->description().id.value, parts_.options.seed));
  parts_.driver->on_lost(
      [handle = device_actor(self)](Error error) { caf::anon_send(handle, DriverGone{std::move(error)}); });
  connect();
}

void device_state::connect() {
  connection_ = Connection::connecting;
  if (fence_ == 0) report(DeviceState::connecting, "");
  parts_.driver->connect(parts_.options.connect_timeout,
                         [handle = device_actor(self_), generation = ++generation_](Status status) {
                           caf::anon_send(handle, DriverConnected{generation, std::move(status)});
                         });
}

void device_state::connected(const DriverConnected& answer) {
  if (answer.generation != generation_ || connection_ != Connection::connecting) return;
  if (!answer.status.ok()) {
    connection_ = Connection::offline;
    lost(answer.status.error());
    return;
  }
  connection_ = Connection::ready;
  lost_at_.reset();
  health_->on_connected(parts_.timers->now());
  if (fence_ == 0) {
    report(DeviceState::free, "");
    return;
  }
  switch (operation_) {
    case Operation::looking:
      look_.emplace(parts_.driver->description(), look_with_screenshot_, parts_.timers->now());
      carry_on(look_->next(parts_.timers->now()));
      break;
    case Operation::resetting:
    case Operation::launching:
      prepare({fence_, true, app_to_launch_});
      break;
    default:
      break;
  }
}

void device_state::lost(Error error) {
  const TimePoint now = parts_.timers->now();
  connection_ = Connection::offline;
  if (!lost_at_) lost_at_ = now;
  health_->on_fault(error.cause, now);
  const bool grace_over = now - *lost_at_ >= parts_.options.reconnect_grace;
  if (fence_ != 0 && (grace_over || health_->quarantined(now))) give_up_lease(error);
  if (fence_ == 0) {
    if (health_->quarantined(now)) {
      report(DeviceState::quarantined, "too many faults, the last: " + error.cause);
    } else {
      report(DeviceState::offline, error.cause);
    }
  }
  reconnect_later();
}

void device_state::reconnect_later() {
  const TimePoint now = parts_.timers->now();
  Duration wait = health_->next_pause();
  if (health_->quarantined(now)) wait = health_->quarantined_until() - now;
  if (fence_ != 0 && lost_at_) wait = std::min(wait, parts_.options.reconnect_grace);
  parts_.timers->after(wait, [handle = device_actor(self_), generation = ++generation_] {
    caf::anon_send(handle, DeviceTimer{generation});
  });
}

void device_state::give_up_lease(const Error& error) {
  self_->send(holder_,
              DeviceGone{parts_.driver->description().id,
                         Error{Errc::device_lost, parts_.driver->description().id.value + " went away: " + error.cause,
                               error.remedy}});
  look_.reset();
  executor_.reset();
  undecorated_.reset();
  operation_ = Operation::none;
  primitive_open_ = false;
  free_phone();
}

void device_state::report(DeviceState state, std::string reason) {
  self_->send(parts_.fleet, DeviceReport{parts_.driver->description().id, state, std::move(reason)});
}

void device_state::lease(const LeasePhone& order) {
  if (fence_ != 0 || connection_ != Connection::ready || operation_ != Operation::none) {
    self_->send(order.holder, DeviceGone{parts_.driver->description().id,
                                         Error{Errc::device_unavailable,
                                               parts_.driver->description().id.value + " is not free", ""}});
    self_->send(parts_.fleet, PhoneReleased{parts_.driver->description().id, order.fence,
                                            connection_ == Connection::ready && fence_ == 0});
    return;
  }
  fence_ = order.fence;
  holder_ = order.holder;
  stopping_ = false;
  release_when_settled_ = false;
  self_->monitor(holder_);
}

void device_state::prepare(const PreparePhone& order) {
  if (!holds(order.fence)) return;
  app_to_launch_ = order.app;
  operation_ = Operation::resetting;
  if (connection_ != Connection::ready) return;  // goes on when the phone is back
  primitive_open_ = true;
  auto done = [handle = device_actor(self_), generation = ++generation_](const Status& status) {
    devices::PrimitiveResult result = devices::PrimitiveReply{};
    if (!status.ok()) result = status.error();
    caf::anon_send(handle, DriverAnswered{generation, std::move(result)});
  };
  if (order.reset) {
    parts_.driver->reset(parts_.options.reset_timeout, done);
  } else {
    done(Done{});
  }
}

void device_state::look(const LookAt& order) {
  if (!holds(order.fence)) {
    ++parts_.statistics->stale_acts_refused;
    return;
  }
  operation_ = Operation::looking;
  look_number_ = order.operation;
  look_with_screenshot_ = order.screenshot;
  ++parts_.statistics->looks;
  look_.emplace(parts_.driver->description(), order.screenshot, parts_.timers->now());
  if (connection_ == Connection::ready) carry_on(look_->next(parts_.timers->now()));
}

void device_state::act(const ActOn& order) {
  devices::ActResult refusal;
  refusal.intent = order.act->intent;
  refusal.status = ActStatus::refused;
  if (!holds(order.act->fence)) {
    ++parts_.statistics->stale_acts_refused;
    refusal.error = Error{
        Errc::stale_fence,
        "the lease " + std::to_string(order.act->fence) + " of " + parts_.driver->description().id.value + " is over",
        ""};
    self_->send(order.sender, Acted{std::move(refusal)});
    return;
  }
  if (connection_ != Connection::ready) {
    refusal.status = ActStatus::failed;
    refusal.error = Error{Errc::device_unavailable, "the phone was away when the act came; nothing was sent", ""};
    self_->send(order.sender, Acted{std::move(refusal)});
    return;
  }
  operation_ = Operation::acting;
  executor_.emplace(*order.act, parts_.timers->now());
  carry_on(executor_->next(parts_.timers->now()));
}

void device_state::stop_acting(const StopActing& order) {
  if (!holds(order.fence) || !executor_ || operation_ != Operation::acting) return;
  stopping_ = true;
  if (primitive_open_) return;  // its answer settles the act
  devices::ActResult result;
  result.intent = executor_->act().intent;
  result.status = executor_->sent_something() ? ActStatus::in_doubt : ActStatus::refused;
  result.error = Error{Errc::cancelled, "stopped before it was done", ""};
  end_act(std::move(result));
}

void device_state::run(devices::Primitive primitive, Duration timeout) {
  primitive_open_ = true;
  parts_.driver->run(std::move(primitive), timeout,
                     [handle = device_actor(self_), generation = ++generation_](devices::PrimitiveResult result) {
                       caf::anon_send(handle, DriverAnswered{generation, std::move(result)});
                     });
}

void device_state::pause(Duration time) {
  paused_ = true;
  parts_.timers->after(time, [handle = device_actor(self_), generation = ++generation_] {
    caf::anon_send(handle, DeviceTimer{generation});
  });
}

void device_state::carry_on(devices::LookStep step) {
  if (auto* next = std::get_if<devices::RunPrimitive>(&step)) {
    run(std::move(next->primitive), parts_.options.look_timeout);
  } else if (const auto* rest = std::get_if<devices::PauseFor>(&step)) {
    pause(rest->time);
  } else {
    end_look(std::move(std::get<devices::LookResult>(step)));
  }
}

void device_state::carry_on(devices::ExecutorStep step) {
  if (auto* result = std::get_if<devices::ActResult>(&step)) {
    end_act(std::move(*result));
    return;
  }
  if (stopping_ || release_when_settled_ || !holds(executor_->act().fence)) {
    devices::ActResult result;
    result.intent = executor_->act().intent;
    result.status = executor_->sent_something() ? ActStatus::in_doubt : ActStatus::refused;
    result.error = Error{Errc::cancelled, "stopped before it was done", ""};
    end_act(std::move(result));
  } else if (auto* next = std::get_if<devices::RunPrimitive>(&step)) {
    run(std::move(next->primitive), parts_.options.act_timeout);
  } else {
    pause(std::get<devices::PauseFor>(step).time);
  }
}

void device_state::answered(const DriverAnswered& answer) {
  if (answer.generation != generation_ || !primitive_open_) return;
  primitive_open_ = false;
  const TimePoint now = parts_.timers->now();
  const bool phone_lost = !answer.result.ok() && (answer.result.error().code == Errc::device_lost ||
                                                  answer.result.error().code == Errc::in_doubt);
  if (release_when_settled_) {
    operation_over();
    if (phone_lost) lost(answer.result.error());
    return;
  }
  switch (operation_) {
    case Operation::looking:
      if (phone_lost) {
        lost(answer.result.error());  // the look starts anew when the phone is back
      } else {
        carry_on(look_->on_result(answer.result, now));
      }
      break;
    case Operation::acting: {
      auto step = executor_->on_result(answer.result, now);
      if (phone_lost) connection_ = Connection::offline;
      carry_on(std::move(step));
      if (phone_lost) lost(answer.result.error());
      break;
    }
    case Operation::resetting:
    case Operation::launching:
      if (phone_lost) {
        operation_ = Operation::resetting;
        lost(answer.result.error());
        break;
      }
      if (!answer.result.ok() || app_to_launch_.empty()) {
        operation_ = Operation::none;
        Status status = Done{};
        if (!answer.result.ok()) status = answer.result.error();
        self_->send(holder_, Prepared{std::move(status)});
      } else if (operation_ == Operation::resetting) {
        devices::Act launch;
        launch.intent = "launch";
        launch.fence = fence_;
        launch.step.action = LaunchApp{app_to_launch_};
        launch.decided_on = std::make_shared<Scene>();
        operation_ = Operation::launching;
        executor_.emplace(std::move(launch), now);
        carry_on(executor_->next(now));
      } else {
        carry_on(executor_->on_result(answer.result, now));
      }
      break;
    case Operation::none:
    case Operation::drawing:
      if (phone_lost) lost(answer.result.error());
      break;
  }
}

void device_state::end_look(devices::LookResult result) {
  const auto raw = look_ ? look_->take_screenshot() : std::nullopt;
  look_.reset();
  if (result.ok() && raw && parts_.images != nullptr) {
    operation_ = Operation::drawing;
    undecorated_ = *result;
    parts_.images->prepare(raw->bytes, std::shared_ptr<const Scene>(undecorated_, &undecorated_->scene),
                           [handle = device_actor(self_), generation = ++generation_](Result<Screenshot> picture) {
                             caf::anon_send(handle, PictureReady{generation, std::move(picture)});
                           });
    return;
  }
  operation_ = Operation::none;
  if (!result.ok() && result.error().code != Errc::cancelled) {
    health_->on_fault(result.error().cause, parts_.timers->now());
  }
  self_->send(holder_, Looked{look_number_, std::move(result)});
}

void device_state::picture_ready(const PictureReady& ready) {
  if (ready.generation != generation_ || operation_ != Operation::drawing) return;
  operation_ = Operation::none;
  auto decorated = std::make_shared<Observation>(*undecorated_);
  undecorated_.reset();
  if (ready.picture.ok()) decorated->screenshot = *ready.picture;
  self_->send(holder_, Looked{look_number_, devices::LookResult{std::shared_ptr<const Observation>(decorated)}});
}

void device_state::end_act(devices::ActResult result) {
  executor_.reset();
  stopping_ = false;
  if (operation_ == Operation::launching) {
    operation_ = Operation::none;
    Status status = Done{};
    if (result.status != ActStatus::done) {
      status = result.error.value_or(Error{Errc::action_failed, "the app could not be started", ""});
    }
    self_->send(holder_, Prepared{std::move(status)});
    return;
  }
  operation_ = Operation::none;
  self_->send(holder_, Acted{std::move(result)});
  if (release_when_settled_) operation_over();
}

void device_state::timer(const DeviceTimer& timer) {
  if (timer.generation != generation_) return;
  if (connection_ == Connection::offline) {
    if (fence_ != 0 && lost_at_ && parts_.timers->now() - *lost_at_ >= parts_.options.reconnect_grace) {
      give_up_lease(Error{Errc::device_lost, health_->reason(), ""});
      report(DeviceState::offline, health_->reason());
    }
    connect();
    return;
  }
  if (!std::exchange(paused_, false)) return;
  if (release_when_settled_) {
    operation_over();
  } else if (look_) {
    carry_on(look_->next(parts_.timers->now()));
  } else if (executor_) {
    carry_on(executor_->next(parts_.timers->now()));
  }
}

void device_state::gone(const Error& error) {
  if (connection_ != Connection::ready || primitive_open_) return;  // the open primitive says it too
  lost(error);
}

void device_state::release(Fence fence) {
  if (!holds(fence)) {
    // Of a session that died before it took the phone: the fleet still counts it as given out.
    const bool ready = connection_ == Connection::ready;
    if (fence_ == 0) self_->send(parts_.fleet, PhoneReleased{parts_.driver->description().id, fence, ready});
    return;
  }
  if (primitive_open_) {
    release_when_settled_ = true;
    return;
  }
  operation_over();
}

void device_state::operation_over() {
  look_.reset();
  executor_.reset();
  undecorated_.reset();
  paused_ = false;
  operation_ = Operation::none;
  free_phone();
}

void device_state::free_phone() {
  if (fence_ == 0) return;
  const Fence ended = std::exchange(fence_, 0);
  self_->demonitor(holder_.address());
  holder_ = nullptr;
  release_when_settled_ = false;
  stopping_ = false;
  self_->send(parts_.fleet, PhoneReleased{parts_.driver->description().id, ended, connection_ == Connection::ready});
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
