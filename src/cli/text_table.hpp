#pragma once

#include <string>
#include <vector>

namespace drover::cli {

/// Columns of text for a terminal. Widths follow the content; a cell that is too
/// long for its column's limit is cut with "…". Counts code points, so that other
/// alphabets line up where their glyphs are one cell wide.
class TextTable {
 public:
  struct Column {
    std::string title;
    std::size_t most = 60;  ///< Code points.
    bool right = false;     ///< For numbers.
  };
  explicit TextTable(std::vector<Column> columns);

  void add(std::vector<std::string> cells);
  [[nodiscard]] std::string str() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A text of one line: line breaks and tabs as spaces.
std::string one_line(std::string text);

}  // namespace drover::cli
