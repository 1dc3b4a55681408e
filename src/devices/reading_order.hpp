#pragma once

#include <span>
#include <vector>

#include "core/scene.hpp"

namespace drover::devices {

/// Nesting is told no deeper than this, so that hostile trees can't fill a prompt
/// with indentation.
inline constexpr int max_element_depth = 24;

/// Gives elements their ids 1, 2, … and depths, parents before children and
/// siblings in the order of the document, except that what lies wholly above a
/// neighbour comes before it: toolbars are often written behind what they stand
/// over. `parents` has an index for each element, smaller than its own, or -1.
std::vector<Element> put_in_reading_order(std::vector<Element> elements, std::span<const int> parents);

}  // namespace drover::devices
