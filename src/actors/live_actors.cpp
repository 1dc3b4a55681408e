#include "actors/live_actors.hpp"

#include <caf/exit_reason.hpp>
#include <caf/send.hpp>
#include <utility>

namespace drover::actors {

void LiveActors::add_actor(ActorKind kind, caf::actor actor) {
  const caf::actor_id id = actor.id();
  {
    std::lock_guard lock(mutex_);
    alive_[static_cast<std::size_t>(kind)].emplace(id, actor);
  }
  // Runs at once, without the lock, when it has ended already.
  actor->attach_functor([self = shared_from_this(), kind, id] { self->forget(kind, id); });
}

void LiveActors::forget(ActorKind kind, caf::actor_id id) {
  caf::actor last;  // let go of outside the lock
  {
    std::lock_guard lock(mutex_);
    auto& kin = alive_[static_cast<std::size_t>(kind)];
    const auto found = kin.find(id);
    if (found == kin.end()) return;
    last = std::move(found->second);
    kin.erase(found);
    ++endings_;
  }
  ended_.notify_all();
}

std::vector<caf::actor> LiveActors::of(ActorKind kind) const {
  std::vector<caf::actor> actors;
  std::lock_guard lock(mutex_);
  for (const auto& [id, actor] : alive_[static_cast<std::size_t>(kind)]) actors.push_back(actor);
  return actors;
}

LiveCounts LiveActors::counts() const {
  LiveCounts counts{};
  std::lock_guard lock(mutex_);
  for (std::size_t kind = 0; kind < actor_kinds; ++kind) counts[kind] = alive_[kind].size();
  return counts;
}

std::uint64_t LiveActors::endings() const {
  std::lock_guard lock(mutex_);
  return endings_;
}

void LiveActors::wait_for_ending(std::uint64_t seen, Duration most) const {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, most, [&] { return endings_ > seen; });
}

void carry_out(const ShutdownStep& step, const LiveActors& live) {
  if (step.order == ShutdownStep::Order::wait) return;
  const auto reason =
      step.order == ShutdownStep::Order::kill ? caf::exit_reason::kill : caf::exit_reason::user_shutdown;
  for (const ActorKind kind : step.kinds) {
    for (const caf::actor& actor : live.of(kind)) caf::anon_send_exit(actor, reason);
  }
}

}  // namespace drover::actors
