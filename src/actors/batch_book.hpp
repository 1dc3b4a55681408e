#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/messages.hpp"
#include "core/batch.hpp"
#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/records.hpp"

namespace drover::actors {

/// One participant of an attempt that is under way.
struct OpenPart {
  std::string role;
  GrantedPhone phone;
  session_actor session;
  providers::SessionNumber number = 0;
  CancelToken cancel;                              ///< Child of the attempt's.
  std::shared_ptr<std::atomic<bool>> act_is_open;  ///< Written by its session.
  std::optional<SessionResult> result;

  /// What to say of a session that is gone without a word: `outcome`, or in doubt
  /// when it may have sent an act whose effect nobody has seen.
  [[nodiscard]] SessionResult without_report(Outcome outcome, std::string reason) const;
};

/// An attempt that is under way.
struct OpenAttempt {
  AttemptRecord record;
  std::vector<OpenPart> parts;
  CancelToken cancel;  ///< Child of the run's.
  TimerId overdue = 0;
};

/// All that is known of one batch, and what becomes of its attempts, tasks and
/// exit code. Decides, and sends nothing. It outlives a dispatcher that fails:
/// the next one ends the batch from it, so that every task has a verdict even
/// then. One actor at a time touches it.
class BatchBook {
 public:
  explicit BatchBook(const RunBatch& order);

  /// Opens an attempt of a task on these phones.
  OpenAttempt& open(const TaskId& task, std::uint32_t number, const std::vector<GrantedPhone>& phones,
                    const CancelToken& run, const Clock& clock);

  struct Closed {
    AttemptRecord attempt;
    std::optional<TaskRecord> task;  ///< Nothing: another attempt will be made.
  };
  /// Closes an attempt, all of whose parts have a result.
  Closed close(const TaskId& task, const Clock& clock);

  /// Ends a task that can never have its phones, or a call.
  TaskRecord give_up(const TaskId& task, const Error& why, TimePoint now);
  /// Begins no further attempt; gives the tasks that ended by it.
  std::vector<TaskRecord> stop(CancelReason reason, TimePoint now);
  /// Ends what a dispatcher that failed left undecided.
  std::vector<TaskRecord> end_undecided(const Error& why, TimePoint now);

  /// Whether every task has its verdict and no attempt is open.
  [[nodiscard]] bool finished() const noexcept { return rules.finished() && attempts.empty(); }
  /// The first that holds in the order of first_exit_code(); no task having had a phone is 18.
  [[nodiscard]] int exit_code() const;
  [[nodiscard]] BatchSummary summary() const;

  Batch rules;
  RunRecord run;
  std::map<TaskId, OpenAttempt> attempts;        ///< Under way.
  std::map<std::uint64_t, Batch::Start> wishes;  ///< Tasks that wait for phones, by the wish's number.
  std::uint64_t wish_number = 0;
  std::optional<Error> failure;  ///< What ended the batch early, if anything.
  CancelReason cancelled = CancelReason::none;

 private:
  /// Over all attempts of a task.
  struct Spent {
    std::uint32_t steps = 0;
    Usage usage;
    TimePoint began{};
    std::string reason;  ///< Of the last.
    std::vector<DeviceId> lost_phones;
  };
  TaskRecord end(const TaskId& task, std::string reason, bool flaky, TimePoint now);

  std::vector<TaskId> order_;
  bool require_assertions_ = false;
  std::map<TaskId, Spent> spent_;  ///< Only of tasks that had an attempt.
  std::map<TaskId, TaskSummary> ends_;
};

}  // namespace drover::actors
