#pragma once

#include <cstdint>
#include <string_view>

#include "core/scene.hpp"

namespace drover::devices::simulated {

/// What a key of the on-screen keyboard does.
enum class KeyMeaning : std::uint8_t { none, letter, space, erase, enter };

struct KeyboardKey {
  KeyMeaning meaning = KeyMeaning::none;
  char letter = 0;
  Bounds bounds;
};

/// The rows of letters, top to bottom.
inline constexpr std::string_view keyboard_rows[]{"1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"};

/// The key under a point of the keyboard's window, for touches; the picture is
/// drawn from the same places.
KeyboardKey key_at(Bounds keyboard, Point at) noexcept;
/// The place of a letter by row and position in the row.
Bounds key_bounds(Bounds keyboard, int row, int position) noexcept;
/// The places of the keys that are no letters.
Bounds space_key(Bounds keyboard) noexcept;
Bounds erase_key(Bounds keyboard) noexcept;
Bounds enter_key(Bounds keyboard) noexcept;

}  // namespace drover::devices::simulated
