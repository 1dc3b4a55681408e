#include "devices/simulated/keyboard_layout.hpp"

#include <iterator>

namespace drover::devices::simulated {
namespace {

constexpr int suggestions = 120;  ///< The strip above the keys.
constexpr int gesture_bar = 63;
constexpr int rows = 5;

int row_height(Bounds keyboard) noexcept { return (keyboard.height() - suggestions - gesture_bar) / rows; }

Bounds row_part(Bounds keyboard, int row, int from_tenth, int to_tenth) noexcept {
  const int top = keyboard.top + suggestions + row * row_height(keyboard);
  return {keyboard.left + keyboard.width() * from_tenth / 20, top, keyboard.left + keyboard.width() * to_tenth / 20,
          top + row_height(keyboard)};
}

}  // namespace

Bounds key_bounds(Bounds keyboard, int row, int position) noexcept {
  const int letters = static_cast<int>(keyboard_rows[row].size());
  const int first = 10 - letters;
  return row_part(keyboard, row, first + 2 * position, first + 2 * position + 2);
}

Bounds space_key(Bounds keyboard) noexcept { return row_part(keyboard, 4, 4, 16); }
Bounds erase_key(Bounds keyboard) noexcept { return row_part(keyboard, 3, 17, 20); }
Bounds enter_key(Bounds keyboard) noexcept { return row_part(keyboard, 4, 17, 20); }

KeyboardKey key_at(Bounds keyboard, Point at) noexcept {
  if (space_key(keyboard).contains(at)) return {KeyMeaning::space, ' ', space_key(keyboard)};
  if (erase_key(keyboard).contains(at)) return {KeyMeaning::erase, 0, erase_key(keyboard)};
  if (enter_key(keyboard).contains(at)) return {KeyMeaning::enter, 0, enter_key(keyboard)};
  for (int row = 0; row < static_cast<int>(std::size(keyboard_rows)); ++row) {
    for (int position = 0; position < static_cast<int>(keyboard_rows[row].size()); ++position) {
      const Bounds bounds = key_bounds(keyboard, row, position);
      if (bounds.contains(at))
        return {KeyMeaning::letter, keyboard_rows[row][static_cast<std::size_t>(position)], bounds};
    }
  }
  return {};
}

}  // namespace drover::devices::simulated
