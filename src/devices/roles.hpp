#pragma once

#include <string_view>

#include "core/scene.hpp"

namespace drover::devices {

/// What a class name says of a node before its place and flags are looked at.
struct ClassKind {
  Role role = Role::other;
  bool container = false;   ///< A layout: what it is for depends on what it holds.
  bool canvas = false;      ///< Draws by itself and has no tree inside (games, video, maps).
  bool collection = false;  ///< Holds items that repeat (recycler, list, grid, pager), not one page.
};

/// Reads the last part of a class name ("android.widget.Switch", "Foo$Bar"), by
/// whatever toolkit: Android views and their AppCompat and Material children,
/// Compose, Flutter, React Native and web views use the same endings.
ClassKind kind_of_class(std::string_view class_name) noexcept;

}  // namespace drover::devices
