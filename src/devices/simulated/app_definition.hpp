#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/scene.hpp"
#include "devices/simulated/app_expression.hpp"
#include "devices/simulated/app_values.hpp"

/// What an app file says, checked and bound: immutable and shared by all phones.
/// docs/apps.md is the manual of the files themselves.
namespace drover::devices::simulated {

/// Width and height of every simulated phone in pixels, held upright.
inline constexpr int display_width = 1080;
inline constexpr int display_height = 2400;

struct Variable {
  std::string name;
  ValueKind kind = ValueKind::truth;
  StoredValue start;
};

/// A table of rows; the rows here are those at the start.
struct ListDefinition {
  std::string name;
  std::vector<Column> columns;
  std::vector<StoredValue> cells;  ///< Row by row.

  [[nodiscard]] std::size_t rows() const noexcept { return columns.empty() ? 0 : cells.size() / columns.size(); }
};

/// A new value: an expression for truth values and numbers, a template for texts.
struct ValueRule {
  ValueKind kind = ValueKind::truth;
  Expression expression;
  TextTemplate text;
};

/// One thing that an app does when it is told to.
struct AppAction {
  enum class Kind : std::uint8_t {
    set_variable,  ///< target = value.
    set_cell,      ///< The item's column = value.
    toggle,        ///< target = not target.
    go,            ///< Opens a screen or a dialog on top.
    restart_at,    ///< Opens a screen and forgets those beneath.
    back,          ///< Closes the screen or dialog in front.
    home,          ///< Leaves the app.
    snackbar,      ///< A short message at the bottom for the next two looks.
    add_row,       ///< A new row with these cells; cells not named are empty.
    remove_item,   ///< Takes the item's row out of its list.
    clear_list,    ///< Takes all rows out.
    set_each,      ///< Sets cells in every row of a list.
    condition,     ///< then or otherwise.
    require,       ///< When it does not hold: otherwise, and nothing that follows.
    launch,        ///< Another app, by package or name.
    open_url,      ///< A link.
    focus,         ///< Puts the cursor into a field of the screen in front.
    hide_keyboard,
  };
  Kind kind = Kind::back;
  VariableRef variable;
  ListRef list;
  std::uint16_t screen = no_index;
  std::uint16_t column = no_index;
  std::string widget_id;  ///< focus.
  ValueRule value;        ///< Set; the text for snackbar, launch, open_url.
  Expression condition;
  std::vector<std::pair<std::uint16_t, ValueRule>> cells;  ///< add_row, set_each.
  std::vector<AppAction> then;
  std::vector<AppAction> otherwise;
};

enum class WidgetKind : std::uint8_t {
  text,
  button,
  icon_button,
  toggle,
  checkbox,
  radio,
  field,
  item,
  image,
  slider,
  progress,
  tab,
  row,
  column,
  card,
  grid,
  repeat,
  space,
  divider,
};

enum class WidgetStyle : std::uint8_t {
  normal,
  heading,   ///< Large text.
  section,   ///< Small coloured text above a group of rows.
  small,     ///< Small grey text.
  error,     ///< Red text.
  plain,     ///< A switch without a row; a button without a frame.
  app_icon,  ///< A launcher icon with its name beneath.
};

/// One part of a screen, with its children.
struct Widget {
  WidgetKind kind = WidgetKind::text;
  WidgetStyle style = WidgetStyle::normal;
  bool password = false;
  bool broken = false;        ///< Looks as if it worked and does nothing.
  bool outside_grid = false;  ///< Has a place of its own (`at`).
  std::uint16_t number = 0;   ///< Counted over the app: which widget this is.
  std::string id;             ///< Last part of the resource id; may be empty.
  std::string resource_id;    ///< Whole.
  std::string control_id;     ///< Of the switch inside a row.
  std::string icon;           ///< Name of the picture.
  TextTemplate text;
  TextTemplate summary;
  TextTemplate description;
  std::optional<Expression> visible_when;
  std::optional<Expression> enabled_when;
  std::optional<Expression> selected_when;
  std::optional<Expression> where;      ///< Of a repeat: which rows.
  std::optional<Expression> order_by;   ///< Of a repeat: a number; small ones come first.
  std::optional<VariableRef> variable;  ///< What a switch, box, radio, slider or field shows and changes.
  ValueKind variable_kind = ValueKind::truth;
  ListRef list;         ///< Of a repeat.
  TextTemplate option;  ///< Of a radio: the value that it stands for.
  std::int64_t minimum = 0;
  std::int64_t maximum = 100;
  int width = 0;  ///< Pixels; 0: by kind.
  int height = 0;
  int columns = 0;  ///< Of a grid.
  Bounds at;        ///< With outside_grid.
  std::vector<AppAction> tap;
  std::vector<AppAction> hold;
  std::vector<AppAction> submit;
  std::vector<Widget> children;
};

enum class ScreenKind : std::uint8_t { page, dialog, sheet, permission };

/// One screen or dialog.
struct AppScreen {
  std::string name;
  ScreenKind kind = ScreenKind::page;
  bool landscape = false;
  bool cancelable = true;  ///< A dialog that goes away by back or by a tap outside.
  bool toolbar = true;
  bool animated = false;  ///< Never idle: a plain dump fails.
  std::string page_id;    ///< Whole resource id of the container.
  TextTemplate title;
  TextTemplate message;  ///< Of a dialog.
  ListRef item;          ///< The list whose row the screen shows, or empty.
  std::vector<Widget> toolbar_buttons;
  std::vector<Widget> content;
  std::vector<Widget> footer;
  std::vector<AppAction> on_enter;
  std::optional<std::vector<AppAction>> on_back;  ///< Instead of going back.
  std::vector<AppAction> on_swipe[4];             ///< By Direction.
};

/// A deep link.
struct AppLink {
  std::string prefix;     ///< The whole link, or what stands before the `*`.
  bool has_rest = false;  ///< Whether it ended in `*`.
  std::uint16_t screen = no_index;
  ListRef list;  ///< The row whose column is the rest becomes the screen's item.
  std::uint16_t column = no_index;
  std::optional<VariableRef> into;  ///< The rest goes into a text variable.
};

/// Things of the phone that an app's variables decide.
struct PhoneSettingsOfApp {
  std::optional<VariableRef> dark_theme;
  std::optional<VariableRef> font_percent;
};

struct AppDefinition {
  std::string key;   ///< The file's name without ending: what other files call it.
  std::string name;  ///< On the launcher.
  std::string package;
  std::string icon;       ///< Colour of the icon, `#rrggbb`.
  bool launcher = false;  ///< The home screen.
  bool hidden = false;    ///< Not shown on the launcher.
  std::vector<Variable> variables;
  std::vector<ListDefinition> lists;
  std::vector<AppScreen> screens;
  std::uint16_t start = 0;  ///< Screen.
  std::uint16_t recents = no_index;
  std::vector<AppAction> on_start;
  std::vector<AppLink> links;
  std::vector<std::uint16_t> interruptions;  ///< Dialogs that put themselves in the way.
  PhoneSettingsOfApp settings;
  // Resource ids of the furniture that every screen has.
  std::string toolbar_id, toolbar_title_id, content_id, footer_id, dialog_title_id, dialog_message_id, snackbar_id;
};

/// Names of the phone's own variables and lists, in the order of their indices.
enum class PhoneVariable : std::uint16_t { name, model, serial, time };
enum class PhoneList : std::uint16_t { apps, recents };

}  // namespace drover::devices::simulated
