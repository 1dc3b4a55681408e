#pragma once

#include <string>
#include <vector>

#include "cli/terminal_width.hpp"

namespace drover::cli {

/// Columns of text. Where any width may be taken, nothing is cut. On a terminal a
/// cell that is too long for its column is cut with "…": the last column gets what
/// the others leave, and where that is too little the widest of the others give
/// some away. Counts code points, so that other alphabets line up where their
/// glyphs are one cell wide.
class TextTable {
 public:
  struct Column {
    std::string title;
    std::size_t most = 60;  ///< Code points that it takes on a terminal; the last column takes what is left.
    bool right = false;     ///< For numbers.
  };
  explicit TextTable(std::vector<Column> columns);

  void add(std::vector<std::string> cells);
  /// `width`: as table_width() gives it.
  [[nodiscard]] std::string str(std::size_t width = any_width) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A text of one line: line breaks and tabs as spaces.
std::string one_line(std::string text);

}  // namespace drover::cli
