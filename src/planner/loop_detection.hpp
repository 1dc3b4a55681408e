#pragma once

#include <cstdint>
#include <string>

#include "core/world.hpp"

namespace drover::planner {

enum class LoopStage : std::uint8_t {
  none,
  hint,   ///< The next prompt says so and asks for another way.
  stuck,  ///< The attempt ends with outcome stuck, before another model call.
};

/// What the newest events say about going round in circles.
struct LoopVerdict {
  LoopStage stage = LoopStage::none;
  std::uint32_t times = 0;  ///< How often the newest action was tried in vain on its page.
  std::string hint;         ///< A sentence for the prompt, free of any text from a screen.
  bool operator==(const LoopVerdict&) const = default;
};

/// The same action on the same page without effect (it failed, the screen did not
/// change, or its check was refuted): twice is a hint, the third time is stuck.
/// A wait may take twice as often; a note counts when its text was noted before.
/// Two to four steps that come round for the third time, whatever their effect,
/// are a hint only: some tasks are like that. Elements are compared by what they
/// were called, since their numbers change from screen to screen. Looks at the
/// newest events alone.
LoopVerdict look_for_loop(const WorldState& world);

}  // namespace drover::planner
