#pragma once

#include <caf/all.hpp>
#include <type_traits>
#include <utility>

namespace drover::test {

/// Spawns an actor that stands for one of the fleet's: `make` gives its behaviour,
/// from nothing or from its own pointer. It goes in as an argument because CAF
/// 0.17 reads arguments that aren't there when a function without any is spawned
/// (caf/detail/init_fun_factory.hpp), which a checking standard library refuses.
template <class Handle, class Make>
Handle spawn_double(caf::actor_system& system, Make make) {
  return system.spawn(
      [](typename Handle::pointer self, const Make& made) -> typename Handle::behavior_type {
        if constexpr (std::is_invocable_v<const Make&>) {
          return made();
        } else {
          return made(self);
        }
      },
      std::move(make));
}

}  // namespace drover::test
