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
constexpr int snackbar_looks = 2;
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
  const bool touches_screen = std::holds_alternative<primitive::TapAt>(primitive) ||
                              std::holds_alternative<primitive::HoldAt>(primitive) ||
                              std::holds_alternative<primitive::Drag>(primitive) ||
                              std::holds_alternative<primitive::TypeText>(primitive) ||
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

// --- touches ---------------------------------------------------------------

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
    case KeyMeaning::space: return type({&key.letter, 1});
    case KeyMeaning::erase: return erase(1);
    case KeyMeaning::enter: return press_enter();
    case KeyMeaning::none: return;
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
    case WidgetKind::field: return focus_field(widget, node.item);
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
    default: break;
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
  const Direction direction = vertical ? (dy < 0 ? Direction::up : Direction::down)
                                       : (dx < 0 ? Direction::left : Direction::right);
  if (const AppScreen* screen = front_screen(); screen != nullptr) {
    run(screen->on_swipe[static_cast<int>(direction)], {active_app(), entry->item});
  }
}

// --- typing and keys -------------------------------------------------------

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
    case Key::escape: return press_back();
    case Key::home: return go_home();
    case Key::enter: return press_enter();
    case Key::delete_left: return erase(1);
    case Key::tab: return focus_next();
    case Key::recents: {
      const std::uint16_t launcher = state_.catalogue().launcher();
      if (state_.definition(launcher).recents == no_index || state_.interruption != no_index) return;
      go_home();
      return open_screen(launcher, state_.definition(launcher).recents, {});
    }
    case Key::volume_up:
    case Key::volume_down:
    case Key::power: return;
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

// --- screens and apps ------------------------------------------------------

const AppScreen* PhoneModel::front_screen() const {
  const AppState* app = state_.find_app(active_app());
  if (app == nullptr || app->stack.empty()) return nullptr;
  return &state_.definition(active_app()).screens[app->stack.back().screen];
}

OpenScreen* PhoneModel::front_entry() {
  AppState& app = state_.app(active_app());
  return app.stack.empty() ? nullptr : &app.stack.back();
}

std::string PhoneModel::where() const {
  const AppScreen* screen = front_screen();
  return state_.definition(active_app()).package + "/" + (screen == nullptr ? "" : screen->name);
}

bool PhoneModel::is_animated() const {
  const AppScreen* screen = front_screen();
  return screen != nullptr && screen->animated;
}

bool PhoneModel::is_cold(std::string_view app) const {
  const std::uint16_t found = state_.catalogue().find_app(app);
  const AppState* running = found == no_index ? nullptr : state_.find_app(found);
  return found != no_index && (running == nullptr || running->stack.empty());
}

void PhoneModel::open_screen(std::uint16_t app, std::uint16_t screen, RowRef item) {
  constexpr std::size_t deepest = 50;
  auto& stack = state_.app(app).stack;
  if (stack.size() >= deepest) return;
  const AppScreen& definition = state_.definition(app).screens[screen];
  if (definition.item.empty() || !(item.list == definition.item)) item = {};
  stack.push_back({screen, item, 0});
  leave_field();
  run(definition.on_enter, {app, item});
}

void PhoneModel::close_screen(std::uint16_t app) {
  auto& stack = state_.app(app).stack;
  leave_field();
  if (app == state_.interruption) {
    if (!stack.empty()) stack.pop_back();
    if (stack.empty()) state_.interruption = no_index;
    return;
  }
  if (stack.size() > 1) {
    stack.pop_back();
  } else if (app == state_.front && app != state_.catalogue().launcher()) {
    go_home();
  }
}

void PhoneModel::go_home() {
  const std::uint16_t launcher = state_.catalogue().launcher();
  leave_field();
  state_.snackbar.clear();
  state_.snackbar_looks = 0;
  state_.front = launcher;
  auto& stack = state_.app(launcher).stack;
  if (stack.size() > 1) stack.resize(1);
  if (stack.empty()) open_screen(launcher, state_.definition(launcher).start, {});
}

void PhoneModel::start_app(std::uint16_t app, bool run_on_start) {
  if (app == state_.catalogue().launcher() && state_.find_app(app) != nullptr) return go_home();
  leave_field();
  state_.snackbar.clear();
  state_.snackbar_looks = 0;
  state_.front = app;
  if (app != state_.catalogue().launcher() && !state_.definition(app).hidden) {
    std::erase(state_.recents, app);
    state_.recents.insert(state_.recents.begin(), app);
  }
  if (!state_.app(app).stack.empty()) return;
  open_screen(app, state_.definition(app).start, {});
  if (run_on_start) run(state_.definition(app).on_start, {app, {}});
}

bool PhoneModel::interrupt(std::uint64_t number) {
  const auto& dialogs = state_.catalogue().interruptions();
  if (dialogs.empty() || state_.interruption != no_index || !state_.screen_on) return false;
  const auto [app, screen] = dialogs[number % dialogs.size()];
  if (app == state_.front) return false;
  budget_ = 1000;
  state_.interruption = app;
  state_.app(app).stack.clear();
  open_screen(app, screen, {});
  return true;
}

Error PhoneModel::no_such_app(std::string_view app) const {
  std::string names;
  for (const std::uint16_t shown : state_.catalogue().shown_apps()) {
    if (!names.empty()) names += ", ";
    names += state_.definition(shown).name;
  }
  return {Errc::action_failed, description_.id.value + " has no app \"" + shorten(app, 80) + "\"",
          "installed are: " + names};
}

