#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/dispatcher_actor.hpp"
#include "actors/fleet_actor.hpp"
#include "actors/journal_actor.hpp"
#include "actors/live_actors.hpp"
#include "actors/messages.hpp"
#include "actors/provider_actor.hpp"
#include "actors/restart_rule.hpp"
#include "actors/router_actor.hpp"

namespace drover::actors {

/// What a whole process of actors is made of. Everything that is pointed to
/// outlives the actor system.
struct SupervisorParts {
  std::shared_ptr<storage::Journal> journal;
  std::vector<ProviderParts> providers;  ///< In order; router, timers and statistics are filled in here.
  providers::AdmissionOptions admission;
  FleetParts fleet;  ///< Journal, timers, statistics and live are filled in here.
  Timers* timers = nullptr;
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<JournalPressure> journal_pressure;
  std::shared_ptr<LiveActors> live;
  std::shared_ptr<SharedBudget> budget;  ///< Null: there is none.
  RestartOptions provider_restarts;
  bool journal_on_own_thread = true;  ///< False only where time is simulated: its writes block.
};

/// What the supervisor keeps: the handles of its household and who waits for the batch.
class supervisor_state {
 public:
  static inline const char* name = "supervisor";
  supervisor_state() = default;

  void start(supervisor_actor::pointer self, SupervisorParts parts);
  void run(const StartBatch& order);
  void ended(const BatchSummary& ended);
  void stop(const StopBatch& order);
  void died(const caf::down_msg& down);
  void restart(std::size_t place);
  /// Asked to go: at once, or when the batch that runs has been stopped and has ended.
  void leave(const caf::error& reason);

 private:
  void spawn_provider(std::size_t place);
  void spawn_dispatcher();
  void dispatcher_died(const caf::error& reason);
  void provider_died(std::size_t place);
  void fail(const std::string& who);

  supervisor_actor::pointer self_ = nullptr;
  SupervisorParts parts_;
  journal_actor journal_;
  router_actor router_;
  std::vector<provider_actor> providers_;
  fleet_actor fleet_;
  dispatcher_actor dispatcher_;  ///< Of the present batch, or of the last.
  std::vector<RestartRule> restarts_;
  std::shared_ptr<std::atomic<providers::SessionNumber>> session_numbers_ =
      std::make_shared<std::atomic<providers::SessionNumber>>(0);
  RunBatch running_;
  std::function<void(BatchSummary)> done_;  ///< Set while a batch runs.
  std::optional<StopBatch> stopped_;        ///< Every later batch is stopped by it, too.
  std::optional<caf::error> leaving_;
};

supervisor_actor::behavior_type supervisor(actor_pointer<supervisor_actor, supervisor_state> self,
                                           SupervisorParts parts);

}  // namespace drover::actors
