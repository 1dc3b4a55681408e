#include "devices/simulated/phone_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/text.hpp"
#include "devices/simulated/keyboard_layout.hpp"
#include "devices/simulated/screen_painter.hpp"
#include "devices/simulated/ui_dump_writer.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_field_bytes = 2000;
constexpr int touch_slop = 24;  ///< A finger that moves less than this has tapped.
constexpr int edge = 30;        ///< Where the system's own gestures begin.
constexpr std::string_view null_root = "ERROR: null root node returned by UiTestAutomationBridge.\n";

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

PrimitiveResult nothing() { return PrimitiveReply{}; }

}  // namespace

PhoneModel::PhoneModel(std::shared_ptr<const AppCatalogue> catalogue, const DeviceDescription& description)
    : description_(description), state_(std::move(catalogue), description) {
  reset();
}

void PhoneModel::reset() {
  state_.reset();
  budget_ = 1000;
  start_app(state_.catalogue().launcher(), true);
}

PrimitiveResult PhoneModel::handle(const Primitive& primitive) {
  budget_ = 1000;
  const bool touches_screen =
      std::holds_alternative<primitive::TapAt>(primitive) || std::holds_alternative<primitive::HoldAt>(primitive) ||
      std::holds_alternative<primitive::Drag>(primitive) || std::holds_alternative<primitive::TypeText>(primitive) ||
      std::holds_alternative<primitive::DeleteText>(primitive);
  if (touches_screen && !state_.screen_on) return nothing();
  return std::visit(Overloaded{[&](const primitive::DumpTree&) { return look(); },
                               [&](const primitive::TakeScreenshot&) { return picture(); },
                               [&](const primitive::TapAt& tap) { return touch(tap.at, false), nothing(); },
                               [&](const primitive::HoldAt& hold) { return touch(hold.at, true), nothing(); },
                               [&](const primitive::Drag& move) { return drag(move), nothing(); },
                               [&](const primitive::TypeText& typed) { return type(typed.text), nothing(); },
                               [&](const primitive::DeleteText& gone) { return erase(gone.characters), nothing(); },
                               [&](const primitive::Press& key) { return press(key.key), nothing(); },
                               [&](const primitive::Launch& app) { return launch(app.app); },
                               [&](const primitive::Terminate& app) { return terminate(app.app); },
                               [&](const primitive::Open& link) { return open_url(link.url); }},
                    primitive);
}

PrimitiveResult PhoneModel::look() {
  if (!state_.screen_on) return PrimitiveReply{std::string(null_root)};
  ScreenView view;
  build_view(state_, view);
  PrimitiveReply reply{write_ui_dump(view)};
  if (state_.snackbar_looks > 0 && --state_.snackbar_looks == 0) state_.snackbar.clear();
  return reply;
}

PrimitiveResult PhoneModel::picture() const {
  ScreenPainter painter(state_);
  return PrimitiveReply{painter.paint()};
}

void PhoneModel::touch(Point at, bool hold) {
  ScreenView view;
  build_view(state_, view);
  if (view.keyboard.contains(at)) return touch_keyboard(at);
  const ViewNode* node = hit_test(view, at, hold);
  if (node == nullptr) {
    const AppScreen* screen = front_screen();
    if (screen != nullptr && screen->kind != ScreenKind::page && screen->cancelable && !view.window.contains(at)) {
      close_screen(active_app());
    }
    return;
  }
  if (!node->enabled) return;
  if (node->part == NodePart::navigate_up) {
    if (const AppScreen* screen = front_screen(); screen != nullptr && screen->on_back) {
      run(*screen->on_back, {active_app(), front_entry()->item});
    } else {
      close_screen(active_app());
    }
    return;
  }
  touch_widget(*node, at, hold);
}

