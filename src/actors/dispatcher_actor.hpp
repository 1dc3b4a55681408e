#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "core/batch.hpp"
#include "core/clock.hpp"

namespace drover::actors {

struct DispatcherParts {
  fleet_actor fleet;
  router_actor router;
  journal_actor journal;
  Timers* timers = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<std::atomic<providers::SessionNumber>> session_numbers;
  Duration stop_grace = std::chrono::milliseconds{3500};  ///< For sessions to end after a stop.
};

/// One batch: gives its tasks phones and sessions, and writes down what became
/// of them. Owns and watches the sessions. Answers RunBatch when every task has
/// a verdict and all of it is on disk.
class dispatcher_state {
 public:
  static inline const char* name = "dispatcher";
  dispatcher_state() = default;

  void start(dispatcher_actor::pointer self, DispatcherParts parts);
  void run(const RunBatch& order);
  void granted(const PhonesGranted& granted);
  void no_phones(const NoPhones& refusal);
  void phone_died(const PhoneDied& death);
  void session_ended(const SessionEnded& ended);
  void session_died(const caf::down_msg& down);
  void stop(const StopBatch& order);
  void durable(const JournalAck& ack);
  void timer();
  /// When the dispatcher itself is told to go.
  void end_sessions(const caf::error& reason);

 private:
  struct Part {
    std::string role;
    GrantedPhone phone;
    session_actor session;
    std::optional<SessionResult> result;
  };
  struct Attempt {
    AttemptRecord record;
    std::vector<Part> parts;
    TimePoint started{};
    CancelToken cancel;
  };

  void pump();
  void begin_attempt(const TaskId& task, std::uint32_t number, std::vector<GrantedPhone> phones);
  void part_ended(Attempt& attempt, Part& part, SessionResult result);
  void end_attempt(const TaskId& task);
  void record_end(const TaskId& task, Outcome outcome, std::string reason, bool flaky, const Attempt* attempt);
  void append(std::vector<storage::JournalEntry> entries);
  void finish_if_done();
  [[nodiscard]] int exit_code() const;

  dispatcher_actor::pointer self_ = nullptr;
  DispatcherParts parts_;
  RunBatch order_;
  std::optional<Batch> batch_;
  std::map<TaskId, Attempt> attempts_;  ///< Under way.
  std::unordered_map<caf::actor_id, TaskId> by_session_;
  std::map<std::uint64_t, Batch::Start> wishes_;  ///< Tasks that wait for phones.
  std::map<TaskId, TaskEnd> ends_;
  std::vector<TaskId> task_order_;
  std::uint64_t wish_number_ = 0;
  std::uint64_t unwritten_ = 0;  ///< Appends not yet on disk.
  std::optional<Error> failure_;
  CancelReason cancelled_ = CancelReason::none;
  bool run_record_written_ = false;
  bool journal_lost_ = false;
  bool answered_ = false;
};

dispatcher_actor::behavior_type dispatcher(actor_pointer<dispatcher_actor, dispatcher_state> self,
                                           DispatcherParts parts);

}  // namespace drover::actors
