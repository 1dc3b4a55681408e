#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene.hpp"
#include "devices/node_facts.hpp"
#include "devices/ui_tree.hpp"

namespace drover::devices {

/// Which nodes became elements, in document order of both.
struct ElementPlaces {
  std::vector<std::uint32_t> node_of;  ///< Of each element.
  std::span<const int> element_of;     ///< Of each node: its element or that of its nearest ancestor, or -1.
  int keyboard = -1;                   ///< The element that stands for a keyboard, or -1.
};

/// Gives the elements what can be seen and is not said by the label, the value or
/// the id of one, so that no assertion takes it for absent: texts, descriptions,
/// hints that are shown, and ids. A node goes to the row or the control that it is a
/// part of, else to the only element inside of it, else to the nearest around it.
/// What a password hides is left out, also where an ancestor repeats it.
void fold_rest(const UiTree& tree, const std::vector<NodeFacts>& facts, const ElementPlaces& places,
               std::vector<Element>& elements);

}  // namespace drover::devices