void PhoneModel::touch_keyboard(Point at) {
  ScreenView view;
  build_view(state_, view);
  const KeyboardKey key = key_at(view.keyboard, at);
  switch (key.meaning) {
    case KeyMeaning::letter:
    case KeyMeaning::space:
      return type({&key.letter, 1});
    case KeyMeaning::erase:
      return erase(1);
    case KeyMeaning::enter:
      return press_enter();
    case KeyMeaning::none:
      return;
  }
}

void PhoneModel::touch_widget(const ViewNode& node, Point at, bool hold) {
  if (node.widget == nullptr || node.widget->broken) return;
  const Widget& widget = *node.widget;
  const std::uint16_t app = active_app();
  const Context context{app, node.item};
  if (hold && !widget.hold.empty()) return run(widget.hold, context);
  if (hold && node.long_clickable && widget.kind != WidgetKind::field) return;
  switch (widget.kind) {
    case WidgetKind::field:
      return focus_field(widget, node.item);
    case WidgetKind::toggle:
    case WidgetKind::checkbox:
      if (widget.variable) {
        state_.set_variable(*widget.variable, {state_.variable(*widget.variable).truth() ? 0 : 1, ""});
      }
      break;
    case WidgetKind::radio:
      if (widget.variable) {
        std::pmr::monotonic_buffer_resource arena;
        const std::string option(widget.option.render(state_, node.item, arena));
        StoredValue value;
        if (widget.variable_kind == ValueKind::text) value.text = option;
        if (widget.variable_kind == ValueKind::number) value.number = std::atoll(option.c_str());
        if (widget.variable_kind == ValueKind::truth) value.number = option == "true" ? 1 : 0;
        state_.set_variable(*widget.variable, std::move(value));
      }
      break;
    case WidgetKind::slider:
      if (widget.variable && node.bounds.width() > 1) {
        const std::int64_t range = widget.maximum - widget.minimum;
        const int offset = std::clamp(at.x - node.bounds.left, 0, node.bounds.width() - 1);
        const int last = node.bounds.width() - 1;
        state_.set_variable(*widget.variable, {widget.minimum + (range * offset + last / 2) / last, ""});
      }
      return;
    default:
      break;
  }
  if (node.closes_dialog) close_screen(app);
  run(widget.tap, context);
}

void PhoneModel::drag(const primitive::Drag& drag) {
  const int dx = drag.to.x - drag.from.x;
  const int dy = drag.to.y - drag.from.y;
  if (std::abs(dx) < touch_slop && std::abs(dy) < touch_slop) {
    return touch(drag.from, drag.time >= std::chrono::milliseconds{500});
  }
  ScreenView view;
  build_view(state_, view);
  const bool vertical = std::abs(dy) >= std::abs(dx);
  if (vertical && dy < 0 && drag.from.y >= view.height - edge) return press(Key::home);
  if (!vertical && (drag.from.x < edge ? dx > 0 : drag.from.x >= view.width - edge && dx < 0)) return press_back();
  if (view.keyboard.contains(drag.from)) return;
  const ViewNode* node = hit_test(view, drag.from, false);
  if (node != nullptr && node->widget != nullptr && node->widget->kind == WidgetKind::slider && !vertical) {
    if (node->enabled) touch_widget(*node, drag.to, false);
    return;
  }
  OpenScreen* entry = front_entry();
  if (entry == nullptr) return;
  if (vertical && view.viewport.contains(drag.from)) {
    const int before = std::clamp(entry->scroll, 0, view.scroll_range);
    entry->scroll = std::clamp(before - dy, 0, view.scroll_range);
    if (entry->scroll != before) return;
  }
  const Direction direction =
      vertical ? (dy < 0 ? Direction::up : Direction::down) : (dx < 0 ? Direction::left : Direction::right);
  if (const AppScreen* screen = front_screen(); screen != nullptr) {
    run(screen->on_swipe[static_cast<int>(direction)], {active_app(), entry->item});
  }
}

