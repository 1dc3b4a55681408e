#include <utility>

#include "actors/device_actor.hpp"

// How a device actor carries out what its holder orders: the open operation, step by step.
namespace drover::actors {
namespace {

Error stopped() { return {Errc::cancelled, "stopped before it was done", ""}; }

}  // namespace

// ---- what the holder orders -----------------------------------------------

void device_state::prepare(const PreparePhone& order) {
  if (!holds(order.fence)) return;
  if (busy()) {
    self_->send(holder_, Prepared{Error{Errc::conflict, id().value + " is at another order", ""}});
    return;
  }
  begin(order);
}

void device_state::begin(PreparePhone order) {
  devices::Preparation machine(order.reset, order.app);
  operation_ = Preparing{std::move(order), std::move(machine)};
  if (connection_ == Connection::ready) go_on();
}

void device_state::look(const LookAt& order) {
  if (!holds(order.fence)) {
    ++parts_.statistics->stale_orders_refused;
    return;
  }
  if (busy()) {
    self_->send(holder_, Looked{order.operation, Error{Errc::conflict, id().value + " is at another order", ""}});
    return;
  }
  ++parts_.statistics->looks;
  begin(order);
}

void device_state::begin(LookAt order) {
  operation_ = Looking{order, {parts_.driver->description(), order.screenshot, parts_.timers->now()}};
  if (connection_ == Connection::ready) go_on();
}

void device_state::act(const ActOn& order) {
  const auto refuse = [&](ActStatus status, Error error) {
    self_->send(order.sender, Acted{{order.act->intent, status, std::move(error), 1, {}}});
  };
  if (!holds(order.act->fence)) {
    ++parts_.statistics->stale_orders_refused;
    return refuse(
        ActStatus::refused,
        {Errc::stale_fence, "the lease " + std::to_string(order.act->fence) + " of " + id().value + " is over", ""});
  }
  if (busy()) return refuse(ActStatus::refused, {Errc::conflict, id().value + " is at another order", ""});
  if (connection_ != Connection::ready) {
    return refuse(ActStatus::failed,
                  {Errc::device_unavailable, "the phone was away when the act came; nothing was sent", ""});
  }
  operation_ = Acting{devices::Executor(*order.act, parts_.timers->now())};
  go_on();
}

void device_state::stop_acting(const StopActing& order) {
  auto* acting = std::get_if<Acting>(&operation_);
  if (!holds(order.fence) || acting == nullptr) return;
  acting->stopping = true;
  if (wait_ != Wait::answer) break_off(stopped());  // else its answer settles the act
}

// ---- the operation --------------------------------------------------------

void device_state::go_on() {
  const TimePoint now = parts_.timers->now();
  if (auto* preparing = std::get_if<Preparing>(&operation_)) {
    carry_on(preparing->machine.next(now));
  } else if (auto* looking = std::get_if<Looking>(&operation_)) {
    carry_on(looking->machine.next(now));
  } else if (auto* acting = std::get_if<Acting>(&operation_)) {
    carry_on(acting->machine.next(now));
  }
}

void device_state::answered(const DriverAnswered& answer) {
  if (came(Wait::answer, answer.generation)) settle(answer.result);
}

void device_state::settle(const devices::PrimitiveResult& result) {
  const TimePoint now = parts_.timers->now();
  const bool phone_lost = !result.ok() && devices::phone_is_gone(result.error().code);
  if (phone_lost) connection_ = Connection::offline;
  if (release_when_settled_) {
    free_phone();
  } else if (auto* acting = std::get_if<Acting>(&operation_)) {
    carry_on(acting->machine.on_result(result, now));
  } else if (auto* looking = std::get_if<Looking>(&operation_); looking != nullptr && !phone_lost) {
    carry_on(looking->machine.on_result(result, now));
  } else if (auto* preparing = std::get_if<Preparing>(&operation_); preparing != nullptr && !phone_lost) {
    carry_on(preparing->machine.on_result(result, now));
  }
  if (phone_lost) lost(result.error());
}

void device_state::carry_on(devices::PreparationStep step) {
  if (std::holds_alternative<devices::ResetPhone>(step)) {
    reset();
  } else if (auto* next = std::get_if<devices::RunPrimitive>(&step)) {
    run(std::move(next->primitive), parts_.options.act_timeout);
  } else if (const auto* rest = std::get_if<devices::PauseFor>(&step)) {
    pause(rest->time);
  } else {
    const auto& status = std::get<Status>(step);
    if (!status.ok()) count_fault(status.error());
    end_prepared(status);
  }
}

void device_state::carry_on(devices::LookStep step) {
  if (auto* next = std::get_if<devices::RunPrimitive>(&step)) {
    return run(std::move(next->primitive), parts_.options.look_timeout);
  }
  if (const auto* rest = std::get_if<devices::PauseFor>(&step)) return pause(rest->time);
  auto& result = std::get<devices::LookResult>(step);
  auto& looking = std::get<Looking>(operation_);
  auto picture = looking.machine.take_screenshot();
  const std::uint64_t number = looking.order.operation;
  if (result.ok() && picture && parts_.images != nullptr) {
    operation_ = Drawing{number, *result};
    return draw(std::move(picture->bytes), *std::move(result));
  }
  if (!result.ok()) count_fault(result.error());
  end_look(number, std::move(result));
}

void device_state::carry_on(devices::ExecutorStep step) {
  auto& acting = std::get<Acting>(operation_);
  if (auto* result = std::get_if<devices::ActResult>(&step)) {
    if (result->error) count_fault(*result->error);
    end_act(std::move(*result));
  } else if (acting.stopping || !holds(acting.machine.act().fence)) {
    break_off(stopped());
  } else if (auto* next = std::get_if<devices::RunPrimitive>(&step)) {
    run(std::move(next->primitive), parts_.options.act_timeout);
  } else {
    pause(std::get<devices::PauseFor>(step).time);
  }
}

void device_state::pause(Duration time) { (void)wait_for(Wait::pause, time); }

void device_state::draw(std::string picture, std::shared_ptr<const Observation> undecorated) {
  const std::uint64_t number = wait_for(Wait::picture, parts_.options.picture_timeout);
  std::shared_ptr<const Scene> scene(undecorated, &undecorated->scene);
  parts_.images->prepare(std::move(picture), std::move(scene),
                         [handle = device_actor(self_), number](Result<Screenshot> ready) {
                           caf::anon_send(handle, PictureReady{number, std::move(ready)});
                         });
}

void device_state::picture_ready(const PictureReady& ready) {
  if (!came(Wait::picture, ready.generation)) return;
  if (!ready.picture.ok()) return break_off(ready.picture.error());
  const auto& drawing = std::get<Drawing>(operation_);
  auto decorated = std::make_shared<Observation>(*drawing.undecorated);
  decorated->screenshot = *ready.picture;
  end_look(drawing.look, std::shared_ptr<const Observation>(std::move(decorated)));
}

void device_state::end_prepared(Status status) {
  end_operation();
  self_->send(holder_, Prepared{std::move(status)});
}

void device_state::end_look(std::uint64_t number, devices::LookResult result) {
  end_operation();
  self_->send(holder_, Looked{number, std::move(result)});
}

void device_state::end_act(devices::ActResult result) {
  end_operation();
  self_->send(holder_, Acted{std::move(result)});
}

/// Ends the operation with what is known of it: a look that only lacks its picture goes without.
void device_state::break_off(const Error& error) {
  if (std::holds_alternative<Preparing>(operation_)) {
    end_prepared(error);
  } else if (const auto* looking = std::get_if<Looking>(&operation_)) {
    end_look(looking->order.operation, error);
  } else if (const auto* drawing = std::get_if<Drawing>(&operation_)) {
    end_look(drawing->look, std::shared_ptr<const Observation>(drawing->undecorated));
  } else if (const auto* acting = std::get_if<Acting>(&operation_)) {
    end_act(acting->machine.break_off(error, parts_.timers->now()));
  }
}

void device_state::end_operation() {
  if (wait_ == Wait::answer || wait_ == Wait::pause || wait_ == Wait::picture) stop_waiting();
  operation_ = std::monostate{};
}

void device_state::count_fault(const Error& error) {
  // A phone that is gone is counted where it is lost.
  if (!devices::blames_phone(error.code) || devices::phone_is_gone(error.code)) return;
  health_->on_fault(error.cause, parts_.timers->now());
}

}  // namespace drover::actors
