#pragma once

#include <caf/actor.hpp>
#include <caf/actor_cast.hpp>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "actors/shutdown_plan.hpp"

namespace drover::actors {

/// Every actor that has not ended, by kind: CAF itself only knows how many there
/// are. Who spawns one adds it here; it is forgotten when its handler has run for
/// the last time and its state is gone, in whatever way it ended. Safe from any
/// thread; needs no actor to answer, so a shutdown works whoever has died.
class LiveActors : public std::enable_shared_from_this<LiveActors> {
 public:
  template <class Handle>
  void add(ActorKind kind, const Handle& handle) {
    add_actor(kind, caf::actor_cast<caf::actor>(handle));
  }

  [[nodiscard]] std::vector<caf::actor> of(ActorKind kind) const;
  [[nodiscard]] LiveCounts counts() const;

  /// How many have ended so far.
  [[nodiscard]] std::uint64_t endings() const;
  /// Blocks until more than `seen` have ended, for `most` at most. Real time: for
  /// the thread that shuts the program down.
  void wait_for_ending(std::uint64_t seen, Duration most) const;

 private:
  void add_actor(ActorKind kind, caf::actor actor);
  void forget(ActorKind kind, caf::actor_id id);

  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  std::array<std::map<caf::actor_id, caf::actor>, actor_kinds> alive_;
  std::uint64_t endings_ = 0;
};

/// Sends what a step of a shutdown orders.
void carry_out(const ShutdownStep& step, const LiveActors& live);

}  // namespace drover::actors
