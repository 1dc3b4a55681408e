#include <algorithm>
#include <charconv>

#include "devices/simulated/layout_metrics.hpp"
#include "devices/simulated/screen_layout.hpp"

namespace drover::devices::simulated {
namespace {

bool takes_touches(const Widget& widget) noexcept {
  return !widget.tap.empty() || widget.broken || widget.enabled_when || widget.kind == WidgetKind::button ||
         widget.kind == WidgetKind::icon_button || widget.kind == WidgetKind::toggle ||
         widget.kind == WidgetKind::checkbox || widget.kind == WidgetKind::radio || widget.kind == WidgetKind::field ||
         widget.kind == WidgetKind::tab;
}

}  // namespace

std::string_view class_of(const Widget& widget) noexcept {
  switch (widget.kind) {
    case WidgetKind::text:
      return text_view;
    case WidgetKind::button:
      return "android.widget.Button";
    case WidgetKind::icon_button:
      return "android.widget.ImageButton";
    case WidgetKind::toggle:
      return "android.widget.Switch";
    case WidgetKind::checkbox:
      return "android.widget.CheckBox";
    case WidgetKind::radio:
      return "android.widget.RadioButton";
    case WidgetKind::field:
      return "android.widget.EditText";
    case WidgetKind::image:
      return image_view;
    case WidgetKind::slider:
      return "android.widget.SeekBar";
    case WidgetKind::progress:
      return "android.widget.ProgressBar";
    case WidgetKind::tab:
      return frame;
    case WidgetKind::card:
      return "androidx.cardview.widget.CardView";
    case WidgetKind::grid:
      return "android.widget.GridView";
    case WidgetKind::space:
    case WidgetKind::divider:
      return "android.view.View";
    case WidgetKind::item:
    case WidgetKind::row:
    case WidgetKind::column:
    case WidgetKind::repeat:
      return linear;
  }
  return "android.view.View";
}

int ScreenLayout::place_column(const std::vector<Widget>& widgets, Bounds place_in, RowRef item, int depth) {
  int y = place_in.top;
  for (const Widget& widget : widgets) {
    if (!visible(widget, item)) continue;
    if (widget.outside_grid) {
      const Bounds outer = clip_;
      clip_ = {0, 0, view_.width, view_.keyboard.empty() ? view_.height : view_.keyboard.top};
      place(widget, widget.at, item, depth);
      clip_ = outer;
      continue;
    }
    if (widget.kind == WidgetKind::repeat) {
      y += place_repeat(widget, {place_in.left, y, place_in.right, place_in.bottom}, depth);
      continue;
    }
    const int height = measure(widget, place_in.width(), item);
    if (height <= 0) continue;
    place(widget, {place_in.left, y, place_in.right, y + height}, item, depth);
    y += height;
  }
  return y - place_in.top;
}

void ScreenLayout::place_row(const std::vector<Widget>& widgets, Bounds place_in, RowRef item, int depth) {
  int flexible = 0;
  int rest = place_in.width();
  for (const Widget& widget : widgets) {
    if (widget.outside_grid || !visible(widget, item)) continue;
    const int fixed = default_width(widget);
    rest -= fixed;
    flexible += fixed == 0 ? 1 : 0;
  }
  int x = place_in.left;
  for (const Widget& widget : widgets) {
    if (!visible(widget, item)) continue;
    if (widget.outside_grid) {
      place(widget, widget.at, item, depth);
      continue;
    }
    const int fixed = default_width(widget);
    const int width = fixed > 0 ? fixed : std::max(rest, 0) / std::max(flexible, 1);
    const int height = std::min(measure(widget, width, item), place_in.height());
    const int top = place_in.top + (place_in.height() - height) / 2;
    place(widget, {x, top, x + width, top + height}, item, depth);
    x += width;
  }
}

int ScreenLayout::place_grid(const Widget& grid, Bounds place_in, RowRef item, int depth) {
  const int columns = std::max(grid.columns, 1);
  const int width = place_in.width() / columns;
  int y = place_in.top;
  int column = 0;
  int line = 0;
  for (const Widget& child : grid.children) {
    if (child.outside_grid || !visible(child, item)) continue;
    const int height = measure(child, width, item);
    place(child, {place_in.left + column * width, y, place_in.left + (column + 1) * width, y + height}, item, depth);
    line = std::max(line, height);
    if (++column < columns) continue;
    y += line;
    line = column = 0;
  }
  return y + line - place_in.top;
}

int ScreenLayout::place_repeat(const Widget& repeat, Bounds place_in, int depth) {
  const int columns = std::max(repeat.columns, 1);
  const int width = place_in.width() / columns;
  int y = place_in.top;
  int column = 0;
  int line = 0;
  for (const RepeatRow& row : rows_of(repeat, width)) {
    const Bounds cell{place_in.left + column * width, y, place_in.left + (column + 1) * width, y + row.height};
    if (!intersection(cell, clip_).empty()) place_column(repeat.children, cell, row.item, depth);
    line = std::max(line, row.height);
    if (++column < columns) continue;
    y += line;
    line = column = 0;
  }
  return y + line - place_in.top;
}

ViewNode* ScreenLayout::add_widget(const Widget& widget, Bounds bounds, RowRef item, int depth,
                                   std::string_view class_name) {
  ViewNode* node = add(bounds, depth, NodePart::widget, class_name);
  if (node == nullptr) return nullptr;
  node->widget = &widget;
  node->item = item;
  node->resource_id = widget.resource_id;
  node->clickable = takes_touches(widget);
  node->long_clickable = !widget.hold.empty();
  node->focusable = node->clickable;
  node->closes_dialog = in_dialog_footer_;
  if (!widget.description.empty()) node->description = render(widget.description, item);
  if (widget.enabled_when) node->enabled = widget.enabled_when->holds(phone_, item, view_.arena);
  if (widget.selected_when) node->selected = widget.selected_when->holds(phone_, item, view_.arena);
  return node;
}

bool ScreenLayout::checked(const Widget& widget, RowRef item) const {
  if (!widget.variable) return false;
  const Value value = phone_.variable(*widget.variable);
  if (widget.kind != WidgetKind::radio) return value.truth();
  const std::string_view option = render(widget.option, item);
  if (value.kind == ValueKind::text) return value.text == option;
  if (value.kind == ValueKind::truth) return option == (value.truth() ? "true" : "false");
  char buffer[24];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value.number);
  return option == std::string_view(buffer, static_cast<std::size_t>(written.ptr - buffer));
}

