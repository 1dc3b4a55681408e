#pragma once

#include <cstddef>

namespace drover::cli {

/// The width that a table may take, in cells; 0 where it may take any.
inline constexpr std::size_t any_width = 0;

/// `terminal`: whether the output is one; what is none takes any width. On one it is
/// what COLUMNS says, else what the terminal says, else 80.
std::size_t table_width(bool terminal, const char* columns, unsigned window);

/// The same for an open file of this process.
std::size_t table_width_of(int file);

}  // namespace drover::cli
