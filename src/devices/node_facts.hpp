#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/scene.hpp"
#include "devices/roles.hpp"
#include "devices/ui_dump.hpp"
#include "devices/ui_tree.hpp"

namespace drover::devices {

/// What the way to a scene finds out about one node of a tree.
struct NodeFacts {
  static constexpr std::uint32_t none = UINT32_MAX;

  Bounds clip;  ///< Bounds inside the screen; may be empty.
  ClassKind kind;
  std::uint32_t owner = none;          ///< Nearest ancestor that a tap on this node acts on.
  std::uint32_t row_toggle = none;     ///< Of a row: the switch in it that only shows the row's state.
  std::uint32_t adopted_by = none;     ///< Of a text: the control that it is the label of.
  std::uint32_t first_adopted = none;  ///< Of a control: the first and last of its texts.
  std::uint32_t last_adopted = 0;
  std::uint32_t password = none;  ///< The password field that this node is a part of, not itself.
  std::uint16_t texts = 0;        ///< Of an owner: how many texts without an action of their own it holds.
  std::uint32_t text_bytes = 0;
  bool visible = false;   ///< Has an area on the screen and is not hidden.
  bool secret = false;    ///< A part of a password field that tells what was typed.
  bool keyboard = false;  ///< A part of an input method.
  bool field = false;
  bool tappable = false;         ///< Tap, long press, check or typing acts on it.
  bool actionable = false;       ///< Tappable, scrolls or slides.
  bool labelled = false;         ///< Has words of its own (a field's value is none).
  bool merged = false;           ///< Is the same thing as its owner: no element of its own.
  bool in_collection = false;    ///< Stands among items that repeat.
  bool several_toggles = false;  ///< Of a row: more than one switch, so none is the row's state.
  bool tab = false;              ///< One of several side by side of which one is selected.
};

/// The screen and the app that a tree shows.
struct ScreenFacts {
  int width = 0;
  int height = 0;
  std::string_view package;                ///< The app in front, or the surface where there is no app.
  std::vector<std::string_view> surfaces;  ///< Other packages with something to see, smallest first.
  bool keyboard = false;
  std::vector<NodeFacts> nodes;  ///< One for each node of the tree.

  [[nodiscard]] std::int64_t area() const noexcept { return std::int64_t{width} * height; }
};

/// Looks at every node once, in document order, without recursion.
ScreenFacts find_facts(const UiTree& tree, ScreenGeometry geometry);

}  // namespace drover::devices
