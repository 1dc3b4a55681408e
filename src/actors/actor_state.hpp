#pragma once

#include <caf/stateful_actor.hpp>
#include <caf/typed_actor.hpp>
#include <type_traits>

namespace drover::actors {

/// What every actor state must be: named, and not an aggregate. CAF 0.17 builds a
/// state with `State(self)` whenever that compiles, and since C++20 it compiles
/// for aggregates whose first member takes a pointer: the member is then silently
/// initialised with the actor's own address. A user-declared constructor stops it.
template <class State>
concept ActorState = !std::is_aggregate_v<State> && requires {
  State::name;
};

/// The pointer through which a typed actor with state sees itself. The only way
/// to declare one in this project.
template <class Interface, ActorState State>
using actor_pointer = typename Interface::template stateful_pointer<State>;

}  // namespace drover::actors