void PhoneModel::type(std::string_view text) {
  const Widget* field = focused_widget();
  if (field == nullptr || !field->variable) return;
  StoredValue value{0, std::string(state_.variable(*field->variable).text)};
  for (const char c : repair_utf8(text)) {
    if (static_cast<unsigned char>(c) >= 0x20) value.text += c;
  }
  if (value.text.size() <= max_field_bytes) state_.set_variable(*field->variable, std::move(value));
}

void PhoneModel::erase(std::size_t characters) {
  const Widget* field = focused_widget();
  if (field == nullptr || !field->variable) return;
  StoredValue value{0, std::string(state_.variable(*field->variable).text)};
  for (; characters > 0 && !value.text.empty(); --characters) {
    while (value.text.size() > 1 && (static_cast<unsigned char>(value.text.back()) & 0xc0) == 0x80) {
      value.text.pop_back();
    }
    value.text.pop_back();
  }
  state_.set_variable(*field->variable, std::move(value));
}

void PhoneModel::press(Key key) {
  if (key == Key::power) {
    state_.screen_on = !state_.screen_on;
    state_.keyboard = false;
    return;
  }
  if (!state_.screen_on) return;
  switch (key) {
    case Key::back:
    case Key::escape:
      return press_back();
    case Key::home:
      return go_home();
    case Key::enter:
      return press_enter();
    case Key::delete_left:
      return erase(1);
    case Key::tab:
      return focus_next();
    case Key::recents: {
      const std::uint16_t launcher = state_.catalogue().launcher();
      if (state_.definition(launcher).recents == no_index || state_.interruption != no_index) return;
      go_home();
      return open_screen(launcher, state_.definition(launcher).recents, {});
    }
    case Key::volume_up:
    case Key::volume_down:
    case Key::power:
      return;
  }
}

void PhoneModel::press_enter() {
  const Widget* field = focused_widget();
  if (field == nullptr) return;
  const RowRef item = state_.focus_item;
  state_.keyboard = false;
  run(field->submit, {active_app(), item});
}

void PhoneModel::press_back() {
  if (state_.keyboard) {
    state_.keyboard = false;
    return;
  }
  const AppScreen* screen = front_screen();
  if (screen == nullptr) return;
  const std::uint16_t app = active_app();
  if (screen->on_back) return run(*screen->on_back, {app, front_entry()->item});
  if (screen->kind != ScreenKind::page && !screen->cancelable) return;
  close_screen(app);
}

void PhoneModel::focus_next() {
  if (focused_widget() == nullptr) return;
  ScreenView view;
  build_view(state_, view);
  bool passed = false;
  for (const ViewNode& node : view.nodes) {
    if (node.widget == nullptr || node.widget->kind != WidgetKind::field || node.part != NodePart::widget) continue;
    if (passed && node.enabled) return focus_field(*node.widget, node.item);
    passed = passed || node.focused;
  }
}

void PhoneModel::leave_field() {
  state_.keyboard = false;
  state_.focus = no_index;
  state_.focus_item = {};
}

void PhoneModel::focus_field(const Widget& widget, RowRef item) {
  state_.focus = widget.number;
  state_.focus_item = item;
  state_.keyboard = true;
  ScreenView view;
  build_view(state_, view);
  if (view.scroll_needed >= 0) front_entry()->scroll = view.scroll_needed;
}

const Widget* PhoneModel::find_widget(const std::vector<Widget>& widgets, std::uint16_t number,
                                      std::string_view id) const {
  for (const Widget& widget : widgets) {
    if (id.empty() ? widget.number == number : widget.id == id) return &widget;
    if (const Widget* found = find_widget(widget.children, number, id)) return found;
  }
  return nullptr;
}

const Widget* PhoneModel::focused_widget() const {
  const AppScreen* screen = front_screen();
  if (screen == nullptr || state_.focus == no_index) return nullptr;
  for (const auto* widgets : {&screen->content, &screen->footer, &screen->toolbar_buttons}) {
    const Widget* found = find_widget(*widgets, state_.focus, {});
    if (found != nullptr && found->kind == WidgetKind::field) return found;
  }
  return nullptr;
}

}  // namespace drover::devices::simulated
