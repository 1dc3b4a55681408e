#include "actors/session_loop.hpp"

#include <algorithm>
#include <utility>

#include "actors/session_ending.hpp"
#include "core/sentence.hpp"
#include "core/typed_secrets.hpp"
#include "core/verification.hpp"
#include "planner/loop_detection.hpp"
#include "planner/world_model.hpp"

namespace drover::actors {
namespace {

constexpr Duration settle_grace = std::chrono::seconds{2};
constexpr Duration assertion_poll = std::chrono::milliseconds{300};

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

}  // namespace

SessionLoop::SessionLoop(SessionOrder order, const Clock& clock)
    : order_(std::move(order)), clock_(clock), log_(order_.key, clock) {
  result_.role = order_.key.role;
}

StepKey SessionLoop::step_key() const {
  StepKey key = order_.key;
  key.step = step_;
  return key;
}

std::string SessionLoop::intent_name() const {
  return order_.key.run.value + "/" + order_.key.task.value + "/" + std::to_string(order_.key.attempt) + "/" +
         order_.key.role + "/" + std::to_string(step_);
}

SessionCommands SessionLoop::begin() {
  phase_ = Phase::preparing;
  return {command::PreparePhone{order_.reset_phone, order_.task.app}};
}

SessionCommands SessionLoop::on_prepared(const Status& status) {
  if (phase_ != Phase::preparing) return {};
  if (!status.ok()) return end(outcome_of(status.error()), typed_reason(status.error(), "PreparationFailed"));
  return next_turn();
}

SessionCommands SessionLoop::next_turn() {
  if (step_ >= order_.task.limits.max_steps) {
    return end(Outcome::step_limit, "not done after " + std::to_string(step_) + " steps");
  }
  phase_ = Phase::waiting_for_ticket;
  return {command::AskForTicket{}};
}

SessionCommands SessionLoop::on_ticket() {
  if (phase_ != Phase::waiting_for_ticket) return {command::ReturnTicket{}};
  holds_ticket_ = true;
  phase_ = Phase::looking;
  return {command::Look{order_.planner->wants_screenshot()}};
}

void SessionLoop::check_last_step(const Scene& now) {
  if (!unwritten_event_ || !before_act_) return;
  WorldEvent& event = world_.events[*unwritten_event_];
  if (event.action) planner::check(event, verify(*event.action, before_act_->scene, now));
}

SessionCommands SessionLoop::on_observed(const Result<std::shared_ptr<const Observation>>& look) {
  if (phase_ != Phase::looking && phase_ != Phase::checking) return {};
  if (!look.ok()) {
    return end(outcome_of(look.error()), typed_reason(look.error(), "ObservationFailed"));
  }
  observation_ = *look;
  act_in_doubt_ = false;
  planner::observe(world_, observation_->scene);
  if (phase_ == Phase::checking) return check_assertions();

  check_last_step(observation_->scene);
  if (const auto loop = planner::look_for_loop(world_); loop.stage == planner::LoopStage::stuck) {
    return end(Outcome::stuck, "the same action had no effect " + std::to_string(loop.times) + " times");
  }

  planner::TurnInput input;
  input.task = &order_.task;
  input.role = order_.key.role;
  input.world = &world_;
  input.scene = &observation_->scene;
  input.step = step_ + 1;
  input.max_steps = order_.task.limits.max_steps;
  if (observation_->screenshot) {
    input.screenshot = std::shared_ptr<const Screenshot>(observation_, &*observation_->screenshot);
  }
  if (turn_) return take(order_.planner->look_again(*turn_, input));
  log_.begin_turn(input.step);
  turn_ = order_.planner->begin(input);
  return take(turn_->start());
}

SessionCommands SessionLoop::on_stale() {
  if (phase_ != Phase::waiting_for_answer) return {};
  ++result_.relooks;
  count_unanswered(open_call_->take_all(), "the screen had grown stale");
  log_.take_back();
  phase_ = Phase::looking;
  SessionCommands commands;
  // Not kept until the turn ends: in a storm there may be many.
  append(commands, log_.take_entries());
  commands.push_back(command::Look{order_.planner->wants_screenshot()});
  return commands;
}

SessionCommands SessionLoop::take(planner::TurnStep step) {
  return std::visit(Overloaded{
                        [&](std::shared_ptr<const providers::ModelRequest>& request) -> SessionCommands {
                          phase_ = Phase::waiting_for_answer;
                          request_ = std::move(request);
                          log_.ask(request_, observation_);
                          open_call_ = std::make_shared<OpenCall>();
                          return {command::CallModel{request_, observation_->taken_at, observation_->took, open_call_}};
                        },
                        [&](Decision& decision) -> SessionCommands {
                          turn_.reset();
                          return std::visit(Overloaded{[&](PlannedStep& planned) { return decide(std::move(planned)); },
                                                       [&](const FinishTask& done) { return finish(done); }},
                                            decision);
                        },
                        [&](const Error& error) -> SessionCommands {
                          turn_.reset();
                          return end(outcome_of(error), error.describe());
                        },
                    },
                    step);
}

void SessionLoop::count(const DecisionRecord& record) {
  result_.transport_retries += record.retries;
  result_.usage.add(record.usage);
}

void SessionLoop::count_unanswered(const std::vector<SentRequest>& requests, std::string_view reason) {
  // How often it was sent again, all told, stands in the record of the last try.
  for (const SentRequest& request : requests) result_.usage.add(log_.unanswered(request, reason).usage);
}

void SessionLoop::on_served_elsewhere(CallReport report) {
  if (phase_ != Phase::waiting_for_answer || !turn_) return;
  count_unanswered(open_call_->take_before(report.sent), "it was sent again");
  count(log_.served_elsewhere(report));
}

SessionCommands SessionLoop::on_answer(CallReport report) {
  if (phase_ != Phase::waiting_for_answer || !turn_) return {};
  count_unanswered(open_call_->take_before(report.sent), "it was sent again");
  count(log_.answered(report));
  planner::TurnStep step = turn_->next({std::move(report.answer), report.asked, report.structured_output_supported});
  log_.concluded(step, turn_->notes());
  return take(std::move(step));
}

SessionCommands SessionLoop::on_line_refused(const providers::ProviderFailure& failure) {
  if (phase_ == Phase::waiting_for_answer && turn_) {
    CallReport report;
    report.asked = request_->rung;
    providers::ProviderFailure told = failure;
    if (auto sent = open_call_->last()) {
      // Sent by an actor that has failed since, or refused: else it has a record of its own.
      if (sent->error.empty() || sent->usage == Usage{}) {
        report.sent = sent->number;
        told.usage = std::move(sent->usage);
      }
      report.provider = std::move(sent->provider);
      report.model = std::move(sent->model);
      report.prompt_hash = std::move(sent->prompt_hash);
      report.prompt_bytes = sent->prompt_bytes;
      report.retries = sent->retries;
    }
    report.answer = std::move(told);
    return on_answer(std::move(report));
  }
  if (phase_ != Phase::waiting_for_ticket) return {};
  std::string reason = "ToolCallUnavailable: " + failure.cause;
  if (!failure.remedy.empty()) reason += " (" + failure.remedy + ")";
  return end(Outcome::provider_unavailable, std::move(reason));
}

void SessionLoop::append(SessionCommands& commands, std::vector<storage::JournalEntry> entries) {
  if (entries.empty() || journal_failed_) return;
  ++appended_;
  commands.push_back(command::Append{std::move(entries)});
}

std::vector<storage::JournalEntry> SessionLoop::pending_entries() {
  std::vector<storage::JournalEntry> entries;
  if (unwritten_event_) {
    StepRecord record;
    record.key = order_.key;
    record.key.step = world_.events[*unwritten_event_].step;
    WorldEvent& event = world_.events[*unwritten_event_];
    record.event = std::move(event);
    entries.push_back(storage::entry_of(record));
    event = std::move(record.event);
    planner::forget_thoughts(event);
    unwritten_event_.reset();
  }
  for (auto& entry : log_.take_entries()) entries.push_back(std::move(entry));
  return entries;
}

SessionCommands SessionLoop::decide(PlannedStep step) {
  SessionCommands commands;
  if (std::exchange(holds_ticket_, false)) commands.push_back(command::ReturnTicket{});
  auto entries = pending_entries();
  request_.reset();
  if (observation_->screenshot) {
    // Pictures are for those who hold a ticket: what is acted on and compared later is the scene.
    auto bare = std::make_shared<Observation>();
    bare->scene = observation_->scene;
    bare->taken_at = observation_->taken_at;
    bare->took = observation_->took;
    observation_ = std::move(bare);
  }
  ++step_;
  result_.steps = step_;
  open_event_ = planner::make_event(step, observation_->scene, step_);
  before_act_ = observation_;

  auto act = std::make_shared<devices::Act>();
  act->intent = intent_name();
  act->fence = order_.fence;
  act->step = std::move(step);
  act->decided_on = std::shared_ptr<const Scene>(observation_, &observation_->scene);
  act_ = std::move(act);

  const bool needs_intent = changes_phone(act_->step.action);
  if (needs_intent) {
    IntentRecord intent;
    intent.key = step_key();
    intent.intent = act_->intent;
    intent.fence = order_.fence;
    intent.device = order_.device;
    intent.page = observation_->scene.page;
    intent.step = act_->step;
    intent.step.action = mask_secret(std::move(intent.step.action), observation_->scene);
    intent.at = clock_.utc_now();
    entries.push_back(storage::entry_of(intent));
  }
  append(commands, std::move(entries));
  if (needs_intent) {
    intent_append_ = appended_;
    phase_ = Phase::saving_intent;
    return commands;
  }
  for (auto& further : act_now()) commands.push_back(std::move(further));
  return commands;
}

SessionCommands SessionLoop::act_now() {
  if (std::holds_alternative<Note>(act_->step.action)) {
    devices::ActResult noted;
    noted.status = ActStatus::done;
    return join(record_outcome(noted), next_turn());
  }
  phase_ = Phase::acting;
  return {command::ActOn{act_}};
}

SessionCommands SessionLoop::on_durable(const Status& status) {
  if (phase_ == Phase::ended) return {};
  ++durable_;
  if (!status.ok()) {
    if (result_.reason.empty() || phase_ != Phase::closing) {
      result_.outcome = Outcome::error;
      result_.reason = status.error().describe();
    }
    journal_failed_ = true;
    if (phase_ == Phase::acting && act_) return {};  // its answer ends the attempt
    SessionCommands commands;
    release_line(commands);
    return close(std::move(commands));
  }
  if (phase_ == Phase::saving_intent && durable_ >= intent_append_) return act_now();
  if (phase_ == Phase::closing) return close({});
  return {};
}

SessionCommands SessionLoop::record_outcome(const devices::ActResult& result) {
  SessionCommands commands;
  planner::settle(*open_event_, result.status, result.error ? result.error->describe() : std::string());
  planner::record(world_, std::move(*open_event_));
  open_event_.reset();
  unwritten_event_ = world_.events.size() - 1;
  if (changes_phone(act_->step.action)) {
    OutcomeRecord record;
    record.key = step_key();
    record.intent = act_->intent;
    record.status = result.status;
    if (result.error) record.cause = result.error->describe();
    record.tries = result.tries;
    record.took = result.took;
    record.at = clock_.utc_now();
    append(commands, {storage::entry_of(record)});
  }
  result_.action_retries += result.tries > 0 ? result.tries - 1 : 0;
  act_in_doubt_ = result.status == ActStatus::in_doubt;
  act_.reset();
  return commands;
}

SessionCommands SessionLoop::on_acted(const devices::ActResult& result) {
  if (phase_ != Phase::acting || !act_ || result.intent != act_->intent) return {};
  SessionCommands commands = record_outcome(result);
  if (cancelled_by_) {
    return join(std::move(commands), end(outcome_of(*cancelled_by_),
                                         cancel_cause_.empty() ? sentence_of(*cancelled_by_, phase_) : cancel_cause_));
  }
  if (result_.outcome == Outcome::error && !result_.reason.empty()) return close(std::move(commands));
  if (result.error && result.error->code == Errc::stale_fence) {
    return join(std::move(commands), end(Outcome::device_lost, "DeviceLost: " + result.error->describe()));
  }
  return join(std::move(commands), next_turn());
}

SessionCommands SessionLoop::finish(const FinishTask& done) {
  ++step_;
  result_.steps = step_;
  result_.claimed = done.success;
  if (!done.success) return end(Outcome::failed, "TaskFailedError: " + done.reason);
  if (order_.task.assertions.empty() || !order_.planner->can_pass()) {
    return end(Outcome::claimed_success, done.reason);
  }
  claim_ = done.reason;
  finished_at_ = clock_.now();
  return check_assertions();
}

SessionCommands SessionLoop::check_assertions() {
  result_.assertions.clear();
  bool all_held = true;
  bool may_still_hold = false;
  std::string missed;
  for (const Assertion& assertion : order_.task.assertions) {
    AssertionResult checked = evaluate(assertion, observation_->scene);
    if (!checked.held) {
      all_held = false;
      may_still_hold = may_still_hold || clock_.now() - finished_at_ < assertion.within;
      const std::string miss = "expected " + describe(assertion) + ", but " + checked.observed;
      missed = missed.empty() ? miss : two_statements(missed, miss);
    }
    result_.assertions.push_back(std::move(checked));
  }
  if (all_held) return end(Outcome::verified_success, claim_);
  if (!may_still_hold) return end(Outcome::claimed_but_refuted, missed);
  phase_ = Phase::checking;
  SessionCommands commands;
  if (std::exchange(holds_ticket_, false)) commands.push_back(command::ReturnTicket{});
  commands.push_back(command::Sleep{assertion_poll});
  return commands;
}

SessionCommands SessionLoop::on_woken() {
  if (phase_ == Phase::checking) return {command::Look{false}};
  if (phase_ == Phase::acting && cancelled_by_ && act_) {
    devices::ActResult unseen;
    unseen.intent = act_->intent;
    unseen.status = ActStatus::in_doubt;
    unseen.error = Error{Errc::in_doubt, "the phone had not answered when the task was stopped", ""};
    unseen.took = settle_grace;
    return on_acted(unseen);
  }
  return {};
}

SessionCommands SessionLoop::on_device_gone(const Error& error) {
  if (phase_ == Phase::closing || phase_ == Phase::ended) return {};
  SessionCommands commands;
  if (phase_ == Phase::saving_intent && act_) {
    commands = refuse_unsent("the phone went away before it was sent");
  } else if (phase_ == Phase::acting && act_) {
    devices::ActResult unseen;
    unseen.intent = act_->intent;
    unseen.status = ActStatus::in_doubt;
    unseen.error = error;
    commands = record_outcome(unseen);
  }
  return join(std::move(commands), end(Outcome::device_lost, "DeviceLost: " + error.describe()));
}

SessionCommands SessionLoop::refuse_unsent(std::string cause) {
  devices::ActResult refused;
  refused.intent = act_->intent;
  refused.status = ActStatus::refused;
  refused.error = Error{Errc::cancelled, std::move(cause), ""};
  return record_outcome(refused);
}

SessionCommands SessionLoop::on_cancel(CancelReason reason, std::string cause) {
  if (phase_ == Phase::closing || phase_ == Phase::ended || cancelled_by_) return {};
  SessionCommands commands;
  if (phase_ == Phase::acting && act_) {
    cancelled_by_ = reason;
    cancel_cause_ = std::move(cause);
    return {command::StopActing{}, command::Sleep{settle_grace}};
  }
  if (phase_ == Phase::saving_intent && act_) commands = refuse_unsent("stopped before it was sent");
  return join(std::move(commands),
              end(outcome_of(reason), cause.empty() ? sentence_of(reason, phase_) : std::move(cause)));
}

void SessionLoop::release_line(SessionCommands& commands) {
  if (phase_ == Phase::waiting_for_ticket || phase_ == Phase::waiting_for_answer) {
    commands.push_back(command::Withdraw{});
    holds_ticket_ = false;
  }
  if (std::exchange(holds_ticket_, false)) commands.push_back(command::ReturnTicket{});
}

SessionCommands SessionLoop::end(Outcome outcome, std::string reason) {
  SessionCommands commands;
  result_.phone_lost = outcome == Outcome::device_lost;
  if (phase_ == Phase::waiting_for_answer && turn_ && request_) {
    if (const auto last = open_call_->last()) result_.transport_retries += last->retries;
    count_unanswered(open_call_->take_all(), reason);
  }
  release_line(commands);
  result_.outcome = act_in_doubt_ && leaves_open(outcome) ? Outcome::in_doubt : outcome;
  result_.reason = std::move(reason);
  append(commands, pending_entries());
  turn_.reset();
  request_.reset();
  return close(std::move(commands));
}

SessionCommands SessionLoop::close(SessionCommands first) {
  if (durable_ < appended_ && !journal_failed_) {
    phase_ = Phase::closing;
    return first;
  }
  phase_ = Phase::ended;
  observation_.reset();
  before_act_.reset();
  first.push_back(command::End{result_});
  return first;
}

SessionCommands SessionLoop::join(SessionCommands first, SessionCommands second) {
  for (auto& command : second) first.push_back(std::move(command));
  return first;
}

}  // namespace drover::actors
