#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "core/scene.hpp"
#include "devices/simulated/app_definition.hpp"
#include "devices/simulated/phone_state.hpp"

namespace drover::devices::simulated {

/// What part of a widget or of the window's furniture a node is.
enum class NodePart : std::uint8_t {
  furniture,  ///< Containers without looks of their own.
  page,       ///< The container that carries the page's id.
  toolbar,
  toolbar_title,
  navigate_up,
  scroll,  ///< The container that scrolls.
  footer,
  dialog,  ///< The box of a dialog or sheet.
  dialog_title,
  dialog_message,
  snackbar,
  widget,  ///< The widget as a whole.
  title,   ///< Texts and pictures inside a row.
  summary,
  icon,
  control,  ///< The switch in a row, the bar of a slider.
  keyboard,
  keyboard_action,  ///< The key that ends or submits the input.
};

/// One node of the window as it is on the screen now. Texts live in the
/// catalogue, the phone's state or the view's arena.
struct ViewNode {
  Bounds bounds;  ///< What is visible of it; never empty.
  std::uint8_t depth = 0;
  NodePart part = NodePart::furniture;
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
  bool closes_dialog = false;      ///< A tap closes the dialog first.
  bool shows_hint = false;         ///< The text is the hint of an empty field.
  const Widget* widget = nullptr;  ///< Null for furniture.
  RowRef item;
  std::string_view class_name;
  std::string_view resource_id;
  std::string_view package;
  std::string_view text;
  std::string_view description;
  std::string_view hint;
};

/// What a phone shows: the one model behind dump, picture and hit test.
struct ScreenView {
  ScreenView() : arena(arena_start.data(), arena_start.size()) {}
  ScreenView(const ScreenView&) = delete;
  ScreenView& operator=(const ScreenView&) = delete;

  int width = display_width;
  int height = display_height;
  int rotation = 0;
  std::vector<ViewNode> nodes;  ///< Parents before children, in drawing order.
  Bounds window;                ///< Of the app, or of the dialog in front.
  Bounds viewport;              ///< Of what scrolls; empty when nothing does.
  int scroll_range = 0;         ///< How far the content can be moved up at most.
  int scroll_needed = -1;       ///< Where to scroll so that the focused field shows; -1: it does.
  Bounds keyboard;              ///< Empty when it is not shown.

  std::array<std::byte, 4096> arena_start;
  std::pmr::monotonic_buffer_resource arena;
};

/// Lays out what is in front: the interruption, or the front app's topmost screen.
void build_view(const PhoneState& phone, ScreenView& view);
/// Lays out the page beneath the dialogs in front of it, for pictures.
void build_view_beneath(const PhoneState& phone, ScreenView& view);

/// The node that takes a touch: the topmost clickable one under the point (long-
/// clickable for a hold), or null. A disabled one takes it too and does nothing.
const ViewNode* hit_test(const ScreenView& view, Point at, bool hold);

/// The height of the keyboard and where it begins, in an upright phone.
inline constexpr int keyboard_top = 1536;

}  // namespace drover::devices::simulated