bool ScreenLayout::focused(const Widget& widget, RowRef item) const {
  return phone_.focus == widget.number && phone_.focus_item == item;
}

std::int64_t ScreenLayout::number_of(const Widget& widget) const {
  return widget.variable ? std::clamp(phone_.variable(*widget.variable).number, widget.minimum, widget.maximum) : 0;
}

void ScreenLayout::place(const Widget& widget, Bounds bounds, RowRef item, int depth) {
  switch (widget.kind) {
    case WidgetKind::space:
    case WidgetKind::repeat:
      return;
    case WidgetKind::item:
    case WidgetKind::toggle:
      if (widget.style == WidgetStyle::plain || widget.style == WidgetStyle::app_icon) break;
      return place_item_row(widget, bounds, item, depth);
    case WidgetKind::field:
      return place_field(widget, bounds, item, depth);
    case WidgetKind::slider:
      return place_slider(widget, bounds, item, depth);
    default:
      break;
  }
  Bounds inner = bounds;
  if (!widget.outside_grid) {
    if (widget.kind == WidgetKind::text) inner = shrunk(bounds, side_margin, 6);
    if (widget.kind == WidgetKind::button) inner = shrunk(bounds, 24, 12);
    if (widget.kind == WidgetKind::card) inner = shrunk(bounds, 24, 12);
    if (widget.kind == WidgetKind::checkbox || widget.kind == WidgetKind::radio) inner = shrunk(bounds, side_margin, 0);
  }
  std::string_view class_name = class_of(widget);
  if (widget.kind == WidgetKind::item) class_name = text_view;
  ViewNode* node = add_widget(widget, inner, item, depth, class_name);
  if (node == nullptr) return;
  switch (widget.kind) {
    case WidgetKind::text:
    case WidgetKind::button:
      node->text = render(widget.text, item);
      break;
    case WidgetKind::item:
      node->text = render(widget.text, item);
      node->description = node->text;
      node->long_clickable = true;
      break;
    case WidgetKind::toggle:
    case WidgetKind::checkbox:
    case WidgetKind::radio:
      node->text = render(widget.text, item);
      node->checkable = true;
      node->checked = checked(widget, item);
      break;
    case WidgetKind::progress: {
      const std::string_view label = render(widget.text, item);
      node->description = label;
      char buffer[24];
      const auto written = std::to_chars(buffer, buffer + sizeof buffer, number_of(widget));
      node->text = keep_text(view_.arena, {buffer, static_cast<std::size_t>(written.ptr - buffer)});
      break;
    }
    case WidgetKind::tab: {
      const std::string_view label = render(widget.text, item);
      if (node->description.empty()) node->description = label;
      const bool selected = node->selected;
      if (!widget.icon.empty()) {
        const int middle = inner.left + inner.width() / 2;
        if (ViewNode* icon = add({middle - 36, inner.top + 18, middle + 36, inner.top + 90}, depth + 1, NodePart::icon,
                                 image_view)) {
          icon->widget = &widget;
        }
      }
      if (ViewNode* text = add({inner.left + 6, inner.bottom - 72, inner.right - 6, inner.bottom - 12}, depth + 1,
                               NodePart::title, text_view)) {
        text->widget = &widget;
        text->item = item;
        text->text = label;
        text->selected = selected;
      }
      break;
    }
    case WidgetKind::row:
      place_row(widget.children, inner, item, depth + 1);
      break;
    case WidgetKind::column:
      place_column(widget.children, inner, item, depth + 1);
      break;
    case WidgetKind::card:
      place_column(widget.children, shrunk(inner, 0, 12), item, depth + 1);
      break;
    case WidgetKind::grid:
      place_grid(widget, inner, item, depth + 1);
      break;
    default:
      break;
  }
}

