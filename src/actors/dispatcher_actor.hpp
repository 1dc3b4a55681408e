#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/batch_book.hpp"
#include "actors/live_actors.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "actors/shared_budget.hpp"
#include "core/clock.hpp"

namespace drover::actors {

struct DispatcherParts {
  fleet_actor fleet;
  router_actor router;
  journal_actor journal;
  Timers* timers = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<SharedBudget> budget;  ///< Null: there is none.
  std::shared_ptr<JournalPressure> journal_pressure;
  std::shared_ptr<LiveActors> live;
  std::shared_ptr<std::atomic<providers::SessionNumber>> session_numbers;
  Duration stop_grace = std::chrono::milliseconds{3000};     ///< For sessions to end after a stop.
  Duration journal_grace = std::chrono::milliseconds{1000};  ///< For the last records after a stop.
  Duration journal_patience = std::chrono::seconds{30};      ///< For the last records without a stop.
  Duration overdue_grace = std::chrono::seconds{10};         ///< For sessions to end after their deadline.
};

/// One batch: gives its tasks phones and sessions, and writes down what became
/// of them. Owns and watches the sessions. Answers RunBatch when every task has a
/// verdict, every session is gone and all of it is on disk; when the journal does
/// not say so in time, with that as the failure.
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
  void timer(const DispatcherTimer& timer);
  /// When the dispatcher itself is told to go.
  void leave(const caf::error& reason);

 private:
  /// A session that has not gone yet, and what it may hold.
  struct Watched {
    TaskId task;
    providers::SessionNumber number = 0;
    session_actor handle;
    device_actor device;
    Fence fence = 0;
    CancelToken cancel;
  };

  void begin_batch();
  void take_over(const Error& fault);
  void pump();
  void begin_attempt(const TaskId& task, std::uint32_t number, const std::vector<GrantedPhone>& phones);
  void watch(const OpenAttempt& attempt, const OpenPart& part);
  void part_ended(OpenAttempt& attempt, OpenPart& part, SessionResult result);
  void end_attempt(const TaskId& task);
  /// Kills the sessions of an attempt that have not ended and ends it without them.
  void end_late(const TaskId& task, Outcome outcome, const std::string& reason);
  void lose_journal(const Error& error);
  void record(const TaskRecord& end);
  void append(std::vector<storage::JournalEntry> entries);
  void set_alarm(Duration after, DispatcherTimer alarm);
  void await_last_records();
  void finish_if_done();
  void answer();

  dispatcher_actor::pointer self_ = nullptr;
  DispatcherParts parts_;
  RunBatch order_;
  std::shared_ptr<BatchBook> book_;
  std::unordered_map<caf::actor_id, Watched> sessions_;
  std::uint64_t appended_ = 0;  ///< Sent to the journal.
  std::uint64_t durable_ = 0;   ///< Of those, said to be on disk: acks come in the order of the appends.
  std::uint64_t end_alarm_ = 0;
  bool run_record_written_ = false;
  bool journal_lost_ = false;
  bool answered_ = false;
};

dispatcher_actor::behavior_type dispatcher(actor_pointer<dispatcher_actor, dispatcher_state> self,
                                           DispatcherParts parts);

}  // namespace drover::actors
