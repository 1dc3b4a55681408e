#include "cli/text_table.hpp"

#include <algorithm>
#include <utility>

namespace drover::cli {
namespace {

constexpr std::size_t gap = 2;             // between two columns
constexpr std::size_t least_of_last = 24;  // before the other columns give some away
constexpr std::size_t least_of_any = 8;

std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; }));
}

std::string cut(const std::string& text, std::size_t most) {
  if (length(text) <= most) return text;
  std::string out;
  std::size_t taken = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80 && ++taken == most) break;
    out += c;
  }
  return out + "…";
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) cell = one_line(std::move(cell));
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t needed = length(columns_[i].title);
    for (const auto& row : rows_) needed = std::max(needed, length(row[i]));
    const bool bounded = width != any_width && i + 1 < columns_.size();
    widths.push_back(bounded ? std::min(needed, std::max(columns_[i].most, length(columns_[i].title))) : needed);
  }
  if (width == any_width || widths.empty()) return widths;
  std::size_t taken = gap * (widths.size() - 1);
  for (const std::size_t each : widths) taken += each;
  std::size_t surplus = taken > width ? taken - width : 0;
  const auto shrink = [&](std::size_t& column, std::size_t least) {
    const std::size_t given = std::min(surplus, column > least ? column - least : 0);
    column -= given;
    surplus -= given;
  };
  shrink(widths.back(), least_of_last);
  while (surplus > 0) {
    // Numbers are never cut: a part of one is another number.
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool may_shrink = !columns_[i].right && widths[i] > std::max(least_of_any, length(columns_[i].title));
      if (may_shrink && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
    }
    if (widest == nullptr) break;
    shrink(*widest, *widest - 1);
  }
  return widths;
}

std::string TextTable::str(std::size_t width) const {
  const std::vector<std::size_t> widths = this->widths(width);
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = cut(cells[i], widths[i]);
      const std::string fill(widths[i] - length(cell), ' ');
      if (i > 0) text += std::string(gap, ' ');
      text += columns_[i].right ? fill + cell : cell + fill;
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    out += text + "\n";
  };
  std::vector<std::string> titles;
  for (const auto& column : columns_) titles.push_back(column.title);
  line(titles);
  for (const auto& row : rows_) line(row);
  return out;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

}  // namespace drover::cli
