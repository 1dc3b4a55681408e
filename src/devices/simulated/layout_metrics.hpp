#pragma once

#include <algorithm>
#include <string_view>

#include "core/scene.hpp"
#include "devices/simulated/app_definition.hpp"

/// Sizes and class names that the parts of ScreenLayout share.
namespace drover::devices::simulated {

/// Pixels.
inline constexpr int status_bar = 66;
inline constexpr int gesture_bar = 63;
inline constexpr int toolbar_height = 168;
inline constexpr int side_margin = 48;
inline constexpr int touch_height = 126;
/// Android's class names.
inline constexpr std::string_view frame = "android.widget.FrameLayout";
inline constexpr std::string_view linear = "android.widget.LinearLayout";
inline constexpr std::string_view relative = "android.widget.RelativeLayout";
inline constexpr std::string_view group = "android.view.ViewGroup";
inline constexpr std::string_view text_view = "android.widget.TextView";
inline constexpr std::string_view image_view = "android.widget.ImageView";

inline Bounds intersection(Bounds a, Bounds b) noexcept {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

inline Bounds shrunk(Bounds b, int x, int y) noexcept { return {b.left + x, b.top + y, b.right - x, b.bottom - y}; }

/// The width that a widget takes in a row; 0: its share of what is left.
inline int default_width(const Widget& widget) noexcept {
  if (widget.width > 0) return widget.width;
  switch (widget.kind) {
    case WidgetKind::icon_button:
      return touch_height;
    case WidgetKind::image:
      return 168;
    case WidgetKind::space:
      return widget.height;
    default:
      return 0;
  }
}

/// The view class that Android would use.
std::string_view class_of(const Widget& widget) noexcept;

}  // namespace drover::devices::simulated
