#include "devices/simulated/app_screen_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/action.hpp"

namespace drover::devices::simulated {
namespace {

constexpr int max_depth = 24;
constexpr std::uint16_t max_widgets = 5000;

struct KindWord {
  std::string_view word;
  WidgetKind kind;
};
constexpr std::array<KindWord, 19> kind_words{{{"text", WidgetKind::text},
                                               {"button", WidgetKind::button},
                                               {"icon_button", WidgetKind::icon_button},
                                               {"switch", WidgetKind::toggle},
                                               {"checkbox", WidgetKind::checkbox},
                                               {"radio", WidgetKind::radio},
                                               {"field", WidgetKind::field},
                                               {"item", WidgetKind::item},
                                               {"image", WidgetKind::image},
                                               {"slider", WidgetKind::slider},
                                               {"progress", WidgetKind::progress},
                                               {"tab", WidgetKind::tab},
                                               {"row", WidgetKind::row},
                                               {"column", WidgetKind::column},
                                               {"card", WidgetKind::card},
                                               {"grid", WidgetKind::grid},
                                               {"repeat", WidgetKind::repeat},
                                               {"space", WidgetKind::space},
                                               {"divider", WidgetKind::divider}}};

struct StyleWord {
  std::string_view word;
  WidgetStyle style;
};
constexpr std::array<StyleWord, 7> style_words{{{"normal", WidgetStyle::normal},
                                                {"heading", WidgetStyle::heading},
                                                {"section", WidgetStyle::section},
                                                {"small", WidgetStyle::small},
                                                {"error", WidgetStyle::error},
                                                {"plain", WidgetStyle::plain},
                                                {"app_icon", WidgetStyle::app_icon}}};

bool is_id(std::string_view word) {
  return !word.empty() && word.size() <= 60 && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

template <class Words>
std::vector<std::string> words_of(const Words& table) {
  std::vector<std::string> words;
  for (const auto& each : table) words.emplace_back(each.word);
  return words;
}

std::string with_hint(std::string message, std::string_view word, const std::vector<std::string>& known) {
  if (const std::string near = nearest_word(word, known); !near.empty()) message += "; did you mean '" + near + "'?";
  return message;
}

}  // namespace

void AppScreenReader::read_screen(const YAML::Node& node, AppScreen& screen) {
  YamlFields fields(node, "screen '" + screen.name + "'", problems_);
  if (!fields.is_mapping()) return;
  if (!screen.item.empty()) screen.item.app = own_;
  item_unknown_ = fields.has("item") && screen.item.empty();
  id_prefix_ = app_.package + ":id/";
  if (screen.kind != ScreenKind::page) read_dialog_kind(fields, screen);
  fields.take("item");
  const std::string id = fields.text("id", screen.name + (screen.kind == ScreenKind::page ? "_page" : "_dialog"));
  if (!is_id(id)) problems_.add(fields.take("id"), "'" + id + "' can't be an id (letters, digits and _)");
  screen.page_id = app_.package + ":id/" + id;
  screen.title = read_template(fields.take("title"), screen.item);
  screen.content = read_widgets(fields.take("content"), screen.item, "'content'");
  screen.on_enter = read_actions(fields.take("on_enter"), screen.item);
  screen.animated = fields.truth("animated");
  if (const YAML::Node back = fields.take("on_back"); back.IsDefined()) {
    screen.on_back = read_actions(back, screen.item);
  }
  if (screen.kind == ScreenKind::page) {
    read_page(fields, screen);
  } else {
    read_dialog(fields, screen);
  }
  fields.close();
}

void AppScreenReader::read_page(YamlFields& fields, AppScreen& screen) {
  screen.toolbar = fields.truth("bar", true);
  screen.landscape = fields.truth("landscape");
  screen.toolbar_buttons = read_widgets(fields.take("buttons"), screen.item, "'buttons'");
  screen.footer = read_widgets(fields.take("footer"), screen.item, "'footer'");
  const YAML::Node swipes = fields.take("on_swipe");
  if (!swipes.IsDefined()) return;
  YamlFields directions(swipes, "'on_swipe'", problems_);
  for (const auto direction : {Direction::up, Direction::down, Direction::left, Direction::right}) {
    static constexpr std::string_view words[]{"up", "down", "left", "right"};
    const YAML::Node actions = directions.take(words[static_cast<int>(direction)]);
    screen.on_swipe[static_cast<int>(direction)] = read_actions(actions, screen.item);
  }
  directions.close();
}

void AppScreenReader::read_dialog(YamlFields& fields, AppScreen& screen) {
  screen.message = read_template(fields.take("message"), screen.item);
  const bool permission = screen.kind == ScreenKind::permission;
  screen.cancelable = fields.truth("cancelable", !permission);
  if (permission) screen.page_id = id_prefix_ + "grant_dialog";
  screen.footer = read_widgets(fields.take("buttons"), screen.item, "'buttons'");
}

void AppScreenReader::read_dialog_kind(YamlFields& fields, AppScreen& screen) {
  const YAML::Node kind = fields.take("kind");
  if (!kind.IsDefined()) return;
  const std::string word = scalar_text(kind).value_or("");
  if (word == "sheet") {
    screen.kind = ScreenKind::sheet;
  } else if (word == "permission") {
    screen.kind = ScreenKind::permission;
    id_prefix_ = "com.android.permissioncontroller:id/";
  } else if (word != "dialog") {
    problems_.add(kind, "the kind of a dialog must be dialog, sheet or permission");
  }
}

std::vector<Widget> AppScreenReader::read_widgets(const YAML::Node& node, ListRef item, const char* where) {
  std::vector<Widget> widgets;
  if (!node.IsDefined()) return widgets;
  if (!node.IsSequence()) {
    problems_.add(node, std::string(where) + " must be a sequence of widgets");
    return widgets;
  }
  if (++depth_ > max_depth) {
    problems_.add(node, "widgets are nested more than " + std::to_string(max_depth) + " deep");
  } else {
    for (const YAML::Node& each : node) {
      if (widgets_ >= max_widgets) {
        problems_.add(each, "an app has at most " + std::to_string(max_widgets) + " widgets");
        break;
      }
      Widget& widget = widgets.emplace_back();
      widget.number = widgets_++;
      read_widget(each, item, widget);
    }
  }
  --depth_;
  return widgets;
}

void AppScreenReader::read_widget(const YAML::Node& node, ListRef item, Widget& widget) {
  YamlFields fields(node, "a widget", problems_);
  if (!fields.is_mapping()) return;
  std::string kind_word;
  for (const std::string& key : fields.keys()) {
    const bool is_kind =
        std::any_of(kind_words.begin(), kind_words.end(), [&](const KindWord& each) { return each.word == key; });
    if (!is_kind) continue;
    if (!kind_word.empty()) {
      problems_.add(node, "a widget is one thing, not '" + kind_word + "' and '" + key + "'");
      return;
    }
    kind_word = key;
  }
  if (kind_word.empty()) {
    std::string message = "what kind of widget is this? It needs one of text, button, switch, field, item, …";
    for (const std::string& key : fields.keys()) {
      if (const std::string near = nearest_word(key, words_of(kind_words)); !near.empty()) {
        message = "'" + key + "' is no kind of widget; did you mean '" + near + "'?";
        break;
      }
    }
    problems_.add(node, std::move(message));
    return;
  }
  fields.rename("a " + kind_word);
  widget.kind = std::find_if(kind_words.begin(), kind_words.end(), [&](const KindWord& each) {
                  return each.word == kind_word;
                })->kind;
  ListRef inner = item;
  const bool outer_unknown = item_unknown_;
  if (widget.kind == WidgetKind::repeat) read_repeat(fields, inner, widget);
  widget.id = fields.text("id");
  if (!widget.id.empty()) {
    if (!is_id(widget.id))
      problems_.add(fields.take("id"), "'" + widget.id + "' can't be an id (letters, digits and _)");
    widget.resource_id = id_prefix_ + widget.id;
    widget.control_id = widget.resource_id + "_switch";
  } else {
    widget.control_id = "android:id/switch_widget";
  }
  read_kind(fields, kind_word, inner, widget);
  item_unknown_ = outer_unknown;
  if (const auto condition = read_condition(fields.take("visible_when"), item)) widget.visible_when = *condition;
  read_place(fields, widget);
  fields.close();
}

void AppScreenReader::read_repeat(YamlFields& fields, ListRef& item, Widget& widget) {
  const YAML::Node name = fields.take("repeat");
  const std::string word = scalar_text(name).value_or("");
  const auto list = scope_.find_list(word);
  item_unknown_ = !list;
  if (!list) {
    std::vector<std::string> known;
    for (const ListDefinition& each : app_.lists) known.push_back(each.name);
    problems_.add_once(name, "", with_hint("no list '" + word + "'", word, known));
  } else {
    widget.list = *list;
    item = *list;
  }
  if (const auto where = read_condition(fields.take("where"), item)) widget.where = *where;
  if (const YAML::Node order = fields.take("order_by"); order.IsDefined()) {
    widget.order_by = read_value(order, ValueKind::number, item).expression;
  }
  if (!fields.has("show")) problems_.add(fields.node(), "a repeat needs 'show'");
  widget.children = read_widgets(fields.take("show"), item, "'show'");
  widget.columns = fields.number("columns", 1, 1, 8);
}

void AppScreenReader::read_kind(YamlFields& fields, const std::string& kind_word, ListRef item, Widget& widget) {
  using K = WidgetKind;
  const K kind = widget.kind;
  const bool container = kind == K::row || kind == K::column || kind == K::card || kind == K::grid;
  if (container) {
    widget.children = read_widgets(fields.take(kind_word), item, "its parts");
    if (kind == K::grid) widget.columns = fields.number("columns", 2, 1, 8);
  } else if (kind == K::space) {
    widget.height = fields.number(kind_word, 42, 0, display_height);
  } else if (kind == K::icon_button || kind == K::image) {
    widget.icon = fields.text(kind_word);
  } else if (kind == K::divider) {
    fields.take(kind_word);
  } else if (kind != K::repeat) {
    widget.text = read_template(fields.take(kind_word), item);
  }
  if (kind == K::space || kind == K::divider || kind == K::repeat) return;

  const bool acts = kind != K::field && kind != K::slider && kind != K::progress;
  if (acts) {
    widget.tap = read_actions(fields.take("tap"), item);
    widget.hold = read_actions(fields.take("hold"), item);
  }
  widget.description = read_template(fields.take("description"), item);
  if (const auto condition = read_condition(fields.take("enabled_when"), item)) widget.enabled_when = *condition;
  widget.broken = fields.truth("broken");
  if (kind == K::item || kind == K::toggle) {
    widget.summary = read_template(fields.take("summary"), item);
    widget.icon = fields.text("icon");
  }
  if (kind == K::button) widget.icon = fields.text("icon");
  if (kind == K::tab) widget.icon = fields.text("icon");
  if (kind == K::tab || kind == K::item || kind == K::button) {
    if (const auto condition = read_condition(fields.take("selected_when"), item)) widget.selected_when = *condition;
  }
  if (kind == K::field) {
    widget.password = fields.truth("password");
    widget.submit = read_actions(fields.take("submit"), item);
  }
  if (kind == K::slider || kind == K::progress) {
    widget.minimum = fields.number("min", 0, -1'000'000, 1'000'000);
    widget.maximum = fields.number("max", 100, -1'000'000, 1'000'000);
    if (widget.maximum <= widget.minimum) problems_.add(fields.node(), "'max' must be more than 'min'");
  }
  read_bound_variable(fields, kind_word, item, widget);
}

void AppScreenReader::read_bound_variable(YamlFields& fields, const std::string& kind_word, ListRef item,
                                          Widget& widget) {
  using K = WidgetKind;
  const K kind = widget.kind;
  if (kind != K::toggle && kind != K::checkbox && kind != K::radio && kind != K::field && kind != K::slider &&
      kind != K::progress) {
    return;
  }
  const YAML::Node value = fields.take("value");
  const YAML::Node option = kind == K::radio ? fields.take("is") : YAML::Node(YAML::NodeType::Undefined);
  if (!value.IsDefined()) {
    problems_.add(fields.node(), "a " + kind_word + " needs 'value', the variable that it shows");
    return;
  }
  const std::string name = scalar_text(value).value_or("");
  const auto found = scope_.find_variable(name);
  if (!found || found->variable.app == phone_scope) {
    problems_.add_once(value, "", scope_.no_variable(name));
    return;
  }
  const bool truth = kind == K::toggle || kind == K::checkbox;
  const bool number = kind == K::slider || kind == K::progress;
  const ValueKind wanted = truth ? ValueKind::truth : number ? ValueKind::number : ValueKind::text;
  if (found->kind != wanted && kind != K::radio) {
    problems_.add(value, "a " + kind_word + " needs a variable that is a " + std::string(kind_name(wanted)) + "; '" +
                             name + "' is a " + std::string(kind_name(found->kind)));
  }
  widget.variable = found->variable;
  widget.variable_kind = found->kind;
  if (kind != K::radio) return;
  if (!option.IsDefined()) {
    problems_.add(fields.node(), "a radio needs 'is', the value that it stands for");
  } else {
    widget.option = read_template(option, item);
  }
}

void AppScreenReader::read_place(YamlFields& fields, Widget& widget) {
  widget.width = fields.number("width", 0, 0, display_height);
  if (widget.kind != WidgetKind::space) widget.height = fields.number("height", 0, 0, display_height);
  if (const YAML::Node style = fields.take("style"); style.IsDefined()) {
    const std::string word = scalar_text(style).value_or("");
    const auto found =
        std::find_if(style_words.begin(), style_words.end(), [&](const StyleWord& each) { return each.word == word; });
    if (found == style_words.end()) {
      problems_.add(style, with_hint("no style '" + word + "'", word, words_of(style_words)));
    } else {
      widget.style = found->style;
    }
  }
  const YAML::Node at = fields.take("at");
  if (!at.IsDefined()) return;
  int numbers[4]{};
  bool fits = at.IsSequence() && at.size() == 4;
  for (std::size_t i = 0; fits && i < 4; ++i) {
    const auto number = scalar_number(at[i]);
    fits = number && *number >= 0 && *number <= display_height;
    if (fits) numbers[i] = static_cast<int>(*number);
  }
  if (!fits || numbers[2] <= numbers[0] || numbers[3] <= numbers[1]) {
    problems_.add(at, "'at' must be [left, top, right, bottom] in pixels of the screen");
    return;
  }
  widget.outside_grid = true;
  widget.at = {numbers[0], numbers[1], numbers[2], numbers[3]};
}

void AppScreenReader::refuse(const YAML::Node& where, const std::string& before, const std::string& cause) {
  const bool no_column = cause.starts_with("the item has no column ");
  if (item_unknown_ && (no_column || cause.starts_with("there is no item "))) return;
  if (no_column || cause.starts_with("no ")) return problems_.add_once(where, before, cause);
  problems_.add(where, before + cause);
}

TextTemplate AppScreenReader::read_template(const YAML::Node& node, ListRef item) {
  if (!node.IsDefined() || node.IsNull()) return {};
  const auto text = scalar_text(node);
  if (!text) {
    problems_.add(node, "a text is expected here");
    return {};
  }
  auto parsed = TextTemplate::parse(*text, scope_, item);
  if (parsed) return std::move(*parsed);
  refuse(node, "in \"" + text->substr(0, 60) + "\": ", parsed.error().cause);
  return {};
}

std::optional<Expression> AppScreenReader::read_condition(const YAML::Node& node, ListRef item) {
  if (!node.IsDefined()) return std::nullopt;
  const auto text = scalar_text(node);
  if (!text) {
    problems_.add(node, "a condition is expected here");
    return std::nullopt;
  }
  auto parsed = Expression::parse(*text, scope_, item);
  if (!parsed) {
    refuse(node, "in the condition \"" + text->substr(0, 60) + "\": ", parsed.error().cause);
    return std::nullopt;
  }
  if (parsed->kind() != ValueKind::truth) {
    problems_.add(node, "the condition \"" + text->substr(0, 60) + "\" is a " + std::string(kind_name(parsed->kind())) +
                            ", not a truth value");
    return std::nullopt;
  }
  return std::move(*parsed);
}

ValueRule AppScreenReader::read_value(const YAML::Node& node, ValueKind kind, ListRef item) {
  ValueRule rule;
  rule.kind = kind;
  if (kind == ValueKind::text) {
    rule.text = read_template(node, item);
    return rule;
  }
  const auto text = scalar_text(node);
  auto parsed = text ? Expression::parse(*text, scope_, item)
                     : Result<Expression>(Error{Errc::malformed, "a value is expected here", ""});
  if (!parsed) {
    refuse(node, "", parsed.error().cause);
  } else if (parsed->kind() != kind) {
    problems_.add(node, "a " + std::string(kind_name(kind)) + " is expected here, not a " +
                            std::string(kind_name(parsed->kind())));
  } else {
    rule.expression = std::move(*parsed);
  }
  return rule;
}

}  // namespace drover::devices::simulated
