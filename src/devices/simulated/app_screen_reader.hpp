#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "devices/simulated/app_definition.hpp"
#include "devices/simulated/app_file.hpp"
#include "devices/simulated/yaml_fields.hpp"

namespace drover::devices::simulated {

/// Reads the screens, widgets and actions of one app file; every name that they
/// use must be declared already.
class AppScreenReader {
 public:
  AppScreenReader(const AppScope& scope, std::uint16_t own, AppDefinition& app, ProblemList& problems)
      : scope_(scope), own_(own), app_(app), problems_(problems) {}

  void read_screen(const YAML::Node& node, AppScreen& screen);
  /// `item` is the list whose row is at hand where the actions stand, or empty.
  std::vector<AppAction> read_actions(const YAML::Node& node, ListRef item);

 private:
  void read_dialog_kind(YamlFields& fields, AppScreen& screen);
  void read_dialog(YamlFields& fields, AppScreen& screen);
  void read_page(YamlFields& fields, AppScreen& screen);
  std::vector<Widget> read_widgets(const YAML::Node& node, ListRef item, const char* where);
  void read_widget(const YAML::Node& node, ListRef item, Widget& widget);
  void read_kind(YamlFields& fields, const std::string& kind_word, ListRef item, Widget& widget);
  void read_bound_variable(YamlFields& fields, const std::string& kind_word, ListRef item, Widget& widget);
  void read_place(YamlFields& fields, Widget& widget);
  void read_repeat(YamlFields& fields, ListRef& item, Widget& widget);

  void read_action(const std::string& word, YamlFields& fields, ListRef item, std::vector<AppAction>& actions);
  void read_set(const YAML::Node& node, ListRef item, std::vector<AppAction>& actions);
  void read_cells(const YAML::Node& node, AppAction::Kind kind, ListRef item, std::vector<AppAction>& actions);
  void read_go(const YAML::Node& node, ListRef item, AppAction& action);

  /// Tells why an expression is refused, unless that follows from an unknown list.
  void refuse(const YAML::Node& where, const std::string& before, const std::string& cause);

  TextTemplate read_template(const YAML::Node& node, ListRef item);
  std::optional<Expression> read_condition(const YAML::Node& node, ListRef item);
  ValueRule read_value(const YAML::Node& node, ValueKind kind, ListRef item);

  const AppScope& scope_;
  std::uint16_t own_;
  AppDefinition& app_;
  ProblemList& problems_;
  std::string id_prefix_;      ///< Package of the screen being read, with ":id/".
  bool item_unknown_ = false;  ///< The list that gives the item here is not there.
  int depth_ = 0;
  std::uint16_t widgets_ = 0;
};

}  // namespace drover::devices::simulated
