#include "cli/run_configuration.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/output.hpp"
#include "core/outcome.hpp"

namespace drover::cli {
namespace {

constexpr const char* default_file = "drover.yaml";

constexpr const char* built_in_name = "the built-in configuration";
constexpr const char* built_in_text = R"(title: One task on the built-in configuration
planner: {enabled: true}
providers: [{name: rules, kind: scripted}]
phones: {simulated: 8}
)";

/// From build/<preset>/bin/drover to the tree that it was built in.
constexpr int folders_above_program = 4;

std::optional<std::string> from_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

/// Empty: they are not there.
std::string shipped_apps() {
  std::error_code failure;
  auto folder = std::filesystem::read_symlink("/proc/self/exe", failure);
  for (int i = 0; i < folders_above_program; ++i) {
    folder = folder.parent_path();
    const auto apps = folder / "configs" / "apps";
    if (std::filesystem::is_directory(apps, failure)) return apps.string();
  }
  return std::filesystem::is_directory("configs/apps", failure) ? "configs/apps" : "";
}

config::Overrides overrides_of(const RunOptions& options) {
  config::Overrides overrides;
  overrides.device = options.device;
  const auto set = [&](const char* option, const char* key, const std::optional<std::string>& value) {
    if (value) overrides.settings.push_back({option, key, *value});
  };
  set("--seed", "seed", options.seed);
  set("--time-scale", "time_scale", options.time_scale);
  set("--journal", "journal", options.journal);
  set("--phones", "phones.simulated", options.phones);
  set("--parallel", "parallel", options.parallel);
  if (options.require_assertions) set("--require-assertions", "require_assertions", "true");
  if (options.goal) {
    Json assertions = Json::array();
    for (const std::string& text : options.assert_visible) assertions.push_back({{"visible", {{"text", text}}}});
    const Json task = {{"id", "goal"}, {"goal", *options.goal}, {"assertions", std::move(assertions)}};
    overrides.settings.push_back({"--goal", "tasks", Json::array({task})});
  }
  return overrides;
}

Result<config::Configuration> without_problems(config::Loaded loaded) {
  for (const auto& warning : loaded.warnings) say(exit_code::success, "warning: " + warning.describe());
  if (!loaded.problems.empty()) return Error{Errc::invalid_configuration, describe(loaded.problems), ""};
  return std::move(loaded.configuration);
}

}  // namespace

Result<RunConfiguration> configuration_of(const RunOptions& options) {
  if (!options.assert_visible.empty() && !options.goal) {
    return Error{Errc::invalid_argument, "--assert-visible belongs to a --goal; tasks of a file state their assertions",
                 ""};
  }
  RunConfiguration made;
  made.built_in = options.file.empty() && !std::filesystem::exists(default_file);
  if (made.built_in && !options.goal) {
    return Error{Errc::not_found, std::string("there is no ") + default_file + " here",
                 "give a configuration, which says what phones there are and who decides: drover run FILE; or one task "
                 "for simulated phones: drover run --goal \"…\""};
  }
  config::Environment environment = from_environment;
  if (options.describe) {
    // Nobody is asked, so no key is missed.
    environment = [](const std::string& name) -> std::optional<std::string> {
      return name == "AI_PLANNER_ENABLED" ? "0" : from_environment(name);
    };
  }
  const config::AppsCheck load_apps = [&made](const std::string& folder) {
    auto read = devices::simulated::load_apps(folder);
    made.apps = std::move(read.apps);
    std::vector<config::Problem> problems;
    for (auto& one : read.problems) problems.push_back({std::move(one.file), one.line, 0, std::move(one.message)});
    return problems;
  };
  config::Overrides overrides = overrides_of(options);
  overrides.shipped_apps = shipped_apps();
  config::Loaded loaded;
  if (made.built_in) {
    if (overrides.shipped_apps.empty()) {
      return Error{Errc::not_found,
                   "there is no drover.yaml here, and the apps of the built-in configuration are not there: no folder "
                   "configs/apps here or above the program",
                   "give a configuration that names a folder of apps, \"phones: {simulated: 8, apps: FOLDER}\": drover "
                   "run FILE --goal \"…\""};
    }
    overrides.settings.push_back({built_in_name, "phones.apps", overrides.shipped_apps});
    loaded = config::load_text(built_in_text, built_in_name, environment, overrides, load_apps);
  } else {
    const std::string file = options.file.empty() ? default_file : options.file;
    loaded = config::load(file, environment, overrides, load_apps);
  }
  auto configuration = without_problems(std::move(loaded));
  if (!configuration.ok()) return configuration.error();
  made.configuration = *std::move(configuration);
  return made;
}

Result<config::Configuration> provider_configuration(const std::string& file, const std::vector<std::string>& providers,
                                                     const std::string& model) {
  if (file.empty() && !std::filesystem::exists(default_file)) {
    return Error{Errc::not_found, std::string("there is no ") + default_file + " here",
                 "name the configuration that says which providers there are: --config FILE"};
  }
  const config::Environment environment = [](const std::string& name) -> std::optional<std::string> {
    return name == "AI_PLANNER_ENABLED" ? "1" : from_environment(name);
  };
  config::Overrides overrides;
  if (!providers.empty()) {
    overrides.settings.push_back({"--provider", "planner.provider", providers.front()});
    Json others = Json::array();
    for (auto other = providers.begin() + 1; other != providers.end(); ++other) others.push_back(*other);
    overrides.settings.push_back({"--provider", "planner.fallback_providers", std::move(others)});
  }
  auto configuration = without_problems(config::load(file.empty() ? default_file : file, environment, overrides));
  if (!configuration.ok() || model.empty()) return configuration;
  const std::string& name = configuration->planner.provider;
  for (auto& provider : configuration->providers) {
    if (!name.empty() && provider.name != name) continue;
    if (provider.model != model) {
      provider.model = model;
      provider.price.reset();
      provider.capabilities = {};
    }
    break;
  }
  return configuration;
}

}  // namespace drover::cli