void ScreenLayout::place_item_row(const Widget& widget, Bounds bounds, RowRef item, int depth) {
  ViewNode* row = add_widget(widget, bounds, item, depth, linear);
  if (row == nullptr) return;
  const bool enabled = row->enabled;
  const auto child = [&](Bounds place_in, int level, NodePart part, std::string_view class_name) {
    ViewNode* node = add(place_in, level, part, class_name);
    if (node == nullptr) return node;
    node->widget = &widget;
    node->item = item;
    node->enabled = enabled;
    return node;
  };
  int left = bounds.left + side_margin;
  int right = bounds.right - side_margin;
  const int middle = bounds.top + bounds.height() / 2;
  if (!widget.icon.empty()) {
    if (ViewNode* icon = child({left, middle - 48, left + 96, middle + 48}, depth + 1, NodePart::icon, image_view)) {
      icon->resource_id = "android:id/icon";
    }
    left += 144;
  }
  if (widget.kind == WidgetKind::toggle) right -= 180;
  const int text_width = right - left;
  const std::string_view title = render(widget.text, item);
  const std::string_view summary = widget.summary.empty() ? std::string_view() : render(widget.summary, item);
  const int title_height = text_height(title, body_text, text_width);
  const int summary_height = summary.empty() ? 0 : text_height(summary, small_text, text_width) + 6;
  const int top = middle - (title_height + summary_height) / 2;
  child({left, top - 6, right, top + title_height + summary_height + 6}, depth + 1, NodePart::furniture, relative);
  if (ViewNode* node = child({left, top, right, top + title_height}, depth + 2, NodePart::title, text_view)) {
    node->resource_id = "android:id/title";
    node->text = title;
  }
  if (summary_height > 0) {
    if (ViewNode* node = child({left, top + title_height, right, top + title_height + summary_height}, depth + 2,
                               NodePart::summary, text_view)) {
      node->resource_id = "android:id/summary";
      node->text = summary;
    }
  }
  if (widget.kind != WidgetKind::toggle) return;
  const Bounds box{bounds.right - side_margin - 138, middle - 42, bounds.right - side_margin, middle + 42};
  if (ViewNode* widget_frame = child(shrunk(box, -18, -12), depth + 1, NodePart::furniture, linear)) {
    widget_frame->resource_id = "android:id/widget_frame";
  }
  if (ViewNode* node = child(box, depth + 2, NodePart::control, class_of(widget))) {
    node->resource_id = widget.control_id;
    node->description = title;
    node->checkable = true;
    node->checked = checked(widget, item);
  }
}

void ScreenLayout::place_field(const Widget& widget, Bounds bounds, RowRef item, int depth) {
  const Bounds inner = widget.outside_grid ? bounds : shrunk(bounds, side_margin, 21);
  const bool has_focus = focused(widget, item);
  if (has_focus && !view_.viewport.empty() && (inner.top < clip_.top || inner.bottom > clip_.bottom)) {
    const int off = inner.top < clip_.top ? inner.top - clip_.top - 24 : inner.bottom - clip_.bottom + 24;
    view_.scroll_needed = std::clamp(open_.scroll + off, 0, view_.scroll_range);
  }
  ViewNode* node = add_widget(widget, inner, item, depth, class_of(widget));
  if (node == nullptr) return;
  node->password = widget.password;
  node->long_clickable = true;
  node->hint = render(widget.text, item);
  node->focused = has_focus;
  const std::string_view value = widget.variable ? phone_.variable(*widget.variable).text : std::string_view();
  node->shows_hint = value.empty();
  if (value.empty()) {
    node->text = node->hint;
  } else if (widget.password) {
    std::string dots;
    for (const char c : value) {
      if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) dots += "\u2022";
    }
    node->text = keep_text(view_.arena, dots);
  } else {
    node->text = value;
  }
}

void ScreenLayout::place_slider(const Widget& widget, Bounds bounds, RowRef item, int depth) {
  const std::string_view label = render(widget.text, item);
  Bounds bar = shrunk(bounds, side_margin, 0);
  int level = depth;
  if (!label.empty()) {
    if (add(bounds, depth, NodePart::furniture, linear) == nullptr) return;
    ++level;
    bar.top = bounds.bottom - touch_height;
    if (ViewNode* title = add({bar.left, bounds.top + 12, bar.right, bar.top}, level, NodePart::title, text_view)) {
      title->widget = &widget;
      title->resource_id = "android:id/title";
      title->text = label;
    }
  }
  ViewNode* node = add_widget(widget, bar, item, level, class_of(widget));
  if (node == nullptr) return;
  node->part = NodePart::control;
  node->clickable = true;
  node->focusable = true;
  if (node->description.empty()) node->description = label;
  char buffer[24];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, number_of(widget));
  node->text = keep_text(view_.arena, {buffer, static_cast<std::size_t>(written.ptr - buffer)});
}

}  // namespace drover::devices::simulated
