#include "actors/dispatcher_actor.hpp"

#include <algorithm>
#include <utility>

#include "actors/session_actor.hpp"
#include "actors/supervision.hpp"
#include "core/outcome.hpp"

namespace drover::actors {
namespace {

using Alarm = DispatcherTimer::Alarm;

}  // namespace

void dispatcher_state::start(dispatcher_actor::pointer self, DispatcherParts parts) {
  self_ = self;
  parts_ = std::move(parts);
}

void dispatcher_state::run(const RunBatch& order) {
  order_ = order;
  book_ = order.book ? order.book : std::make_shared<BatchBook>(order);
  if (order_.fault) {
    take_over(*order_.fault);
  } else {
    begin_batch();
  }
}

void dispatcher_state::begin_batch() {
  parts_.statistics->tasks = static_cast<std::uint32_t>(order_.tasks.size());
  std::vector<storage::JournalEntry> entries;
  entries.push_back(storage::entry_of(book_->run));
  for (const Task& task : order_.tasks) {
    TaskRecord record;
    record.run = book_->run.run;
    record.task = task;
    entries.push_back(storage::entry_of(record));
  }
  append(std::move(entries));
  pump();
  finish_if_done();
}

void dispatcher_state::take_over(const Error& fault) {
  for (auto& [task, attempt] : book_->attempts) {
    for (OpenPart& part : attempt.parts) {
      if (part.result) continue;
      if (!part.session) {
        part.result = part.without_report(Outcome::error, fault.describe());
        self_->send(part.phone.device, ReleaseLease{part.phone.fence});
        continue;
      }
      self_->monitor(part.session);
      watch(attempt, part);
    }
  }
  // Also when the run had been stopped before: this fault is then its second reason.
  book_->cancelled = CancelReason::none;
  stop({CancelReason::shutdown, fault});
  for (const TaskRecord& end : book_->end_undecided(fault, parts_.timers->now())) record(end);
  std::vector<TaskId> without_session;
  for (const auto& [task, attempt] : book_->attempts) {
    const bool over = std::all_of(attempt.parts.begin(), attempt.parts.end(),
                                  [](const OpenPart& part) { return part.result.has_value(); });
    if (over) without_session.push_back(task);
  }
  for (const TaskId& task : without_session) end_attempt(task);
  finish_if_done();
}

void dispatcher_state::append(std::vector<storage::JournalEntry> entries) {
  if (journal_lost_) return;
  ++appended_;
  self_->send(parts_.journal,
              Append{std::move(entries), journal_client_actor(dispatcher_actor(self_)), parts_.journal_pressure});
}

void dispatcher_state::durable(const JournalAck& ack) {
  ++durable_;
  if (!ack.status.ok() && !journal_lost_) {
    journal_lost_ = true;
    stop({CancelReason::shutdown, ack.status.error()});
  }
  finish_if_done();
}

void dispatcher_state::pump() {
  if (book_->cancelled != CancelReason::none) return;
  const std::size_t parallel = order_.parallel > 0 ? order_.parallel : std::max<std::size_t>(book_->run.devices, 1);
  while (book_->attempts.size() + book_->wishes.size() < parallel) {
    auto start = book_->rules.next();
    if (!start) return;
    if (const auto why = parts_.budget ? parts_.budget->exhausted() : std::nullopt) {
      record(book_->give_up(start->task->id, {Errc::budget_exhausted, *why, {}}, parts_.timers->now()));
      continue;
    }
    WantPhones wish;
    wish.number = ++book_->wish_number;
    wish.roles = start->task->roles;
    wish.device = start->task->device;
    wish.avoid = start->avoid;
    wish.dispatcher = dispatcher_actor(self_);
    book_->wishes.emplace(wish.number, std::move(*start));
    self_->send(parts_.fleet, std::move(wish));
  }
}

void dispatcher_state::granted(const PhonesGranted& granted) {
  const auto wish = book_->wishes.find(granted.number);
  if (wish == book_->wishes.end()) {
    for (const GrantedPhone& phone : granted.phones) {
      self_->send(parts_.fleet, PhoneReleased{phone.id, phone.fence, true});
    }
    return;
  }
  const Batch::Start start = wish->second;
  book_->wishes.erase(wish);
  begin_attempt(start.task->id, start.attempt, granted.phones);
}

void dispatcher_state::begin_attempt(const TaskId& task, std::uint32_t number,
                                     const std::vector<GrantedPhone>& phones) {
  OpenAttempt& attempt = book_->open(task, number, phones, order_.cancel, *parts_.timers);
  ++parts_.statistics->attempts;
  if (number > 1) ++parts_.statistics->retried_attempts;
  // The record goes before anything that the sessions write: the journal keeps the order.
  append({storage::entry_of(attempt.record)});
  const Task& what = book_->rules.task(task);
  for (OpenPart& part : attempt.parts) {
    part.number = ++*parts_.session_numbers;
    SessionParts session_parts;
    session_parts.order.key = {book_->run.run, task, number, part.role, 0};
    session_parts.order.task = what;
    session_parts.order.device = part.phone.id;
    session_parts.order.fence = part.phone.fence;
    session_parts.order.planner = order_.planner;
    session_parts.order.reset_phone = order_.reset_phones;
    session_parts.order.deadline = parts_.timers->now() + what.limits.timeout;
    session_parts.number = part.number;
    session_parts.device = part.phone.device;
    session_parts.router = parts_.router;
    session_parts.journal = parts_.journal;
    session_parts.journal_pressure = parts_.journal_pressure;
    session_parts.dispatcher = dispatcher_actor(self_);
    session_parts.timers = parts_.timers;
    session_parts.statistics = parts_.statistics;
    session_parts.cancel = part.cancel;
    session_parts.act_is_open = part.act_is_open;
    part.session = self_->spawn<caf::monitored>(session, std::move(session_parts));
    parts_.live->add(ActorKind::session, part.session);
    ++parts_.statistics->sessions;
    watch(attempt, part);
    self_->send(part.session, Begin{});
  }
  attempt.overdue = parts_.timers->after(
      what.limits.timeout + parts_.overdue_grace, [handle = dispatcher_actor(self_), task, number] {
        caf::anon_send(handle, DispatcherTimer{Alarm::attempt_overdue, task, number});
      });
}

void dispatcher_state::watch(const OpenAttempt& attempt, const OpenPart& part) {
  sessions_[part.session.id()] = {attempt.record.task, part.number,      part.session,
                                  part.phone.device,   part.phone.fence, part.cancel};
}

void dispatcher_state::session_ended(const SessionEnded& ended) {
  const auto found = book_->attempts.find(ended.task);
  if (found == book_->attempts.end() || found->second.record.attempt != ended.attempt) return;
  for (OpenPart& part : found->second.parts) {
    if (part.role == ended.result.role) {
      part_ended(found->second, part, ended.result);
      break;
    }
  }
}

void dispatcher_state::session_died(const caf::down_msg& down) {
  const auto known = sessions_.find(down.source.id());
  if (known == sessions_.end()) return;
  const Watched gone = std::move(known->second);
  sessions_.erase(known);
  --parts_.statistics->sessions;
  if (down.reason) {
    // It did not end by itself, so that nobody else gives back what it held. Its
    // own messages are in the mailboxes before these.
    gone.cancel.cancel(CancelReason::shutdown);
    self_->send(parts_.router, LeaveLine{gone.number, true});
    self_->send(gone.device, ReleaseLease{gone.fence});
  }
  if (const auto found = book_->attempts.find(gone.task); found != book_->attempts.end()) {
    for (OpenPart& part : found->second.parts) {
      if (part.number != gone.number) continue;
      part_ended(found->second, part,
                 part.without_report(Outcome::error, book_->failure ? book_->failure->describe()
                                                                    : "the session failed: a fault of this program"));
      break;
    }
  }
  finish_if_done();
}

void dispatcher_state::part_ended(OpenAttempt& attempt, OpenPart& part, SessionResult result) {
  if (part.result) return;
  part.result = std::move(result);
  const bool well =
      verdict_of(part.result->outcome) == Verdict::passed || verdict_of(part.result->outcome) == Verdict::unverified;
  bool all_ended = true;
  for (const OpenPart& other : attempt.parts) {
    if (other.result) continue;
    all_ended = false;
    if (!well)
      self_->send(other.session, CancelSession{CancelReason::request, "another phone of this task has ended its part"});
  }
  if (!well) attempt.cancel.cancel(CancelReason::request);
  if (all_ended) end_attempt(attempt.record.task);
}

void dispatcher_state::end_attempt(const TaskId& task) {
  parts_.timers->cancel(book_->attempts.at(task).overdue);
  const BatchBook::Closed closed = book_->close(task, *parts_.timers);
  append({storage::entry_of(closed.attempt)});
  if (closed.task) record(*closed.task);
  pump();
  finish_if_done();
}

void dispatcher_state::end_late(const TaskId& task, Outcome outcome, const std::string& reason) {
  OpenAttempt& attempt = book_->attempts.at(task);
  for (OpenPart& part : attempt.parts) {
    if (part.result) continue;
    self_->send_exit(part.session, caf::exit_reason::kill);
    part.result = part.without_report(outcome, reason);
  }
  end_attempt(task);
}

void dispatcher_state::record(const TaskRecord& end) {
  append({storage::entry_of(end)});
  ++parts_.statistics->tasks_decided;
  ++parts_.statistics->verdicts[static_cast<std::size_t>(*end.verdict)];
}

void dispatcher_state::no_phones(const NoPhones& refusal) {
  const auto wish = book_->wishes.find(refusal.number);
  if (wish == book_->wishes.end()) return;
  const TaskId task = wish->second.task->id;
  book_->wishes.erase(wish);
  record(book_->give_up(task, refusal.error, parts_.timers->now()));
  pump();
  finish_if_done();
}

void dispatcher_state::phone_died(const PhoneDied& death) {
  for (auto& [task, attempt] : book_->attempts) {
    for (OpenPart& part : attempt.parts) {
      if (part.phone.id == death.id && part.phone.fence == death.fence && !part.result) {
        self_->send(part.session, DeviceGone{death.id, death.error});
      }
    }
  }
}

void dispatcher_state::stop(const StopBatch& order) {
  if (!book_ || answered_) return;
  if (order.failure && !book_->failure) book_->failure = order.failure;
  const bool storage =
      order.failure && (order.failure->code == Errc::storage_failed || order.failure->code == Errc::disk_full);
  if (storage) lose_journal(*order.failure);
  if (book_->cancelled != CancelReason::none) return finish_if_done();
  order_.cancel.cancel(order.reason);
  for (const auto& [number, start] : book_->wishes) self_->send(parts_.fleet, ForgetWant{number});
  for (const TaskRecord& end : book_->stop(order.reason, parts_.timers->now())) record(end);
  const std::string cause = book_->failure ? book_->failure->describe() : std::string();
  for (auto& [id, session] : sessions_) self_->send(session.handle, CancelSession{order.reason, cause});
  set_alarm(parts_.stop_grace, {});
  if (book_->finished()) await_last_records();
  finish_if_done();
}

void dispatcher_state::lose_journal(const Error& error) {
  if (std::exchange(journal_lost_, true)) return;
  // The journal's actor is gone: its open appends are failed by their owner.
  for (auto& [id, session] : sessions_) self_->send(session.handle, JournalAck{error});
}

void dispatcher_state::timer(const DispatcherTimer& timer) {
  if (answered_) return;
  switch (timer.alarm) {
    case Alarm::sessions_late: {
      std::vector<TaskId> late;
      for (const auto& [task, attempt] : book_->attempts) late.push_back(task);
      const Outcome outcome = book_->cancelled == CancelReason::shutdown ? Outcome::error : Outcome::cancelled;
      for (const TaskId& task : late) end_late(task, outcome, "it did not end in time after the stop");
      break;
    }
    case Alarm::attempt_overdue: {
      const auto found = book_->attempts.find(timer.task);
      if (found == book_->attempts.end() || found->second.record.attempt != timer.number) return;
      end_late(timer.task, Outcome::error, "it did not end in time after its deadline");
      break;
    }
    case Alarm::end_late:
      if (timer.number != end_alarm_) return;
      if (durable_ < appended_ && !journal_lost_ && !book_->failure) {
        book_->failure = Error{Errc::storage_failed,
                               "the journal did not confirm the last " + std::to_string(appended_ - durable_) +
                                   " writes of this run in time; what they hold may be missing from it",
                               "see that its disk works and has room"};
      }
      answer();
      break;
  }
}

void dispatcher_state::leave(const caf::error& reason) {
  order_.cancel.cancel(CancelReason::shutdown);
  for (auto& [id, session] : sessions_) self_->send_exit(session.handle, reason);
}

void dispatcher_state::set_alarm(Duration after, DispatcherTimer alarm) {
  parts_.timers->after(after,
                       [handle = dispatcher_actor(self_), alarm = std::move(alarm)] { caf::anon_send(handle, alarm); });
}

void dispatcher_state::await_last_records() {
  const bool stopped = book_->cancelled != CancelReason::none;
  set_alarm(stopped ? parts_.journal_grace : parts_.journal_patience, {Alarm::end_late, TaskId(), ++end_alarm_});
}

void dispatcher_state::finish_if_done() {
  if (answered_ || !book_ || !book_->finished()) return;
  if (!std::exchange(run_record_written_, true)) {
    book_->run.state = RunState::ended;
    book_->run.ended = parts_.timers->utc_now();
    book_->run.exit_code = book_->exit_code();
    append({storage::entry_of(book_->run)});
    await_last_records();
  }
  if (sessions_.empty() && (journal_lost_ || durable_ >= appended_)) answer();
}

void dispatcher_state::answer() {
  answered_ = true;
  self_->send(order_.supervisor, book_->summary());
}

dispatcher_actor::behavior_type dispatcher(actor_pointer<dispatcher_actor, dispatcher_state> self,
                                           DispatcherParts parts) {
  end_on_exception(self, dispatcher_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.session_died(down); });
  // Sessions are not linked: the record of a link to a long-lived actor is never freed.
  self->set_exit_handler([self](const caf::exit_msg& exit) {
    self->state.leave(exit.reason);
    self->quit(exit.reason);
  });
  self->state.start(self, std::move(parts));
  return {
      [self](const JournalAck& ack) { self->state.durable(ack); },
      [self](const RunBatch& order) { self->state.run(order); },
      [self](const PhonesGranted& granted) { self->state.granted(granted); },
      [self](const NoPhones& refusal) { self->state.no_phones(refusal); },
      [self](const PhoneDied& death) { self->state.phone_died(death); },
      [self](const SessionEnded& ended) { self->state.session_ended(ended); },
      [self](const StopBatch& order) { self->state.stop(order); },
      [self](const DispatcherTimer& timer) { self->state.timer(timer); },
  };
}

}  // namespace drover::actors
