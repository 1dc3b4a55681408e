#pragma once

#include <optional>
#include <string>
#include <vector>

#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/app_definition.hpp"
#include "devices/simulated/yaml_fields.hpp"

namespace drover::devices::simulated {

inline constexpr std::size_t max_app_file_bytes = std::size_t{1} << 20;

/// The names that one app's expressions may use, over all apps that are known.
class AppScope final : public NameScope {
 public:
  AppScope(const std::vector<AppDefinition>& apps, std::uint16_t own) : apps_(apps), own_(own) {}

  [[nodiscard]] std::optional<NamedVariable> find_variable(std::string_view name) const override;
  [[nodiscard]] std::optional<ListRef> find_list(std::string_view name) const override;
  [[nodiscard]] const std::vector<Column>& columns_of(ListRef list) const override;
  [[nodiscard]] std::string nearest_name(std::string_view name) const override;
  /// "no variable 'x'; did you mean 'y'?"
  [[nodiscard]] std::string no_variable(std::string_view name) const;
  [[nodiscard]] const AppDefinition& app() const noexcept { return apps_[own_]; }

 private:
  const std::vector<AppDefinition>& apps_;
  std::uint16_t own_;
};

/// Reads one app file in two passes: first everything that has a name, over all
/// files, then what uses the names.
class AppFileReader {
 public:
  AppFileReader(const AppFileText& file, std::vector<AppFileProblem>& problems);

  /// The first pass; nothing when the file is no mapping at all.
  std::optional<AppDefinition> declare();
  /// The second pass; `own` is the place of the app in `apps`.
  void bind(std::vector<AppDefinition>& apps, std::uint16_t own);

 private:
  /// What a section whose key is misspelt would have declared is not missed.
  void find_misspelt_sections();
  void declare_variables(const YAML::Node& node, AppDefinition& app);
  void declare_lists(const YAML::Node& node, AppDefinition& app);
  void declare_list(const std::string& name, const YAML::Node& node, AppDefinition& app);
  void read_rows(const YAML::Node& node, ListDefinition& list);
  void declare_screens(const YAML::Node& node, bool dialogs, AppDefinition& app);
  void bind_links(const YAML::Node& node, const AppScope& scope, AppDefinition& app);
  void bind_settings(const YAML::Node& node, const AppScope& scope, AppDefinition& app);
  std::uint16_t screen_named(const YAML::Node& node, const AppDefinition& app, bool dialogs);

  ProblemList problems_;
  std::string key_;
  YAML::Node root_;
  std::optional<YamlFields> fields_;
};

}  // namespace drover::devices::simulated
