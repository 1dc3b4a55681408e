#include "devices/simulated/app_file.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/document_bounds.hpp"
#include "devices/simulated/app_screen_reader.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_cells = 20'000;

const std::vector<Column>& phone_columns() {
  static const std::vector<Column> columns{
      {"name", ValueKind::text}, {"package", ValueKind::text}, {"icon", ValueKind::text}};
  return columns;
}

constexpr std::pair<std::string_view, PhoneVariable> phone_variables[]{{"phone.name", PhoneVariable::name},
                                                                       {"phone.model", PhoneVariable::model},
                                                                       {"phone.serial", PhoneVariable::serial},
                                                                       {"phone.time", PhoneVariable::time}};
constexpr std::pair<std::string_view, PhoneList> phone_lists[]{{"phone.apps", PhoneList::apps},
                                                               {"phone.recents", PhoneList::recents}};

constexpr std::string_view root_keys[]{"app",       "package",  "icon",          "launcher", "hidden",
                                       "variables", "lists",    "screens",       "dialogs",  "start",
                                       "recents",   "on_start", "interruptions", "links",    "phone"};

struct DeclaringSection {
  std::string_view key;
  std::string_view thing;
};
constexpr DeclaringSection declaring_sections[]{
    {"variables", "variable"}, {"lists", "list"}, {"screens", "screen"}, {"dialogs", "dialog"}};

bool is_name(std::string_view word) {
  static constexpr std::string_view reserved[]{"and",  "or",    "not", "true", "false",    "if",
                                               "item", "phone", "to",  "in",   "contains", "starts_with"};
  if (word.empty() || word.size() > 60 || (std::isdigit(static_cast<unsigned char>(word[0])) != 0)) return false;
  if (std::find(std::begin(reserved), std::end(reserved), word) != std::end(reserved)) return false;
  return std::all_of(word.begin(), word.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

bool is_package(std::string_view word) {
  return word.size() <= 120 && word.find('.') != std::string_view::npos && word.front() != '.' && word.back() != '.' &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_'; });
}

std::string file_stem(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  return name.substr(0, name.find('.'));
}

StoredValue stored(const YAML::Node& node, ValueKind kind, bool& fits) {
  StoredValue value;
  fits = true;
  if (kind == ValueKind::truth) {
    const auto truth = scalar_truth(node);
    fits = truth.has_value();
    value.number = truth.value_or(false) ? 1 : 0;
  } else if (kind == ValueKind::number) {
    const auto number = scalar_number(node);
    fits = number.has_value();
    value.number = number.value_or(0);
  } else if (node.IsDefined() && node.IsNull()) {
    value.text.clear();
  } else {
    const auto text = scalar_text(node);
    fits = text.has_value();
    value.text = text.value_or("");
  }
  return value;
}

template <class Things>
std::uint16_t index_of(const Things& things, std::string_view name) {
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (things[i].name == name) return static_cast<std::uint16_t>(i);
  }
  return no_index;
}

}  // namespace

std::optional<NameScope::NamedVariable> AppScope::find_variable(std::string_view name) const {
  for (const auto& [phone_name, variable] : phone_variables) {
    if (name == phone_name) return NamedVariable{{phone_scope, static_cast<std::uint16_t>(variable)}, ValueKind::text};
  }
  std::uint16_t app = own_;
  if (const std::size_t dot = name.find('.'); dot != std::string_view::npos) {
    const std::string_view key = name.substr(0, dot);
    name.remove_prefix(dot + 1);
    app = no_index;
    for (std::size_t i = 0; i < apps_.size(); ++i) {
      if (apps_[i].key == key) app = static_cast<std::uint16_t>(i);
    }
    if (app == no_index) return std::nullopt;
  }
  const std::uint16_t index = index_of(apps_[app].variables, name);
  if (index == no_index) return std::nullopt;
  return NamedVariable{{app, index}, apps_[app].variables[index].kind};
}

