#include "actors/session_actor.hpp"

#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {

void session_state::start(session_actor::pointer self, SessionParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  loop_.emplace(parts_.order, *parts_.timers);
  deadline_timer_ = parts_.timers->after(parts_.order.deadline - parts_.timers->now(), [handle = session_actor(self)] {
    caf::anon_send(handle, SessionTimer{0, true});
  });
}

void session_state::carry_out(SessionCommands commands) {
  parts_.statistics->steps += loop_->steps() - std::exchange(counted_steps_, loop_->steps());
  parts_.act_is_open->store(loop_->act_is_open(), std::memory_order_relaxed);
  for (SessionCommand& next : commands) {
    std::visit([this](auto& order) { carry_out(order); }, next);
  }
}

void session_state::carry_out(const command::PreparePhone& order) {
  self_->send(parts_.device, LeasePhone{parts_.order.fence, session_actor(self_)});
  self_->send(parts_.device, PreparePhone{parts_.order.fence, order.reset, order.app});
}

void session_state::carry_out(const command::AskForTicket&) {
  self_->send(parts_.router,
              AskTicket{parts_.number, session_actor(self_), parts_.order.task.priority, parts_.order.deadline});
}

void session_state::carry_out(const command::Look& order) {
  self_->send(parts_.device, LookAt{parts_.order.fence, ++look_number_, order.screenshot});
}

void session_state::carry_out(command::CallModel& order) {
  call_cancel_ = parts_.cancel.child();
  auto call = std::make_shared<ModelCall>();
  call->number = ++call_number_;
  call->task = parts_.order.key.task;
  call->session_number = parts_.number;
  call->session = session_actor(self_);
  call->request = std::move(order.request);
  call->observed_at = order.observed_at;
  call->observe_took = order.observe_took;
  call->deadline = parts_.order.deadline;
  call->cancel = *call_cancel_;
  call->open = std::move(order.open);
  call->tries = std::exchange(tries_on_stale_screens_, 0);
  self_->send(parts_.router, AskCall{std::move(call)});
}

void session_state::carry_out(command::Append& order) {
  self_->send(parts_.journal,
              Append{std::move(order.entries), journal_client_actor(session_actor(self_)), parts_.journal_pressure});
}

void session_state::carry_out(const command::ActOn& order) {
  self_->send(parts_.device, ActOn{order.act, session_actor(self_)});
}

void session_state::carry_out(const command::ReturnTicket&) {
  self_->send(parts_.router, GiveTicketBack{parts_.number});
}

void session_state::carry_out(const command::Withdraw&) {
  if (call_cancel_) call_cancel_->cancel(CancelReason::request);
  call_cancel_.reset();
  self_->send(parts_.router, LeaveLine{parts_.number, false});
}

void session_state::carry_out(const command::StopActing&) {
  self_->send(parts_.device, StopActing{parts_.order.fence});
}

void session_state::carry_out(const command::Sleep& order) {
  parts_.timers->after(order.time, [handle = session_actor(self_), number = ++sleep_number_] {
    caf::anon_send(handle, SessionTimer{number, false});
  });
}

void session_state::carry_out(command::End& order) {
  parts_.timers->cancel(deadline_timer_);
  if (call_cancel_) call_cancel_->cancel(CancelReason::request);
  self_->send(parts_.router, LeaveLine{parts_.number, true});
  self_->send(parts_.device, ReleaseLease{parts_.order.fence});
  self_->send(parts_.dispatcher,
              SessionEnded{parts_.order.key.task, parts_.order.key.attempt, std::move(order.result)});
  self_->quit();
}

void session_state::call_ended(const CallEnded& ended) {
  if (ended.call != call_number_ || !ended.report) return;
  if (ended.served_elsewhere) {
    loop_->on_served_elsewhere(std::move(*ended.report));
    return;
  }
  call_cancel_.reset();
  carry_out(loop_->on_answer(std::move(*ended.report)));
}

void session_state::stale(const ScreenStale& stale) {
  if (stale.call != call_number_) return;
  call_cancel_.reset();
  tries_on_stale_screens_ = stale.tries;
  ++parts_.statistics->relooks;
  carry_out(loop_->on_stale());
}

void session_state::refused(const LineRefused& refusal) { carry_out(loop_->on_line_refused(refusal.failure)); }

void session_state::looked(const Looked& looked) {
  if (looked.operation == look_number_) carry_out(loop_->on_observed(looked.look));
}

void session_state::timer(const SessionTimer& timer) {
  if (timer.deadline) {
    cancel(CancelReason::deadline);
  } else if (timer.generation == sleep_number_) {
    carry_out(loop_->on_woken());
  }
}

void session_state::cancel(CancelReason reason, std::string cause) {
  carry_out(loop_->on_cancel(reason, std::move(cause)));
}

session_actor::behavior_type session(actor_pointer<session_actor, session_state> self, SessionParts parts) {
  end_on_exception(self, session_state::name);
  self->state.start(self, std::move(parts));
  return {
      [self](const JournalAck& ack) { self->state.carry_out(self->state.loop().on_durable(ack.status)); },
      [self](const Begin&) { self->state.carry_out(self->state.loop().begin()); },
      [self](const TicketGranted&) { self->state.carry_out(self->state.loop().on_ticket()); },
      [self](const LineRefused& refusal) { self->state.refused(refusal); },
      [self](const ScreenStale& stale) { self->state.stale(stale); },
      [self](const CallEnded& ended) { self->state.call_ended(ended); },
      [self](const Prepared& prepared) { self->state.carry_out(self->state.loop().on_prepared(prepared.status)); },
      [self](const Looked& looked) { self->state.looked(looked); },
      [self](const Acted& acted) { self->state.carry_out(self->state.loop().on_acted(acted.result)); },
      [self](const DeviceGone& gone) { self->state.carry_out(self->state.loop().on_device_gone(gone.error)); },
      [self](const CancelSession& order) { self->state.cancel(order.reason, order.cause); },
      [self](const SessionTimer& timer) { self->state.timer(timer); },
  };
}

}  // namespace drover::actors
