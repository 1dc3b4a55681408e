#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/action.hpp"
#include "core/scene.hpp"

namespace drover {

/// What cheap, deterministic checks say of one action after it.
enum class Effect : std::uint8_t {
  unknown,    ///< Not checked, or nothing to check it by.
  confirmed,  ///< The check of its kind held: text read back, toggle flipped, app in front.
  changed,    ///< The screen changed; whether as expected can't be told.
  unchanged,  ///< Nothing on the screen changed.
  refuted,    ///< The check of its kind failed: other text, other app, toggle as before.
};

std::string_view name_of(Effect effect) noexcept;
Effect effect_from(std::string_view name) noexcept;

struct Verification {
  Effect effect = Effect::unknown;
  std::string observed;  ///< One short sentence for the history and the report.
  bool operator==(const Verification&) const = default;
};

/// Compares the screen an action was decided on with the one seen after it.
/// Typed text is read back from the field, a tapped switch must have flipped, a
/// launched app must be in front; for the rest only change or no change is told.
Verification verify(const Action& action, const Scene& before, const Scene& after);

/// The element of `now` that is the same thing as `element` was in an earlier
/// scene (id, role, label, class, then nearness), or null when it is gone.
const Element* same_element(const Element& element, const Scene& now);

}  // namespace drover