std::optional<ListRef> AppScope::find_list(std::string_view name) const {
  for (const auto& [phone_name, list] : phone_lists) {
    if (name == phone_name) return ListRef{phone_scope, static_cast<std::uint16_t>(list)};
  }
  const std::uint16_t index = index_of(apps_[own_].lists, name);
  if (index == no_index) return std::nullopt;
  return ListRef{own_, index};
}

const std::vector<Column>& AppScope::columns_of(ListRef list) const {
  return list.app == phone_scope ? phone_columns() : apps_[list.app].lists[list.index].columns;
}

std::string AppScope::nearest_name(std::string_view name) const {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < apps_.size(); ++i) {
    for (const Variable& variable : apps_[i].variables) {
      known.push_back(i == own_ ? variable.name : apps_[i].key + "." + variable.name);
    }
  }
  for (const ListDefinition& list : apps_[own_].lists) known.push_back(list.name);
  for (const auto& each : phone_variables) known.emplace_back(each.first);
  for (const auto& each : phone_lists) known.emplace_back(each.first);
  return nearest_word(name, known);
}

std::string AppScope::no_variable(std::string_view name) const {
  const std::string near = nearest_name(name);
  return "no variable '" + std::string(name) + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

AppFileReader::AppFileReader(const AppFileText& file, std::vector<AppFileProblem>& problems)
    : problems_(file.path, problems), key_(file_stem(file.path)) {
  if (file.text.size() > max_app_file_bytes) {
    problems_.add_at(0, "the file is larger than 1 MiB");
    return;
  }
  try {
    std::vector<YAML::Node> documents = YAML::LoadAll(file.text);
    std::erase_if(documents, [](const YAML::Node& document) { return document.IsNull(); });
    if (!documents.empty()) root_ = documents.front();
    if (documents.size() > 1) {
      problems_.add_at(documents[1].Mark().line + 1, "a second document begins here; an app file is one document");
    }
  } catch (const YAML::Exception& e) {
    problems_.add_at(e.mark.is_null() ? 0 : e.mark.line + 1, "not readable as YAML: " + e.msg);
    return;
  }
  if (!BoundedDocument<YAML::Node>().holds(root_)) {
    problems_.add_at(0, "the file has too many values, or they are nested too deep, once its aliases are written out");
    return;
  }
  fields_.emplace(root_, "an app file", problems_);
}

std::optional<AppDefinition> AppFileReader::declare() {
  if (!fields_ || !fields_->is_mapping()) return std::nullopt;
  AppDefinition app;
  app.key = key_;
  if (!is_name(key_)) {
    problems_.add_at(0, "the file's name must be lower-case letters, digits and _, because other files use it");
  }
  app.name = fields_->required_text("app");
  app.package = fields_->required_text("package");
  if (!app.package.empty() && !is_package(app.package)) {
    problems_.add(fields_->take("package"), "'" + app.package + "' is no package name (like com.example.shop)");
  }
  app.icon = fields_->text("icon", "#607d8b");
  app.launcher = fields_->truth("launcher");
  app.hidden = fields_->truth("hidden", app.launcher);
  find_misspelt_sections();
  declare_variables(fields_->take("variables"), app);
  declare_lists(fields_->take("lists"), app);
  declare_screens(fields_->take("screens"), false, app);
  declare_screens(fields_->take("dialogs"), true, app);
  const std::string prefix = app.package + ":id/";
  app.toolbar_id = prefix + "toolbar";
  app.toolbar_title_id = prefix + "toolbar_title";
  app.content_id = prefix + "content_list";
  app.footer_id = prefix + "footer";
  app.dialog_title_id = prefix + "dialog_title";
  app.dialog_message_id = prefix + "dialog_message";
  app.snackbar_id = prefix + "snackbar_text";
  return app;
}

void AppFileReader::find_misspelt_sections() {
  std::vector<std::string> missing;
  for (const DeclaringSection& section : declaring_sections) {
    if (!fields_->has(section.key)) missing.emplace_back(section.key);
  }
  for (const std::string& key : fields_->keys()) {
    if (std::find(std::begin(root_keys), std::end(root_keys), key) != std::end(root_keys)) continue;
    const std::string near = nearest_word(key, missing);
    for (const DeclaringSection& section : declaring_sections) {
      if (near != section.key) continue;
      problems_.miss_no(std::string(section.thing));
      if (section.thing == "dialog") problems_.miss_no("screen or dialog");
    }
  }
}

void AppFileReader::declare_variables(const YAML::Node& node, AppDefinition& app) {
  if (!node.IsDefined()) return;
  YamlFields fields(node, "'variables'", problems_);
  for (const std::string& name : fields.keys()) {
    const YAML::Node start = fields.take(name);
    if (!is_name(name)) problems_.add(start, "'" + name + "' can't be the name of a variable");
    Variable variable{name, ValueKind::text, {}};
    if (scalar_truth(start)) {
      variable.kind = ValueKind::truth;
    } else if (scalar_number(start)) {
      variable.kind = ValueKind::number;
    }
    bool fits = true;
    variable.start = stored(start, variable.kind, fits);
    if (!fits) problems_.add(start, "variable '" + name + "' must start as true, false, a whole number or a text");
    app.variables.push_back(std::move(variable));
  }
}

void AppFileReader::declare_lists(const YAML::Node& node, AppDefinition& app) {
  if (!node.IsDefined()) return;
  YamlFields fields(node, "'lists'", problems_);
  for (const std::string& name : fields.keys()) declare_list(name, fields.take(name), app);
}

void AppFileReader::declare_list(const std::string& name, const YAML::Node& node, AppDefinition& app) {
  if (!is_name(name)) problems_.add(node, "'" + name + "' can't be the name of a list");
  ListDefinition list{name, {}, {}};
  YamlFields fields(node, "list '" + name + "'", problems_);
  const YAML::Node stated = fields.take("columns");
  if (!stated.IsDefined() || !stated.IsMap()) {
    problems_.add(stated.IsDefined() ? stated : node,
                  "list '" + name + "' needs 'columns', a mapping of names to kinds");
    problems_.miss_no("column");
    fields.take("rows");
    fields.close();
    app.lists.push_back(std::move(list));
    return;
  }
  YamlFields columns(stated, "'columns' of list '" + name + "'", problems_);
  for (const std::string& column : columns.keys()) {
    const YAML::Node kind = columns.take(column);
    const std::string word = scalar_text(kind).value_or("");
    if (word != "text" && word != "number" && word != "truth") {
      problems_.add(kind, "column '" + column + "' must be text, number or truth");
    }
    if (!is_name(column)) problems_.add(kind, "'" + column + "' can't be the name of a column");
    list.columns.push_back({column, word == "number"  ? ValueKind::number
                                    : word == "truth" ? ValueKind::truth
                                                      : ValueKind::text});
  }
  if (columns.is_mapping() && list.columns.empty()) problems_.add(node, "list '" + name + "' has no columns");
  const YAML::Node rows = fields.take("rows");
  if (rows.IsDefined()) read_rows(rows, list);
  fields.close();
  app.lists.push_back(std::move(list));
}

void AppFileReader::read_rows(const YAML::Node& node, ListDefinition& list) {
  if (!node.IsSequence()) return problems_.add(node, "'rows' of list '" + list.name + "' must be a sequence");
  for (const YAML::Node& row : node) {
    if (!row.IsSequence() || row.size() != list.columns.size()) {
      std::string message =
          "a row of '" + list.name + "' must have " + std::to_string(list.columns.size()) + " values in brackets";
      // Without columns every row is wrong for the same reason.
      if (list.columns.empty()) {
        problems_.add_once(row, "", message);
      } else {
        problems_.add(row, message);
      }
      continue;
    }
    if (list.cells.size() + row.size() > max_cells) return problems_.add(row, "the list is too long");
    for (std::size_t i = 0; i < row.size(); ++i) {
      bool fits = true;
      list.cells.push_back(stored(row[i], list.columns[i].kind, fits));
      if (!fits) {
        problems_.add(row[i],
                      "column '" + list.columns[i].name + "' wants a " + std::string(kind_name(list.columns[i].kind)));
      }
    }
  }
}

void AppFileReader::declare_screens(const YAML::Node& node, bool dialogs, AppDefinition& app) {
  if (!node.IsDefined()) {
    if (!dialogs) problems_.add_once(root_, "", "an app needs 'screens'");
    return;
  }
  YamlFields fields(node, dialogs ? "'dialogs'" : "'screens'", problems_);
  if (!dialogs && fields.is_mapping() && fields.keys().empty()) problems_.add(node, "an app needs at least one screen");
  for (const std::string& name : fields.keys()) {
    const YAML::Node value = fields.take(name);
    if (!is_name(name)) problems_.add(value, "'" + name + "' can't be the name of a screen");
    if (index_of(app.screens, name) != no_index) problems_.add(value, "there are two screens '" + name + "'");
    AppScreen screen;
    screen.name = name;
    screen.kind = dialogs ? ScreenKind::dialog : ScreenKind::page;
    if (value.IsMap() && value["item"].IsDefined()) {
      const std::string list = scalar_text(value["item"]).value_or("");
      const std::uint16_t index = index_of(app.lists, list);
      if (index == no_index) {
        std::vector<std::string> known;
        for (const ListDefinition& each : app.lists) known.push_back(each.name);
        const std::string near = nearest_word(list, known);
        problems_.add_once(value["item"], "",
                           "no list '" + list + "'" + (near.empty() ? "" : "; did you mean '" + near + "'?"));
      } else {
        screen.item = {0, index};
      }
    }
    app.screens.push_back(std::move(screen));
  }
}

std::uint16_t AppFileReader::screen_named(const YAML::Node& node, const AppDefinition& app, bool dialogs) {
  const std::string name = scalar_text(node).value_or("");
  const std::uint16_t index = index_of(app.screens, name);
  if (index != no_index && (app.screens[index].kind != ScreenKind::page) == dialogs) return index;
  std::vector<std::string> known;
  for (const AppScreen& screen : app.screens) {
    if ((screen.kind != ScreenKind::page) == dialogs) known.push_back(screen.name);
  }
  std::string message = std::string("no ") + (dialogs ? "dialog" : "screen") + " '" + name + "'";
  if (const std::string near = nearest_word(name, known); !near.empty()) message += "; did you mean '" + near + "'?";
  problems_.add_once(node, "", message);
  return no_index;
}

void AppFileReader::bind(std::vector<AppDefinition>& apps, std::uint16_t own) {
  AppDefinition& app = apps[own];
  const AppScope scope(apps, own);
  AppScreenReader reader(scope, own, app, problems_);
  for (const bool dialogs : {false, true}) {
    const YAML::Node node = fields_->take(dialogs ? "dialogs" : "screens");
    if (!node.IsDefined() || !node.IsMap()) continue;
    for (const auto& pair : node) {
      const std::uint16_t index = index_of(app.screens, scalar_text(pair.first).value_or(""));
      if (index != no_index) reader.read_screen(pair.second, app.screens[index]);
    }
  }
  if (const YAML::Node start = fields_->take("start"); start.IsDefined()) {
    if (const std::uint16_t index = screen_named(start, app, false); index != no_index) app.start = index;
  }
  if (const YAML::Node recents = fields_->take("recents"); recents.IsDefined()) {
    app.recents = screen_named(recents, app, false);
  }
  if (const YAML::Node on_start = fields_->take("on_start"); on_start.IsDefined()) {
    app.on_start = reader.read_actions(on_start, {});
  }
  if (const YAML::Node list = fields_->take("interruptions"); list.IsDefined()) {
    if (!list.IsSequence()) problems_.add(list, "'interruptions' must be a sequence of dialogs");
    for (const YAML::Node& each : list.IsSequence() ? list : YAML::Node(YAML::NodeType::Sequence)) {
      if (const std::uint16_t index = screen_named(each, app, true); index != no_index) {
        app.interruptions.push_back(index);
      }
    }
  }
  bind_links(fields_->take("links"), scope, app);
  bind_settings(fields_->take("phone"), scope, app);
  fields_->close();
  problems_.count_places();
}

void AppFileReader::bind_links(const YAML::Node& node, const AppScope& scope, AppDefinition& app) {
  if (!node.IsDefined()) return;
  if (!node.IsSequence()) return problems_.add(node, "'links' must be a sequence");
  for (const YAML::Node& each : node) {
    YamlFields fields(each, "a link", problems_);
    if (!fields.is_mapping()) continue;
    AppLink link;
    link.prefix = fields.required_text("url");
    if (link.prefix.find("://") == std::string::npos) {
      problems_.add(each, "the url of a link must look like shop://basket");
    }
    if (link.prefix.ends_with('*')) {
      link.prefix.pop_back();
      link.has_rest = true;
    }
    if (const YAML::Node go = fields.take("go"); go.IsDefined()) {
      link.screen = screen_named(go, app, false);
    } else {
      problems_.add(each, "a link needs 'go'");
    }
    if (const std::string list = fields.text("list"); !list.empty()) {
      const auto found = scope.find_list(list);
      const std::string column = fields.required_text("column");
      if (!found) {
        problems_.add_once(fields.take("list"), "", "no list '" + list + "'");
      } else {
        link.list = *found;
        link.column = index_of(scope.columns_of(*found), column);
        if (scope.columns_of(*found).empty()) {
          // What is wrong with the list is told of the list.
        } else if (link.column == no_index || scope.columns_of(*found)[link.column].kind != ValueKind::text) {
          problems_.add(each, "list '" + list + "' has no text column '" + column + "'");
        }
      }
    }
    if (const std::string into = fields.text("into"); !into.empty()) {
      const auto variable = scope.find_variable(into);
      if (!variable) {
        problems_.add_once(fields.take("into"), "", scope.no_variable(into));
      } else if (variable->kind != ValueKind::text || variable->variable.app == phone_scope) {
        problems_.add(fields.take("into"), "'into' needs a text variable of this app, not '" + into + "'");
      } else {
        link.into = variable->variable;
      }
    }
    if (link.screen != no_index && !(app.screens[link.screen].item == link.list)) {
      problems_.add(each, "screen '" + app.screens[link.screen].name + "' and the link must name the same list");
    }
    fields.close();
    app.links.push_back(std::move(link));
  }
}

void AppFileReader::bind_settings(const YAML::Node& node, const AppScope& scope, AppDefinition& app) {
  if (!node.IsDefined()) return;
  YamlFields fields(node, "'phone'", problems_);
  const auto variable = [&](std::string_view key, ValueKind kind) -> std::optional<VariableRef> {
    const std::string name = fields.text(key);
    if (name.empty()) return std::nullopt;
    const auto found = scope.find_variable(name);
    if (found && found->kind == kind) return found->variable;
    if (!found) {
      problems_.add_once(fields.take(key), "", scope.no_variable(name));
      return std::nullopt;
    }
    problems_.add(fields.take(key), "'" + std::string(key) + "' needs a variable that is a " +
                                        std::string(kind_name(kind)) + ", not '" + name + "'");
    return std::nullopt;
  };
  app.settings.dark_theme = variable("dark_theme", ValueKind::truth);
  app.settings.font_percent = variable("font_percent", ValueKind::number);
  fields.close();
}

}  // namespace drover::devices::simulated
