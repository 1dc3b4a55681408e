#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/dispatcher_actor.hpp"
#include "actors/fleet_actor.hpp"
#include "actors/journal_actor.hpp"
#include "actors/messages.hpp"
#include "actors/provider_actor.hpp"
#include "actors/router_actor.hpp"

namespace drover::actors {

/// What a whole process of actors is made of. Everything that is pointed to
/// outlives the actor system.
struct SupervisorParts {
  std::shared_ptr<storage::Journal> journal;
  std::vector<ProviderParts> providers;  ///< In order; router, timers and statistics are filled in here.
  providers::AdmissionOptions admission;
  FleetParts fleet;  ///< Journal, timers and statistics are filled in here.
  Timers* timers = nullptr;
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<JournalPressure> journal_pressure;
  std::uint32_t most_provider_restarts = 3;
};

/// What the supervisor keeps: the handles of its household and who waits for the batch.
class supervisor_state {
 public:
  static inline const char* name = "supervisor";
  supervisor_state() = default;

  void start(supervisor_actor::pointer self, SupervisorParts parts);
  void run(const StartBatch& order);
  void ended(const BatchEnded& ended);
  void stop(const StopBatch& order);
  void died(const caf::down_msg& down);
  [[nodiscard]] Household household() const { return household_; }

 private:
  void spawn_provider(std::size_t place);
  void fail(std::string who);

  supervisor_actor::pointer self_ = nullptr;
  SupervisorParts parts_;
  Household household_;
  std::vector<std::uint32_t> restarts_;
  std::shared_ptr<std::atomic<providers::SessionNumber>> session_numbers_ =
      std::make_shared<std::atomic<providers::SessionNumber>>(0);
  std::function<void(BatchEnded)> done_;
  std::optional<StopBatch> stopped_;
};

supervisor_actor::behavior_type supervisor(actor_pointer<supervisor_actor, supervisor_state> self,
                                           SupervisorParts parts);

}  // namespace drover::actors
