#include <algorithm>
#include <utility>

#include "devices/simulated/layout_metrics.hpp"
#include "devices/simulated/screen_layout.hpp"

namespace drover::devices::simulated {
namespace {

/// How wide a text runs, in hundredths of its size.
int run_width(std::string_view text) noexcept {
  int width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xc0) == 0x80) continue;
    if (c >= 0xe0) {
      width += 100;
    } else if (c == ' ' || c == 'i' || c == 'l' || c == '.' || c == ',' || c == 'j' || c == 't' || c == '\'') {
      width += 32;
    } else if (c >= 'A' && c <= 'Z') {
      width += 68;
    } else {
      width += 58;
    }
  }
  return width;
}

}  // namespace

int text_size(const Widget& widget) noexcept {
  switch (widget.style) {
    case WidgetStyle::heading:
      return heading_text;
    case WidgetStyle::section:
    case WidgetStyle::small:
    case WidgetStyle::error:
    case WidgetStyle::app_icon:
      return small_text;
    case WidgetStyle::normal:
    case WidgetStyle::plain:
      break;
  }
  return widget.kind == WidgetKind::button || widget.kind == WidgetKind::tab ? small_text : body_text;
}

bool ScreenLayout::visible(const Widget& widget, RowRef item) const {
  return !widget.visible_when || widget.visible_when->holds(phone_, item, view_.arena);
}

int ScreenLayout::text_height(std::string_view text, int size, int width) const {
  const int scaled = size * font_percent_ / 100;
  int lines = 0;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const int run = run_width(text.substr(start, end - start)) * scaled / 100;
    lines += std::max(1, (run + width - 1) / std::max(width, 1));
    if (end >= text.size()) break;
    start = end + 1;
  }
  return lines * scaled * 4 / 3;
}

int ScreenLayout::row_height(const Widget& widget, int width, RowRef item) const {
  const int text_width =
      width - 2 * side_margin - (widget.icon.empty() ? 0 : 144) - (widget.kind == WidgetKind::toggle ? 180 : 0);
  int height = text_height(render(widget.text, item), body_text, text_width);
  if (!widget.summary.empty()) {
    const std::string_view summary = render(widget.summary, item);
    if (!summary.empty()) height += text_height(summary, small_text, text_width) + 6;
  }
  return std::max(168, height + 72);
}

int ScreenLayout::measure(const Widget& widget, int width, RowRef item) const {
  if (widget.outside_grid || !visible(widget, item)) return 0;
  if (widget.kind == WidgetKind::repeat) return measure_repeat(widget, width);
  if (widget.height > 0) return widget.height;
  switch (widget.kind) {
    case WidgetKind::text: {
      const std::string_view text = render(widget.text, item);
      return text_height(text, text_size(widget), width - 2 * side_margin) + 30;
    }
    case WidgetKind::button:
      return 150;
    case WidgetKind::icon_button:
      return touch_height;
    case WidgetKind::toggle:
      return widget.style == WidgetStyle::plain ? touch_height : row_height(widget, width, item);
    case WidgetKind::item:
      return widget.style == WidgetStyle::app_icon ? 300 : row_height(widget, width, item);
    case WidgetKind::checkbox:
    case WidgetKind::radio:
      return 132;
    case WidgetKind::field:
      return 192;
    case WidgetKind::image:
      return 320;
    case WidgetKind::slider:
      return widget.text.empty() ? touch_height : 210;
    case WidgetKind::progress:
      return 72;
    case WidgetKind::tab:
      return 168;
    case WidgetKind::row:
      return measure_row(widget.children, width, item);
    case WidgetKind::column:
      return measure_column(widget.children, width, item);
    case WidgetKind::card:
      return measure_column(widget.children, width - 48, item) + 48;
    case WidgetKind::grid: {
      int total = 0;
      int row = 0;
      int column = 0;
      for (const Widget& child : widget.children) {
        if (child.outside_grid || !visible(child, item)) continue;
        row = std::max(row, measure(child, width / widget.columns, item));
        if (++column < widget.columns) continue;
        total += row;
        row = column = 0;
      }
      return total + row;
    }
    case WidgetKind::space:
      return 0;
    case WidgetKind::divider:
      return 3;
    case WidgetKind::repeat:
      break;
  }
  return 0;
}

int ScreenLayout::measure_column(const std::vector<Widget>& widgets, int width, RowRef item) const {
  int total = 0;
  for (const Widget& widget : widgets) total += measure(widget, width, item);
  return total;
}

int ScreenLayout::measure_row(const std::vector<Widget>& widgets, int width, RowRef item) const {
  int flexible = 0;
  int rest = width;
  for (const Widget& widget : widgets) {
    if (widget.outside_grid || !visible(widget, item)) continue;
    const int fixed = default_width(widget);
    rest -= fixed;
    flexible += fixed == 0 ? 1 : 0;
  }
  int highest = 0;
  for (const Widget& widget : widgets) {
    const int fixed = default_width(widget);
    highest = std::max(highest, measure(widget, fixed > 0 ? fixed : std::max(rest, 0) / std::max(flexible, 1), item));
  }
  return highest;
}

const std::pmr::vector<ScreenLayout::RepeatRow>& ScreenLayout::rows_of(const Widget& repeat, int width) const {
  for (const RepeatRows& known : repeats_) {
    if (known.repeat == &repeat && known.width == width) return known.rows;
  }
  RepeatRows& made = repeats_.emplace_back(RepeatRows{&repeat, width, std::pmr::vector<RepeatRow>(&view_.arena)});
  const std::size_t count = phone_.row_count(repeat.list);
  for (std::size_t position = 0; position < count; ++position) {
    const RowRef item{repeat.list, phone_.row_at(repeat.list, position)};
    if (!repeat.where || repeat.where->holds(phone_, item, view_.arena)) made.rows.push_back({item, 0});
  }
  if (repeat.order_by) {
    std::pmr::vector<std::pair<std::int64_t, RepeatRow>> ranked(&view_.arena);
    ranked.reserve(made.rows.size());
    for (const RepeatRow& row : made.rows) {
      ranked.emplace_back(repeat.order_by->evaluate(phone_, row.item, view_.arena).number, row);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(ranked.begin(), ranked.end(), made.rows.begin(), [](const auto& each) { return each.second; });
  }
  for (RepeatRow& row : made.rows) row.height = measure_column(repeat.children, width, row.item);
  return made.rows;
}

int ScreenLayout::measure_repeat(const Widget& repeat, int width) const {
  const int columns = std::max(repeat.columns, 1);
  int total = 0;
  int line = 0;
  int column = 0;
  for (const RepeatRow& row : rows_of(repeat, width / columns)) {
    line = std::max(line, row.height);
    if (++column < columns) continue;
    total += line;
    line = column = 0;
  }
  return total + line;
}

}  // namespace drover::devices::simulated