PrimitiveResult PhoneModel::launch(std::string_view app) {
  const std::uint16_t found = state_.catalogue().find_app(app);
  if (found == no_index) return no_such_app(app);
  state_.screen_on = true;
  start_app(found, true);
  return nothing();
}

PrimitiveResult PhoneModel::terminate(std::string_view app) {
  const std::uint16_t found = state_.catalogue().find_app(app);
  if (found == no_index) return no_such_app(app);
  if (found == state_.catalogue().launcher()) return go_home(), nothing();
  state_.app(found).stack.clear();
  std::erase(state_.recents, found);
  if (found == state_.interruption) state_.interruption = no_index;
  if (found == state_.front) go_home();
  return nothing();
}

PrimitiveResult PhoneModel::open_url(std::string_view url) {
  const auto& apps = state_.catalogue().apps();
  for (std::size_t index = 0; index < apps.size(); ++index) {
    for (const AppLink& link : apps[index].links) {
      if (link.has_rest ? !url.starts_with(link.prefix) : url != link.prefix) continue;
      const std::string_view rest = url.substr(link.prefix.size());
      RowRef item;
      for (std::size_t i = 0; !link.list.empty() && i < state_.row_count(link.list); ++i) {
        const RowRef row{link.list, state_.row_at(link.list, i)};
        if (state_.cell(row, link.column).text == rest) item = row;
      }
      const auto app = static_cast<std::uint16_t>(index);
      state_.screen_on = true;
      start_app(app, true);
      if (!link.list.empty() && item.empty()) return nothing();
      if (link.into) state_.set_variable(*link.into, {0, shorten(repair_utf8(rest), max_field_bytes)});
      const auto& stack = state_.app(app).stack;
      if (stack.empty() || stack.back().screen != link.screen || !(stack.back().item == item)) {
        open_screen(app, link.screen, item);
      }
      return nothing();
    }
  }
  return Error{Errc::action_failed, description_.id.value + " has no app that opens " + shorten(url, 120), ""};
}

// --- actions of app files --------------------------------------------------

void PhoneModel::run(const std::vector<AppAction>& actions, Context context) {
  for (const AppAction& action : actions) {
    if (!run_one(action, context)) return;
  }
}

bool PhoneModel::run_one(const AppAction& action, Context context) {
  if (--budget_ < 0) return false;
  if (action.kind == AppAction::Kind::condition || action.kind == AppAction::Kind::require) {
    std::pmr::monotonic_buffer_resource arena;
    const bool holds = action.condition.holds(state_, context.item, arena);
    run(holds ? action.then : action.otherwise, context);
    return holds || action.kind == AppAction::Kind::condition;
  }
  apply(action, context);
  return true;
}

StoredValue PhoneModel::evaluate(const ValueRule& rule, RowRef item) const {
  std::pmr::monotonic_buffer_resource arena;
  if (rule.kind == ValueKind::text) return {0, std::string(rule.text.render(state_, item, arena))};
  return {rule.expression.evaluate(state_, item, arena).number, ""};
}

void PhoneModel::apply(const AppAction& action, Context context) {
  using Kind = AppAction::Kind;
  switch (action.kind) {
    case Kind::set_variable: return state_.set_variable(action.variable, evaluate(action.value, context.item));
    case Kind::set_cell:
      if (context.item.empty()) return;
      return state_.set_cell(context.item, action.column, evaluate(action.value, context.item));
    case Kind::toggle:
      return state_.set_variable(action.variable, {state_.variable(action.variable).truth() ? 0 : 1, ""});
    case Kind::go: return open_screen(context.app, action.screen, context.item);
    case Kind::restart_at:
      state_.app(context.app).stack.clear();
      return open_screen(context.app, action.screen, context.item);
    case Kind::back: return close_screen(context.app);
    case Kind::home: return go_home();
    case Kind::snackbar:
      state_.snackbar = evaluate(action.value, context.item).text;
      state_.snackbar_looks = snackbar_looks;
      return;
    case Kind::add_row: {
      std::vector<StoredValue> values;
      for (const auto& cell : action.cells) values.push_back(evaluate(cell.second, context.item));
      const RowRef row = state_.add_row(action.list);
      if (row.empty()) return;
      for (std::size_t i = 0; i < values.size(); ++i) {
        state_.set_cell(row, action.cells[i].first, std::move(values[i]));
      }
      return;
    }
    case Kind::set_each:
      for (std::size_t i = 0; i < state_.row_count(action.list); ++i) {
        const RowRef row{action.list, state_.row_at(action.list, i)};
        for (const auto& [column, rule] : action.cells) state_.set_cell(row, column, evaluate(rule, row));
      }
      return;
    case Kind::remove_item: return state_.remove_row(context.item);
    case Kind::clear_list: return state_.clear_list(action.list);
    case Kind::launch: {
      const std::uint16_t app = state_.catalogue().find_app(evaluate(action.value, context.item).text);
      if (app != no_index) start_app(app, true);
      return;
    }
    case Kind::open_url: static_cast<void>(open_url(evaluate(action.value, context.item).text)); return;
    case Kind::focus:
      if (const AppScreen* screen = front_screen()) {
        const Widget* widget = find_widget(screen->content, no_index, action.widget_id);
        if (widget != nullptr && widget->kind == WidgetKind::field) focus_field(*widget, {});
      }
      return;
    case Kind::hide_keyboard: state_.keyboard = false; return;
    case Kind::condition:
    case Kind::require: return;
  }
}

}  // namespace drover::devices::simulated
