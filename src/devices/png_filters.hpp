#pragma once

#include <cstddef>
#include <cstdint>

namespace drover::devices {

/// Undoes the filter of one row of a PNG with four bytes a pixel, in place.
/// `above` is the row before, undone, or null for the first. `size` is a multiple
/// of four. False for a filter that does not exist.
bool undo_filter(int filter, std::uint8_t* row, const std::uint8_t* above, std::size_t size) noexcept;

}  // namespace drover::devices
