#include <algorithm>
#include <memory_resource>
#include <utility>

#include "core/text.hpp"
#include "devices/simulated/phone_model.hpp"

namespace drover::devices::simulated {
namespace {

constexpr int snackbar_looks = 2;
constexpr std::size_t max_link_bytes = 2000;

PrimitiveResult nothing() { return PrimitiveReply{}; }

}  // namespace

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
      if (link.into) state_.set_variable(*link.into, {0, shorten(repair_utf8(rest), max_link_bytes)});
      const auto& stack = state_.app(app).stack;
      if (stack.empty() || stack.back().screen != link.screen || !(stack.back().item == item)) {
        open_screen(app, link.screen, item);
      }
      return nothing();
    }
  }
  return Error{Errc::action_failed, description_.id.value + " has no app that opens " + shorten(url, 120), ""};
}

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
    case Kind::set_variable:
      return state_.set_variable(action.variable, evaluate(action.value, context.item));
    case Kind::set_cell:
      if (context.item.empty()) return;
      return state_.set_cell(context.item, action.column, evaluate(action.value, context.item));
    case Kind::toggle:
      return state_.set_variable(action.variable, {state_.variable(action.variable).truth() ? 0 : 1, ""});
    case Kind::go:
      return open_screen(context.app, action.screen, context.item);
    case Kind::restart_at:
      state_.app(context.app).stack.clear();
      return open_screen(context.app, action.screen, context.item);
    case Kind::back:
      return close_screen(context.app);
    case Kind::home:
      return go_home();
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
    case Kind::remove_item:
      return state_.remove_row(context.item);
    case Kind::clear_list:
      return state_.clear_list(action.list);
    case Kind::launch: {
      const std::uint16_t app = state_.catalogue().find_app(evaluate(action.value, context.item).text);
      if (app != no_index) start_app(app, true);
      return;
    }
    case Kind::open_url:
      static_cast<void>(open_url(evaluate(action.value, context.item).text));
      return;
    case Kind::focus:
      if (const AppScreen* screen = front_screen()) {
        const Widget* widget = find_widget(screen->content, no_index, action.widget_id);
        if (widget != nullptr && widget->kind == WidgetKind::field) focus_field(*widget, {});
      }
      return;
    case Kind::hide_keyboard:
      state_.keyboard = false;
      return;
    case Kind::condition:
    case Kind::require:
      return;
  }
}

}  // namespace drover::devices::simulated
