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
/// Typed text is read back from the field (or the focused one), a cleared field must
/// be empty, a tapped switch or the one in the tapped row must have flipped, a
/// launched app must be in front and an ended one must not; for the rest only
/// change or no change is told. A password can't be read back. A text that a field
/// rewrote (spaces, brackets, capital letters) is no failure. Pure.
Verification verify(const Action& action, const Scene& before, const Scene& after);

/// The element of `now` that is the same thing as `element` was in an earlier
/// scene (resource id, role, label, class, then nearness), or null when it is gone.
/// A row of a list with the same id and another label is another thing; a field or
/// switch may have changed its label, and so may anything else that stands alone
/// with its id where it stood.
const Element* same_element(const Element& element, const Scene& now);

}  // namespace drover
