#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "actors/call_report.hpp"
#include "actors/decision_log.hpp"
#include "actors/open_call.hpp"
#include "actors/session_phase.hpp"
#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/records.hpp"
#include "core/scene.hpp"
#include "core/task.hpp"
#include "core/world.hpp"
#include "devices/executor.hpp"
#include "planner/planner.hpp"
#include "providers/model_request.hpp"
#include "storage/journal.hpp"

namespace drover::actors {

/// What one participant's part in an attempt ended in.
struct SessionResult {
  std::string role = "main";
  Outcome outcome = Outcome::error;
  bool phone_lost = false;  ///< It went away in the middle, whatever the outcome.
  std::optional<bool> claimed;
  std::string reason;
  std::vector<AssertionResult> assertions;
  std::uint32_t steps = 0;
  std::uint32_t relooks = 0;
  std::uint32_t transport_retries = 0;
  std::uint32_t action_retries = 0;
  Usage usage;
};

/// What a session is started with.
struct SessionOrder {
  StepKey key;  ///< step is 0.
  Task task;
  DeviceId device;
  Fence fence = 0;
  std::shared_ptr<const planner::Planner> planner;
  bool reset_phone = true;  ///< Put the phone into a known state first.
  TimePoint deadline{};     ///< Of the attempt.
};

/// What the loop wants done next. The session actor carries these out in order.
namespace command {
struct PreparePhone {
  bool reset;
  std::string app;  ///< To start; empty: none.
};
struct AskForTicket {};
struct Look {
  bool screenshot;
};
struct CallModel {
  std::shared_ptr<const providers::ModelRequest> request;
  TimePoint observed_at;
  Duration observe_took;
  std::shared_ptr<OpenCall> open;  ///< What the loop reads if it has to cut the call off.
};
struct Append {
  std::vector<storage::JournalEntry> entries;
};
struct ActOn {
  std::shared_ptr<const devices::Act> act;
};
struct ReturnTicket {};
struct Withdraw {};  ///< Leave the line and cut off a call.
struct StopActing {};
struct Sleep {
  Duration time;
};
struct End {
  SessionResult result;
};
}  // namespace command

using SessionCommand = std::variant<command::PreparePhone, command::AskForTicket, command::Look, command::CallModel,
                                    command::Append, command::ActOn, command::ReturnTicket, command::Withdraw,
                                    command::StopActing, command::Sleep, command::End>;
using SessionCommands = std::vector<SessionCommand>;

/// The observe–decide–act loop of one participant, without actors and I/O: every
/// function takes what happened and gives what to do. It keeps the promises of
/// the loop: one decision in flight, the intent on disk before an act that
/// changes the phone, no act after a cancellation, an outcome for every attempt.
class SessionLoop {
 public:
  using Phase = SessionPhase;

  SessionLoop(SessionOrder order, const Clock& clock);

  SessionCommands begin();
  SessionCommands on_prepared(const Status& status);
  SessionCommands on_ticket();
  SessionCommands on_observed(const Result<std::shared_ptr<const Observation>>& look);
  /// The screen had grown stale before the call's turn came: look again, keep the ticket.
  SessionCommands on_stale();
  SessionCommands on_answer(CallReport report);
  /// A provider could not serve the open call and another has it now: for the decision log.
  void on_served_elsewhere(CallReport report);
  /// No call can be had: the line is full or no provider is in service.
  SessionCommands on_line_refused(const providers::ProviderFailure& failure);
  /// The next `Append` in order is on disk, or could not be written.
  SessionCommands on_durable(const Status& status);
  SessionCommands on_acted(const devices::ActResult& result);
  SessionCommands on_woken();
  SessionCommands on_device_gone(const Error& error);
  /// Also how the deadline ends an attempt: with CancelReason::deadline. `cause` is
  /// what the attempt's reason says; empty: what the reason means.
  SessionCommands on_cancel(CancelReason reason, std::string cause = {});

  [[nodiscard]] Phase phase() const noexcept { return phase_; }
  /// Decisions that were taken so far: acts, notes, waits and the finish_task that ended it.
  [[nodiscard]] std::uint32_t steps() const noexcept { return step_; }
  /// Whether an act may have been sent whose effect nobody has seen.
  [[nodiscard]] bool act_is_open() const noexcept { return act_in_doubt_ || (phase_ == Phase::acting && act_); }

 private:
  SessionCommands next_turn();
  SessionCommands take(planner::TurnStep step);
  SessionCommands decide(PlannedStep step);
  SessionCommands finish(const FinishTask& finish);
  SessionCommands check_assertions();
  SessionCommands act_now();
  SessionCommands record_outcome(const devices::ActResult& result);
  SessionCommands refuse_unsent(std::string cause);
  SessionCommands end(Outcome outcome, std::string reason);
  SessionCommands close(SessionCommands first);
  static SessionCommands join(SessionCommands first, SessionCommands second);
  void release_line(SessionCommands& commands);
  void append(SessionCommands& commands, std::vector<storage::JournalEntry> entries);
  [[nodiscard]] std::vector<storage::JournalEntry> pending_entries();
  void check_last_step(const Scene& now);
  void count(const DecisionRecord& record);
  /// Requests that were sent, and that no report tells of.
  void count_unanswered(const std::vector<SentRequest>& requests, std::string_view reason);
  [[nodiscard]] StepKey step_key() const;
  [[nodiscard]] std::string intent_name() const;

  SessionOrder order_;
  const Clock& clock_;
  Phase phase_ = Phase::preparing;
  WorldState world_;
  SessionResult result_;
  std::uint32_t step_ = 0;
  bool holds_ticket_ = false;
  std::shared_ptr<const Observation> observation_;
  std::unique_ptr<planner::Turn> turn_;
  std::shared_ptr<const providers::ModelRequest> request_;
  std::shared_ptr<OpenCall> open_call_;
  DecisionLog log_;
  std::shared_ptr<const devices::Act> act_;
  std::uint64_t appended_ = 0;  ///< Appends handed out, and how many are on disk.
  std::uint64_t durable_ = 0;
  std::uint64_t intent_append_ = 0;             ///< The append that the act waits for.
  std::optional<WorldEvent> open_event_;        ///< Of the act under way.
  std::optional<std::size_t> unwritten_event_;  ///< Index of the event not yet checked and written.
  std::shared_ptr<const Observation> before_act_;
  TimePoint finished_at_{};
  std::string claim_;
  bool journal_failed_ = false;
  bool act_in_doubt_ = false;  ///< The last act's effect has not been seen.
  std::string cancel_cause_;
  std::optional<CancelReason> cancelled_by_;  ///< Set while an act that was sent settles.
};

}  // namespace drover::actors
