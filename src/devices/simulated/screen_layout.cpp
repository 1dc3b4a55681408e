#include "devices/simulated/screen_layout.hpp"

#include <algorithm>
#include <utility>

#include "devices/simulated/keyboard_layout.hpp"
#include "devices/simulated/layout_metrics.hpp"

namespace drover::devices::simulated {

ScreenLayout::ScreenLayout(const PhoneState& phone, std::uint16_t app, const OpenScreen& open, bool can_go_up,
                           ScreenView& view)
    : phone_(phone),
      app_(phone.definition(app)),
      open_(open),
      screen_(app_.screens[open.screen]),
      can_go_up_(can_go_up),
      view_(view),
      package_(app_.package),
      repeats_(&view.arena) {
  for (const AppDefinition& each : phone.catalogue().apps()) {
    if (!each.settings.font_percent) continue;
    font_percent_ =
        static_cast<int>(std::clamp<std::int64_t>(phone.variable(*each.settings.font_percent).number, 50, 200));
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
      if (ViewNode* up =
              add({0, top + 10, 147, bar.bottom - 10}, 5, NodePart::navigate_up, "android.widget.ImageButton")) {
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
    if (ViewNode* title =
            add({left, top + 21, std::max(left + 1, right), bar.bottom - 21}, 5, NodePart::toolbar_title, text_view)) {
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
    if (ViewNode* node =
            add({left + 48, y, left + 48 + inner, y + title_height}, depth + 1, NodePart::dialog_title, text_view)) {
      node->resource_id = permission ? std::string_view("com.android.permissioncontroller:id/permission_message")
                                     : app_.dialog_title_id;
      node->text = title;
    }
    y += title_height;
  }
  if (message_height > 0) {
    if (ViewNode* node = add({left + 48, y, left + 48 + inner, y + message_height}, depth + 1, NodePart::dialog_message,
                             text_view)) {
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
  if (ViewNode* keys =
          add({box.left, box.top + 120, box.right, box.bottom - gesture_bar}, 2, NodePart::keyboard, group)) {
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
  const bool is_list =
      std::any_of(widgets.begin(), widgets.end(), [](const Widget& each) { return each.kind == WidgetKind::repeat; });
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

}  // namespace drover::devices::simulated
