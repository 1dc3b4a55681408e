#pragma once

#include <memory>
#include <vector>

#include "actors/actor_world.hpp"
#include "actors/supervisor_actor.hpp"

namespace drover::test {

/// The world with the real supervisor: it owns everything else, as in the program.
/// One phone per add_phone(), one transport per provider.
class SupervisedWorld : public ActorWorld {
 public:
  /// Spawns the supervisor with so many providers; each answers through `model`.
  void start(std::size_t providers = 1);
  /// Starts a batch; its answers are counted and the last one stands in `ended`.
  void run(std::vector<Task> tasks, RetryRules retries = {});
  /// Kills the first living actor of a kind, as a fault of the program would.
  void kill(actors::ActorKind kind);
  /// Shuts everything down in the declared order on simulated time.
  actors::ShutdownPlan shut_down(Duration budget = actors::shutdown_budget);
  [[nodiscard]] std::size_t alive(actors::ActorKind kind) const;
  /// Of every attempt in the journal that has no end there.
  [[nodiscard]] std::size_t attempts_left_running() const;

  std::vector<std::shared_ptr<AnsweringTransport>> transports;
  actors::supervisor_actor root;
  CancelToken cancel;
  std::shared_ptr<int> answers = std::make_shared<int>(0);
};

}  // namespace drover::test
