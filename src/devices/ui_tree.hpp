#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// One node of a dump as it was written: nothing is tidied, masked or clipped.
/// The views point into the buffer of the UiTree.
struct UiNode {
  static constexpr std::uint32_t no_parent = UINT32_MAX;

  std::string_view class_name;  ///< The `class` attribute, else the tag (Appium names tags by class).
  std::string_view package;     ///< Inherited from the resource id or the parent where the dump has none.
  std::string_view resource_id;
  std::string_view text;
  std::string_view description;  ///< content-desc.
  std::string_view hint;
  Bounds bounds;  ///< The parent's where the dump has none or one that can't be read.
  std::uint32_t parent = no_parent;
  std::uint32_t end = 0;  ///< Index behind the last descendant; nodes stand in document order.
  bool checkable = false;
  bool checked = false;
  bool clickable = false;
  bool enabled = true;
  bool focusable = false;
  bool focused = false;
  bool scrollable = false;
  bool long_clickable = false;
  bool password = false;
  bool selected = false;
  bool text_is_hint = false;  ///< showing-hint, or a text equal to the hint.
  bool hidden = false;        ///< displayed or visible-to-user is false.
  bool input_method = false;  ///< Stands in a window that the dump calls an input method.
};

/// A dump as a flat list of nodes in document order.
struct UiTree {
  std::unique_ptr<char[]> buffer;
  std::vector<UiNode> nodes;
  int rotation = 0;  ///< 0 to 3.
  int width = 0;     ///< As the root says; 0 where it does not.
  int height = 0;
};

/// Limits against hostile input; the largest real dump known has 184 kB and 403 nodes.
inline constexpr std::size_t max_dump_bytes = std::size_t{4} << 20;
inline constexpr std::size_t max_dump_nodes = 100'000;

/// Reads XML from its first `<hierarchy` (or `<displays`) to the matching end.
/// Works without recursion, whatever the nesting. Errors: malformed (not well
/// formed, or larger than the limits), observation_failed (no node in it).
Result<UiTree> read_ui_tree(std::string_view xml);

}  // namespace drover::devices
