#include "devices/simulated/screen_layout.hpp"

#include <algorithm>
#include <charconv>

#include "devices/simulated/keyboard_layout.hpp"

namespace drover::devices::simulated {
namespace {

constexpr int status_bar = 66;
constexpr int gesture_bar = 63;
constexpr int toolbar_height = 168;
constexpr int side_margin = 48;
constexpr int touch_height = 126;
constexpr std::string_view frame = "android.widget.FrameLayout";
constexpr std::string_view linear = "android.widget.LinearLayout";
constexpr std::string_view relative = "android.widget.RelativeLayout";
constexpr std::string_view group = "android.view.ViewGroup";
constexpr std::string_view text_view = "android.widget.TextView";
constexpr std::string_view image_view = "android.widget.ImageView";

Bounds intersection(Bounds a, Bounds b) noexcept {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

Bounds shrunk(Bounds b, int x, int y) noexcept { return {b.left + x, b.top + y, b.right - x, b.bottom - y}; }

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

int default_width(const Widget& widget) noexcept {
  if (widget.width > 0) return widget.width;
  switch (widget.kind) {
    case WidgetKind::icon_button: return touch_height;
    case WidgetKind::image: return 168;
    case WidgetKind::space: return widget.height;
    default: return 0;
  }
}

bool takes_touches(const Widget& widget) noexcept {
  return !widget.tap.empty() || widget.broken || widget.kind == WidgetKind::button ||
         widget.kind == WidgetKind::icon_button || widget.kind == WidgetKind::toggle ||
         widget.kind == WidgetKind::checkbox || widget.kind == WidgetKind::radio || widget.kind == WidgetKind::field ||
         widget.kind == WidgetKind::tab;
}

std::string_view class_of(const Widget& widget) noexcept {
  switch (widget.kind) {
    case WidgetKind::text: return text_view;
    case WidgetKind::button: return "android.widget.Button";
    case WidgetKind::icon_button: return "android.widget.ImageButton";
    case WidgetKind::toggle: return "android.widget.Switch";
    case WidgetKind::checkbox: return "android.widget.CheckBox";
    case WidgetKind::radio: return "android.widget.RadioButton";
    case WidgetKind::field: return "android.widget.EditText";
    case WidgetKind::image: return image_view;
    case WidgetKind::slider: return "android.widget.SeekBar";
    case WidgetKind::progress: return "android.widget.ProgressBar";
    case WidgetKind::tab: return frame;
    case WidgetKind::card: return "androidx.cardview.widget.CardView";
    case WidgetKind::grid: return "android.widget.GridView";
    case WidgetKind::space:
    case WidgetKind::divider: return "android.view.View";
    case WidgetKind::item:
    case WidgetKind::row:
    case WidgetKind::column:
    case WidgetKind::repeat: return linear;
  }
  return "android.view.View";
}

}  // namespace

int text_size(const Widget& widget) noexcept {
  switch (widget.style) {
    case WidgetStyle::heading: return heading_text;
    case WidgetStyle::section:
    case WidgetStyle::small:
    case WidgetStyle::error:
    case WidgetStyle::app_icon: return small_text;
    case WidgetStyle::normal:
    case WidgetStyle::plain: break;
  }
  return widget.kind == WidgetKind::button || widget.kind == WidgetKind::tab ? small_text : body_text;
}

ScreenLayout::ScreenLayout(const PhoneState& phone, std::uint16_t app, const OpenScreen& open, bool can_go_up,
                           ScreenView& view)
    : phone_(phone), app_(phone.definition(app)), open_(open), screen_(app_.screens[open.screen]),
      can_go_up_(can_go_up), view_(view), package_(app_.package) {
  for (const AppDefinition& each : phone.catalogue().apps()) {
    if (!each.settings.font_percent) continue;
    font_percent_ = static_cast<int>(std::clamp<std::int64_t>(phone.variable(*each.settings.font_percent).number, 50, 200));
  }
  if (screen_.kind == ScreenKind::permission) package_ = "com.android.permissioncontroller";
}

void ScreenLayout::build() {
  view_.nodes.reserve(96);
  if (screen_.landscape) {
    view_.rotation = 1;
    std::swap(view_.width, view_.height);
  }
  const Bounds display{0, 0, view_.width, view_.height};
  clip_ = display;
  if (phone_.keyboard) {
    const int top = screen_.landscape ? view_.height / 2 : keyboard_top;
    view_.keyboard = {0, top, view_.width, view_.height};
    clip_.bottom = top;
  }
  if (screen_.kind == ScreenKind::page) {
    build_page();
  } else {
    build_dialog();
  }
  if (phone_.keyboard) build_keyboard();
}

ViewNode* ScreenLayout::add(Bounds bounds, int depth, NodePart part, std::string_view class_name) {
  const Bounds visible = intersection(bounds, clip_);
  if (visible.empty()) return nullptr;
  ViewNode& node = view_.nodes.emplace_back();
  node.bounds = visible;
  node.depth = static_cast<std::uint8_t>(std::min(depth, 200));
  node.part = part;
  node.class_name = class_name;
  node.package = package_;
  return &node;
}

void ScreenLayout::build_page() {
  const Bounds display{0, 0, view_.width, view_.height};
  view_.window = display;
  add(display, 0, NodePart::furniture, frame);
  add(display, 1, NodePart::furniture, linear);
  if (ViewNode* content = add({0, status_bar, view_.width, view_.height}, 2, NodePart::furniture, frame)) {
    content->resource_id = "android:id/content";
  }
  if (ViewNode* page = add({0, status_bar, view_.width, view_.height}, 3, NodePart::page, group)) {
    page->resource_id = screen_.page_id;
  }
  int top = status_bar;
  if (screen_.toolbar) {
    const Bounds bar{0, top, view_.width, top + toolbar_height};
    if (ViewNode* node = add(bar, 4, NodePart::toolbar, group)) node->resource_id = app_.toolbar_id;
    int left = side_margin;
    if (can_go_up_) {
      if (ViewNode* up = add({0, top + 10, 147, bar.bottom - 10}, 5, NodePart::navigate_up, "android.widget.ImageButton")) {
        up->description = "Navigate up";
        up->clickable = up->focusable = true;
      }
      left = 168;
    }
    int right = view_.width - 21;
    for (const Widget& button : screen_.toolbar_buttons) {
      if (visible(button, open_.item)) right -= std::max(default_width(button), touch_height);
    }
    const int buttons_left = right;
    if (ViewNode* title = add({left, top + 21, std::max(left + 1, right), bar.bottom - 21}, 5, NodePart::toolbar_title, text_view)) {
      title->resource_id = app_.toolbar_title_id;
      title->text = render(screen_.title, open_.item);
    }
    right = buttons_left;
    for (const Widget& button : screen_.toolbar_buttons) {
      if (!visible(button, open_.item)) continue;
      const int width = std::max(default_width(button), touch_height);
      place(button, button.outside_grid ? button.at : Bounds{right, top + 21, right + width, bar.bottom - 21},
            open_.item, 5);
      right += width;
    }
    top = bar.bottom;
  }
  const int bottom = view_.height - gesture_bar;
  const int footer_height = screen_.footer.empty() ? 0 : measure_column(screen_.footer, view_.width, open_.item);
  place_scrolling(screen_.content, {0, top, view_.width, bottom - footer_height}, 4);
  if (footer_height > 0) {
    const Bounds place{0, bottom - footer_height, view_.width, bottom};
    if (ViewNode* footer = add(place, 4, NodePart::footer, linear)) {
      footer->resource_id = app_.footer_id;
      place_column(screen_.footer, place, open_.item, 5);
    }
  }
  if (!phone_.snackbar.empty()) build_snackbar(bottom - footer_height);
}

void ScreenLayout::build_snackbar(int bottom) {
  const int lowest = std::min(bottom, clip_.bottom);
  const Bounds box{24, lowest - 168, view_.width - 24, lowest - 24};
  if (add(box, 4, NodePart::furniture, frame) == nullptr) return;
  if (ViewNode* text = add(shrunk(box, 24, 12), 5, NodePart::snackbar, text_view)) {
    text->resource_id = app_.snackbar_id;
    text->text = phone_.snackbar;
  }
}

void ScreenLayout::build_dialog() {
  const bool sheet = screen_.kind == ScreenKind::sheet;
  const bool permission = screen_.kind == ScreenKind::permission;
  const int width = sheet ? view_.width : std::min(948, view_.width - 132);
  const int inner = width - 96;
  const std::string_view title = render(screen_.title, open_.item);
  const std::string_view message = render(screen_.message, open_.item);
  const int title_height = title.empty() ? 0 : text_height(title, 52, inner) + 36;
  const int message_height = message.empty() ? 0 : text_height(message, body_text, inner) + 24;
  const int content_height = measure_column(screen_.content, width, open_.item);
  int footer_height = 0;
  int footer_buttons = 0;
  for (const Widget& button : screen_.footer) {
    if (!visible(button, open_.item) || button.outside_grid) continue;
    ++footer_buttons;
    footer_height += measure(button, inner, open_.item);
  }
  const bool stacked = sheet || permission || footer_buttons > 2;
  if (!stacked && footer_buttons > 0) footer_height = measure_row(screen_.footer, width, open_.item);
  const int highest = std::min(clip_.bottom, view_.height - gesture_bar) - 2 * status_bar;
  const int fixed = 48 + title_height + message_height + footer_height + 48;
  const int content_shown = std::clamp(content_height, 0, std::max(0, highest - fixed));
  const int height = fixed + content_shown;
  const int left = (view_.width - width) / 2;
  const int lowest = std::min(clip_.bottom, view_.height);
  const int top = sheet ? lowest - height : std::max(status_bar, (lowest - height) / 2);
  const Bounds box{left, top, left + width, top + height};
  view_.window = box;
  add(box, 0, NodePart::furniture, frame);
  if (!permission) {
    if (ViewNode* content = add(box, 1, NodePart::furniture, frame)) content->resource_id = "android:id/content";
  }
  const int depth = permission ? 1 : 2;
  if (ViewNode* node = add(box, depth, NodePart::dialog, linear)) node->resource_id = screen_.page_id;
  int y = top + 48;
  if (title_height > 0) {
    if (ViewNode* node = add({left + 48, y, left + 48 + inner, y + title_height}, depth + 1, NodePart::dialog_title, text_view)) {
      node->resource_id =
          permission ? std::string_view("com.android.permissioncontroller:id/permission_message") : app_.dialog_title_id;
      node->text = title;
    }
    y += title_height;
  }
  if (message_height > 0) {
    if (ViewNode* node = add({left + 48, y, left + 48 + inner, y + message_height}, depth + 1, NodePart::dialog_message, text_view)) {
      node->resource_id = permission ? std::string_view("com.android.permissioncontroller:id/detail_message")
                                     : std::string_view(app_.dialog_message_id);
      node->text = message;
    }
    y += message_height;
  }
  if (!screen_.content.empty()) place_scrolling(screen_.content, {left, y, left + width, y + content_shown}, depth + 1);
  y += content_shown;
  if (footer_buttons == 0) return;
  in_dialog_footer_ = true;
  const Bounds place{left + 24, y, left + width - 24, y + footer_height};
  if (ViewNode* node = add(place, depth + 1, NodePart::footer, linear)) {
    node->resource_id = permission ? std::string_view() : std::string_view("android:id/buttonPanel");
    if (stacked) {
      place_column(screen_.footer, place, open_.item, depth + 2);
    } else {
      place_row(screen_.footer, place, open_.item, depth + 2);
    }
  }
  in_dialog_footer_ = false;
}

void ScreenLayout::build_keyboard() {
  const Bounds box = view_.keyboard;
  clip_ = {0, 0, view_.width, view_.height};
  package_ = "com.google.android.inputmethod.latin";
  add(box, 0, NodePart::keyboard, frame);
  if (ViewNode* area = add(box, 1, NodePart::keyboard, frame)) area->resource_id = "android:id/inputArea";
  if (ViewNode* keys = add({box.left, box.top + 120, box.right, box.bottom - gesture_bar}, 2, NodePart::keyboard, group)) {
    keys->resource_id = "com.google.android.inputmethod.latin:id/keyboard_holder";
  }
  if (ViewNode* action = add(enter_key(box), 3, NodePart::keyboard_action, frame)) {
    action->resource_id = "com.google.android.inputmethod.latin:id/key_pos_ime_action";
    action->description = "Enter";
    action->clickable = true;
  }
}

void ScreenLayout::place_scrolling(const std::vector<Widget>& widgets, Bounds place, int depth) {
  Bounds shown = intersection(place, clip_);
  if (widgets.empty() || shown.empty()) return;
  const int height = measure_column(widgets, place.width(), open_.item);
  const bool scrolls = height > shown.height();
  const bool is_list = std::any_of(widgets.begin(), widgets.end(),
                                   [](const Widget& each) { return each.kind == WidgetKind::repeat; });
  ViewNode* container = add(place, depth, NodePart::scroll,
                            is_list   ? std::string_view("androidx.recyclerview.widget.RecyclerView")
                            : scrolls ? std::string_view("android.widget.ScrollView")
                                      : linear);
  if (container == nullptr) return;
  container->resource_id = app_.content_id;
  container->scrollable = scrolls;
  container->focusable = scrolls;
  if (scrolls) {
    view_.viewport = shown;
    view_.scroll_range = height - shown.height();
  }
  const int scroll = std::clamp(open_.scroll, 0, view_.scroll_range);
  const Bounds outer = clip_;
  clip_ = shown;
  int child_depth = depth + 1;
  if (scrolls && !is_list) {
    add(shown, depth + 1, NodePart::furniture, linear);
    ++child_depth;
  }
  place_column(widgets, {place.left, place.top - scroll, place.right, place.top - scroll + height}, open_.item,
               child_depth);
  clip_ = outer;
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
  const int text_width = width - 2 * side_margin - (widget.icon.empty() ? 0 : 144) -
                         (widget.kind == WidgetKind::toggle ? 180 : 0);
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
    case WidgetKind::button: return 150;
    case WidgetKind::icon_button: return touch_height;
    case WidgetKind::toggle:
      return widget.style == WidgetStyle::plain ? touch_height : row_height(widget, width, item);
    case WidgetKind::item: return widget.style == WidgetStyle::app_icon ? 300 : row_height(widget, width, item);
    case WidgetKind::checkbox:
    case WidgetKind::radio: return 132;
    case WidgetKind::field: return 192;
    case WidgetKind::image: return 320;
    case WidgetKind::slider: return widget.text.empty() ? touch_height : 210;
    case WidgetKind::progress: return 72;
    case WidgetKind::tab: return 168;
    case WidgetKind::row: return measure_row(widget.children, width, item);
    case WidgetKind::column: return measure_column(widget.children, width, item);
    case WidgetKind::card: return measure_column(widget.children, width - 48, item) + 48;
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
    case WidgetKind::space: return 0;
    case WidgetKind::divider: return 3;
    case WidgetKind::repeat: break;
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

std::pmr::vector<RowRef> ScreenLayout::rows_of(const Widget& repeat) const {
  std::pmr::vector<RowRef> rows(&view_.arena);
  const std::size_t count = phone_.row_count(repeat.list);
  rows.reserve(count);
  for (std::size_t position = 0; position < count; ++position) {
    const RowRef item{repeat.list, phone_.row_at(repeat.list, position)};
    if (!repeat.where || repeat.where->holds(phone_, item, view_.arena)) rows.push_back(item);
  }
  if (repeat.order_by) {
    const auto rank = [&](RowRef item) { return repeat.order_by->evaluate(phone_, item, view_.arena).number; };
    std::stable_sort(rows.begin(), rows.end(), [&](RowRef a, RowRef b) { return rank(a) < rank(b); });
  }
  return rows;
}

int ScreenLayout::measure_repeat(const Widget& repeat, int width) const {
  const int columns = std::max(repeat.columns, 1);
  int total = 0;
  int line = 0;
  int column = 0;
  for (const RowRef item : rows_of(repeat)) {
    line = std::max(line, measure_column(repeat.children, width / columns, item));
    if (++column < columns) continue;
    total += line;
    line = column = 0;
  }
  return total + line;
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
  for (const RowRef item : rows_of(repeat)) {
    const int height = measure_column(repeat.children, width, item);
    const Bounds cell{place_in.left + column * width, y, place_in.left + (column + 1) * width, y + height};
    if (!intersection(cell, clip_).empty()) place_column(repeat.children, cell, item, depth);
    line = std::max(line, height);
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
    case WidgetKind::repeat: return;
    case WidgetKind::item:
    case WidgetKind::toggle:
      if (widget.style == WidgetStyle::plain || widget.style == WidgetStyle::app_icon) break;
      return place_item_row(widget, bounds, item, depth);
    case WidgetKind::field: return place_field(widget, bounds, item, depth);
    case WidgetKind::slider: return place_slider(widget, bounds, item, depth);
    default: break;
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
    case WidgetKind::button: node->text = render(widget.text, item); break;
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
    case WidgetKind::row: place_row(widget.children, inner, item, depth + 1); break;
    case WidgetKind::column: place_column(widget.children, inner, item, depth + 1); break;
    case WidgetKind::card: place_column(widget.children, shrunk(inner, 0, 12), item, depth + 1); break;
    case WidgetKind::grid: place_grid(widget, inner, item, depth + 1); break;
    default: break;
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
