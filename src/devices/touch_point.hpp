#pragma once

#include "core/action.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// Where to touch an element so that the touch reaches it: its center, or the
/// point nearest to the center that no smaller thing that can be tapped covers (a
/// button inside a row, a floating button over a list). The center when all is
/// covered.
Point touch_point(const Scene& scene, const Element& element);

/// The straight way of a finger.
struct Stroke {
  Point from;
  Point to;
};

/// A swipe through the middle of an area: over half of it, and so away from the
/// edges of the screen where the system takes gestures for itself.
Stroke stroke_through(const Bounds& area, Direction direction);

/// A swipe from a place, as long as one through the middle of the screen, cut at
/// the screen's edges.
Stroke stroke_from(Point from, const Bounds& screen, Direction direction);

}  // namespace drover::devices
