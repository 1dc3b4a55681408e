#include "actors/dispatcher_actor.hpp"

#include <algorithm>
#include <utility>

#include "actors/session_actor.hpp"
#include "actors/supervision.hpp"
#include "core/outcome.hpp"

namespace drover::actors {
namespace {

constexpr std::size_t fewest_wishes = 16;

SessionResult crashed() {
  SessionResult result;
  result.outcome = Outcome::error;
  result.reason = "the session failed: a fault of this program";
  return result;
}

/// Of several participants the one that went worst speaks for the attempt.
bool speaks_before(const SessionResult& a, const SessionResult& b) {
  const auto rank = [](Outcome outcome) {
    if (outcome == Outcome::cancelled) return 1;  // a partner of one that ended
    return verdict_of(outcome) == Verdict::passed ? 3 : verdict_of(outcome) == Verdict::unverified ? 2 : 0;
  };
  return rank(a.outcome) < rank(b.outcome);
}

}  // namespace

void dispatcher_state::start(dispatcher_actor::pointer self, DispatcherParts parts) {
  self_ = self;
  parts_ = std::move(parts);
}

void dispatcher_state::run(const RunBatch& order) {
  order_ = order;
  parts_.statistics->tasks = static_cast<std::uint32_t>(order_.tasks.size());
  std::vector<storage::JournalEntry> entries;
  entries.push_back(storage::entry_of(order_.run));
  for (const Task& task : order_.tasks) {
    TaskRecord record;
    record.run = order_.run.run;
    record.task = task;
    entries.push_back(storage::entry_of(record));
    task_order_.push_back(task.id);
  }
  batch_.emplace(order_.tasks, order_.retries);
  append(std::move(entries));
  pump();
  finish_if_done();
}

void dispatcher_state::append(std::vector<storage::JournalEntry> entries) {
  if (journal_lost_) return;
  ++unwritten_;
  self_->send(parts_.journal, Append{std::move(entries), journal_client_actor(dispatcher_actor(self_))});
}

void dispatcher_state::durable(const JournalAck& ack) {
  if (unwritten_ > 0) --unwritten_;
  if (!ack.status.ok() && !journal_lost_) {
    journal_lost_ = true;
    unwritten_ = 0;
    stop({CancelReason::shutdown, ack.status.error()});
  }
  finish_if_done();
}

void dispatcher_state::pump() {
  if (cancelled_ != CancelReason::none) return;
  const std::size_t parallel = order_.parallel > 0 ? order_.parallel : std::max<std::size_t>(order_.run.devices, 1);
  while (attempts_.size() + wishes_.size() < parallel) {
    auto start = batch_->next();
    if (!start) return;
    WantPhones wish;
    wish.number = ++wish_number_;
    wish.roles = start->task->roles;
    wish.device = start->task->device;
    wish.avoid = start->avoid;
    wish.dispatcher = dispatcher_actor(self_);
    wishes_.emplace(wish.number, std::move(*start));
    self_->send(parts_.fleet, std::move(wish));
  }
}

void dispatcher_state::granted(const PhonesGranted& granted) {
  const auto wish = wishes_.find(granted.number);
  if (wish == wishes_.end() || cancelled_ != CancelReason::none) {
    for (const GrantedPhone& phone : granted.phones) {
      self_->send(parts_.fleet, PhoneReleased{phone.id, phone.fence, true});
    }
    if (wish != wishes_.end()) wishes_.erase(wish);
    return;
  }
  const Batch::Start start = wish->second;
  wishes_.erase(wish);
  begin_attempt(start.task->id, start.attempt, granted.phones);
}

void dispatcher_state::begin_attempt(const TaskId& task, std::uint32_t number, std::vector<GrantedPhone> phones) {
  Attempt& attempt = attempts_[task];
  attempt.started = parts_.timers->now();
  attempt.cancel = order_.cancel.child();
  attempt.record.run = order_.run.run;
  attempt.record.task = task;
  attempt.record.attempt = number;
  attempt.record.versions = order_.run.versions;
  attempt.record.started = parts_.timers->utc_now();
  ++parts_.statistics->attempts;
  if (number > 1) ++parts_.statistics->retried_attempts;
  const Task& what = batch_->task(task);
  for (GrantedPhone& phone : phones) {
    const SessionId id(order_.run.run.value + "/" + task.value + "/" + std::to_string(number) + "/" + phone.role);
    attempt.record.participants.push_back({phone.role, phone.id, id, phone.fence});
    attempt.parts.push_back({phone.role, phone, session_actor{}, std::nullopt});
  }
  // The record goes before anything that the sessions write: the journal keeps the order.
  append({storage::entry_of(attempt.record)});
  for (Part& part : attempt.parts) {
    SessionParts session_parts;
    session_parts.order.key = {order_.run.run, task, number, part.role, 0};
    session_parts.order.task = what;
    session_parts.order.device = part.phone.id;
    session_parts.order.fence = part.phone.fence;
    session_parts.order.planner = order_.planner;
    session_parts.order.reset_phone = order_.reset_phones;
    session_parts.order.deadline = attempt.started + what.limits.timeout;
    session_parts.number = ++*parts_.session_numbers;
    session_parts.device = part.phone.device;
    session_parts.router = parts_.router;
    session_parts.journal = parts_.journal;
    session_parts.dispatcher = dispatcher_actor(self_);
    session_parts.timers = parts_.timers;
    session_parts.statistics = parts_.statistics;
    session_parts.cancel = attempt.cancel;
    part.session = self_->spawn<caf::monitored>(session, std::move(session_parts));
    by_session_[part.session.id()] = task;
    self_->send(part.session, Begin{});
  }
}

void dispatcher_state::session_ended(const SessionEnded& ended) {
  const auto found = attempts_.find(ended.task);
  if (found == attempts_.end() || found->second.record.attempt != ended.attempt) return;
  for (Part& part : found->second.parts) {
    if (part.role == ended.result.role) {
      part_ended(found->second, part, ended.result);
      break;
    }
  }
}

void dispatcher_state::session_died(const caf::down_msg& down) {
  const auto known = by_session_.find(down.source.id());
  if (known == by_session_.end()) return;
  const TaskId task = known->second;
  by_session_.erase(known);
  const auto found = attempts_.find(task);
  if (found == attempts_.end()) return;
  for (Part& part : found->second.parts) {
    if (part.session && part.session.address() == down.source && !part.result) {
      self_->send(part.phone.device, ReleaseLease{part.phone.fence});
      part_ended(found->second, part, crashed());
      break;
    }
  }
}

void dispatcher_state::part_ended(Attempt& attempt, Part& part, SessionResult result) {
  if (part.result) return;
  part.result = std::move(result);
  const bool well =
      verdict_of(part.result->outcome) == Verdict::passed || verdict_of(part.result->outcome) == Verdict::unverified;
  bool all_ended = true;
  for (const Part& other : attempt.parts) {
    if (other.result) continue;
    all_ended = false;
    if (!well) self_->send(other.session, CancelSession{CancelReason::request});
  }
  if (all_ended) end_attempt(attempt.record.task);
}

void dispatcher_state::end_attempt(const TaskId& task) {
  auto node = attempts_.extract(task);
  Attempt& attempt = node.mapped();
  AttemptRecord& record = attempt.record;
  const SessionResult* spokesman = nullptr;
  std::vector<DeviceId> devices;
  for (const Part& part : attempt.parts) {
    const SessionResult& result = *part.result;
    devices.push_back(part.phone.id);
    record.steps += result.steps;
    record.relooks += result.relooks;
    record.transport_retries += result.transport_retries;
    record.action_retries += result.action_retries;
    record.usage.add(result.usage);
    for (const auto& assertion : result.assertions) record.assertions.push_back(assertion);
    if (result.claimed) record.claimed = record.claimed.value_or(true) && *result.claimed;
    if (spokesman == nullptr || speaks_before(result, *spokesman)) spokesman = &result;
  }
  record.ended = parts_.timers->utc_now();
  record.outcome = spokesman->outcome;
  record.reason = spokesman->reason;
  append({storage::entry_of(record)});

  const Batch::Ended ended = batch_->attempt_ended(task, spokesman->outcome, devices);
  if (!ended.again) record_end(task, spokesman->outcome, spokesman->reason, ended.flaky, &attempt);
  pump();
  finish_if_done();
}

void dispatcher_state::record_end(const TaskId& task, Outcome outcome, std::string reason, bool flaky,
                                  const Attempt* attempt) {
  TaskRecord record;
  record.run = order_.run.run;
  record.task = batch_->task(task);
  record.outcome = outcome;
  record.verdict = verdict_of(outcome);
  record.attempts = batch_->attempts_of(task);
  record.reason = reason;
  record.flaky = flaky;
  append({storage::entry_of(record)});
  TaskEnd end;
  end.task = task;
  end.verdict = verdict_of(outcome);
  end.outcome = outcome;
  end.reason = std::move(reason);
  end.attempts = record.attempts;
  end.flaky = flaky;
  if (attempt != nullptr) {
    end.steps = attempt->record.steps;
    end.took = parts_.timers->now() - attempt->started;
    end.usage = attempt->record.usage;
  }
  ++parts_.statistics->tasks_decided;
  ++parts_.statistics->verdicts[static_cast<std::size_t>(end.verdict)];
  ends_[task] = std::move(end);
}

void dispatcher_state::no_phones(const NoPhones& refusal) {
  const auto wish = wishes_.find(refusal.number);
  if (wish == wishes_.end()) return;
  const TaskId task = wish->second.task->id;
  wishes_.erase(wish);
  batch_->give_up(task, Outcome::device_lost);
  record_end(task, Outcome::device_lost, refusal.error.describe(), false, nullptr);
  pump();
  finish_if_done();
}

void dispatcher_state::phone_died(const PhoneDied& death) {
  for (auto& [task, attempt] : attempts_) {
    for (Part& part : attempt.parts) {
      if (part.phone.id == death.id && part.phone.fence == death.fence && !part.result) {
        self_->send(part.session, DeviceGone{death.id, death.error});
      }
    }
  }
}

void dispatcher_state::stop(const StopBatch& order) {
  if (cancelled_ != CancelReason::none || !batch_) return;
  cancelled_ = order.reason;
  failure_ = order.failure;
  if (failure_ && failure_->code == Errc::storage_failed) journal_lost_ = true;
  const Outcome outcome = order.reason == CancelReason::shutdown ? Outcome::error : Outcome::cancelled;
  const std::string reason = failure_ ? failure_->describe() : "the run was stopped before this task began";
  for (auto& [number, start] : wishes_) {
    self_->send(parts_.fleet, ForgetWant{number});
    batch_->put_back(start.task->id);
  }
  wishes_.clear();
  for (const TaskId& task : batch_->stop(outcome)) record_end(task, outcome, reason, false, nullptr);
  for (auto& [task, attempt] : attempts_) {
    for (Part& part : attempt.parts) {
      if (!part.result) self_->send(part.session, CancelSession{order.reason});
    }
  }
  parts_.timers->after(parts_.stop_grace,
                       [handle = dispatcher_actor(self_)] { caf::anon_send(handle, DispatcherTimer{}); });
  finish_if_done();
}

void dispatcher_state::timer() {
  // Whoever has not ended by now is counted as what the stop made of it.
  std::vector<TaskId> late;
  for (auto& [task, attempt] : attempts_) late.push_back(task);
  for (const TaskId& task : late) {
    for (Part& part : attempts_.at(task).parts) {
      if (part.result) continue;
      self_->send_exit(part.session, caf::exit_reason::kill);
      SessionResult result;
      result.role = part.role;
      result.outcome = cancelled_ == CancelReason::shutdown ? Outcome::error : Outcome::cancelled;
      result.reason = "it did not end in time after the stop";
      part.result = std::move(result);
    }
    end_attempt(task);
  }
  unwritten_ = 0;
  finish_if_done();
}

void dispatcher_state::end_sessions(const caf::error& reason) {
  for (auto& [task, attempt] : attempts_) {
    for (Part& part : attempt.parts) self_->send_exit(part.session, reason);
  }
}

int dispatcher_state::exit_code() const {
  std::vector<int> codes;
  if (cancelled_ == CancelReason::user) codes.push_back(exit_code::interrupted);
  if (cancelled_ == CancelReason::terminated) codes.push_back(exit_code::terminated);
  if (cancelled_ == CancelReason::request) codes.push_back(exit_code::cancelled);
  if (failure_) {
    codes.push_back(failure_->code == Errc::internal ? exit_code::internal : exit_code::infrastructure);
  }
  bool no_device_only = !ends_.empty();
  for (const auto& [task, end] : ends_) {
    codes.push_back(exit_code_of(end.verdict, order_.require_assertions));
    no_device_only = no_device_only && end.outcome == Outcome::device_lost && end.attempts <= 1 && end.steps == 0;
  }
  if (order_.tasks.empty()) codes.push_back(exit_code::nothing_selected);
  if (no_device_only && parts_.statistics->attempts == 0) codes.assign({exit_code::no_device});
  return first_exit_code(codes);
}

void dispatcher_state::finish_if_done() {
  if (answered_ || !batch_ || !batch_->finished() || !attempts_.empty() || unwritten_ > 0) return;
  if (!run_record_written_ && !journal_lost_) {
    run_record_written_ = true;
    order_.run.state = RunState::ended;
    order_.run.ended = parts_.timers->utc_now();
    order_.run.exit_code = exit_code();
    append({storage::entry_of(order_.run)});
    return;
  }
  BatchEnded ended;
  for (const TaskId& task : task_order_) {
    if (const auto end = ends_.find(task); end != ends_.end()) ended.tasks.push_back(end->second);
  }
  ended.failure = failure_;
  ended.cancelled = cancelled_;
  ended.exit_code = exit_code();
  answered_ = true;
  self_->send(order_.supervisor, std::move(ended));
}

dispatcher_actor::behavior_type dispatcher(actor_pointer<dispatcher_actor, dispatcher_state> self,
                                           DispatcherParts parts) {
  end_on_exception(self, dispatcher_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.session_died(down); });
  // Sessions are not linked: the record of a link to a long-lived actor is never freed.
  self->set_exit_handler([self](const caf::exit_msg& exit) {
    self->state.end_sessions(exit.reason);
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
      [self](const DispatcherTimer&) { self->state.timer(); },
  };
}

}  // namespace drover::actors
