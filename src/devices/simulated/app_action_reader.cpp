#include <algorithm>
#include <array>
#include <utility>

#include "devices/simulated/app_screen_reader.hpp"

namespace drover::devices::simulated {
namespace {

using Kind = AppAction::Kind;

struct ActionWord {
  std::string_view word;
  Kind kind;
};
constexpr std::array<ActionWord, 17> action_words{{{"set", Kind::set_variable},
                                                   {"toggle", Kind::toggle},
                                                   {"go", Kind::go},
                                                   {"restart_at", Kind::restart_at},
                                                   {"back", Kind::back},
                                                   {"home", Kind::home},
                                                   {"snackbar", Kind::snackbar},
                                                   {"add", Kind::add_row},
                                                   {"remove", Kind::remove_item},
                                                   {"clear", Kind::clear_list},
                                                   {"set_each", Kind::set_each},
                                                   {"when", Kind::condition},
                                                   {"require", Kind::require},
                                                   {"launch", Kind::launch},
                                                   {"open", Kind::open_url},
                                                   {"focus", Kind::focus},
                                                   {"hide_keyboard", Kind::hide_keyboard}}};

}  // namespace

std::vector<AppAction> AppScreenReader::read_actions(const YAML::Node& node, ListRef item) {
  std::vector<AppAction> actions;
  if (!node.IsDefined() || node.IsNull()) return actions;
  if (++depth_ > 24) {
    problems_.add(node, "actions are nested too deeply");
  } else if (node.IsScalar()) {
    const std::string word = scalar_text(node).value_or("");
    if (word == "back" || word == "home" || word == "hide_keyboard") {
      AppAction& action = actions.emplace_back();
      action.kind = word == "back" ? Kind::back : word == "home" ? Kind::home : Kind::hide_keyboard;
    } else {
      problems_.add(node, "'" + word + "' is no action by itself; only back, home and hide_keyboard are");
    }
  } else if (node.IsSequence()) {
    for (const YAML::Node& each : node) {
      std::vector<AppAction> more = read_actions(each, item);
      std::move(more.begin(), more.end(), std::back_inserter(actions));
    }
  } else {
    YamlFields fields(node, "an action", problems_);
    for (const std::string& word : fields.keys()) {
      if (word == "do" || word == "else") continue;
      read_action(word, fields, item, actions);
    }
    for (const ActionWord& each : action_words) fields.take(each.word);
    fields.close();
  }
  --depth_;
  return actions;
}

void AppScreenReader::read_action(const std::string& word, YamlFields& fields, ListRef item,
                                  std::vector<AppAction>& actions) {
  const auto found =
      std::find_if(action_words.begin(), action_words.end(), [&](const ActionWord& each) { return each.word == word; });
  if (found == action_words.end()) return;
  const YAML::Node value = fields.take(word);
  if (found->kind == Kind::set_variable) return read_set(value, item, actions);
  if (found->kind == Kind::add_row || found->kind == Kind::set_each) {
    return read_cells(value, found->kind, item, actions);
  }
  AppAction action;
  action.kind = found->kind;
  switch (found->kind) {
    case Kind::toggle: {
      const std::string name = scalar_text(value).value_or("");
      const auto variable = scope_.find_variable(name);
      if (!variable) {
        problems_.add_once(value, "", scope_.no_variable(name));
        return;
      }
      if (variable->kind != ValueKind::truth) {
        problems_.add(value, "'toggle' needs a variable that is a truth value, not '" + name + "'");
        return;
      }
      action.variable = variable->variable;
      break;
    }
    case Kind::go:
    case Kind::restart_at:
      read_go(value, item, action);
      break;
    case Kind::snackbar:
    case Kind::launch:
    case Kind::open_url:
      action.value = read_value(value, ValueKind::text, item);
      break;
    case Kind::remove_item:
      if (scalar_text(value).value_or("") != "item") problems_.add(value, "only 'remove: item' is known");
      if (item.empty() || item.app == phone_scope) refuse(value, "", "there is no item here that can be removed");
      break;
    case Kind::clear_list: {
      const std::string name = scalar_text(value).value_or("");
      const auto list = scope_.find_list(name);
      if (!list || list->app == phone_scope) {
        problems_.add_once(value, "", "no list '" + name + "' of this app");
        return;
      }
      action.list = *list;
      break;
    }
    case Kind::condition:
    case Kind::require: {
      if (const auto condition = read_condition(value, item)) action.condition = *condition;
      if (found->kind == Kind::condition) action.then = read_actions(fields.take("do"), item);
      action.otherwise = read_actions(fields.take("else"), item);
      break;
    }
    case Kind::focus:
      action.widget_id = scalar_text(value).value_or("");
      break;
    default:
      break;
  }
  actions.push_back(std::move(action));
}

void AppScreenReader::read_go(const YAML::Node& node, ListRef item, AppAction& action) {
  const std::string name = scalar_text(node).value_or("");
  for (std::size_t i = 0; i < app_.screens.size(); ++i) {
    if (app_.screens[i].name != name) continue;
    action.screen = static_cast<std::uint16_t>(i);
    const ListRef wanted = app_.screens[i].item;
    if (!wanted.empty() && !item_unknown_ && (item.app != own_ || wanted.index != item.index)) {
      problems_.add(node, "screen '" + name + "' shows an item of '" + app_.lists[wanted.index].name +
                              "', and there is none here");
    }
    return;
  }
  std::vector<std::string> known;
  for (const AppScreen& screen : app_.screens) known.push_back(screen.name);
  std::string message = "no screen or dialog '" + name + "'";
  if (const std::string near = nearest_word(name, known); !near.empty()) message += "; did you mean '" + near + "'?";
  problems_.add_once(node, "", message);
}

void AppScreenReader::read_set(const YAML::Node& node, ListRef item, std::vector<AppAction>& actions) {
  YamlFields fields(node, "'set'", problems_);
  for (const std::string& name : fields.keys()) {
    const YAML::Node value = fields.take(name);
    AppAction action;
    action.kind = Kind::set_variable;
    ValueKind kind = ValueKind::truth;
    if (name.starts_with("item.")) {
      action.kind = Kind::set_cell;
      const auto* columns = item.empty() || item.app == phone_scope ? nullptr : &scope_.columns_of(item);
      for (std::size_t i = 0; columns != nullptr && i < columns->size(); ++i) {
        if ((*columns)[i].name != name.substr(5)) continue;
        action.column = static_cast<std::uint16_t>(i);
        kind = (*columns)[i].kind;
      }
      if (action.column == no_index) {
        const bool some_item = columns != nullptr;
        refuse(value, "",
               some_item ? "the item has no column '" + name.substr(5) + "'"
                         : "there is no item with a column '" + name.substr(5) + "' here");
        continue;
      }
    } else {
      const auto variable = scope_.find_variable(name);
      if (!variable || variable->variable.app == phone_scope) {
        problems_.add_once(value, "", scope_.no_variable(name));
        continue;
      }
      action.variable = variable->variable;
      kind = variable->kind;
    }
    action.value = read_value(value, kind, item);
    actions.push_back(std::move(action));
  }
}

void AppScreenReader::read_cells(const YAML::Node& node, Kind kind, ListRef item, std::vector<AppAction>& actions) {
  const bool adds = kind == Kind::add_row;
  YamlFields fields(node, adds ? "'add'" : "'set_each'", problems_);
  if (!fields.is_mapping()) return;
  const std::string name = fields.required_text(adds ? "to" : "in");
  const auto list = scope_.find_list(name);
  if (!list || list->app == phone_scope) {
    problems_.add_once(node, "", "no list '" + name + "' of this app");
    return;
  }
  AppAction action;
  action.kind = kind;
  action.list = *list;
  const auto& columns = scope_.columns_of(*list);
  if (columns.empty()) return;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const YAML::Node value = fields.take(columns[i].name);
    if (!value.IsDefined()) continue;
    action.cells.emplace_back(static_cast<std::uint16_t>(i), read_value(value, columns[i].kind, adds ? item : *list));
  }
  fields.close();
  actions.push_back(std::move(action));
}

}  // namespace drover::devices::simulated
