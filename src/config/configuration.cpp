#include "config/configuration.hpp"

#include <algorithm>
#include <utility>

#include "config/configuration_completion.hpp"
#include "config/configuration_sections.hpp"
#include "config/origins.hpp"
#include "core/bounded_file.hpp"

namespace drover::config {
namespace {

/// The variables that stand over one option of the file.
std::vector<Setting> settings_of(const Environment& environment) {
  std::vector<Setting> settings;
  const auto add = [&](const char* variable, const char* key) {
    const auto value = environment(variable);
    if (value && !value->empty()) settings.push_back({variable, key, *value});
  };
  add("AI_PLANNER_PROVIDER", "planner.provider");
  add("AI_PLANNER_THINKING_BUDGET_TOKENS", "planner.thinking_budget_tokens");
  if (const auto enabled = environment("AI_PLANNER_ENABLED")) {
    const bool zero = enabled->empty() || *enabled == "0";
    settings.push_back({"AI_PLANNER_ENABLED", "planner.enabled", zero ? "false" : *enabled == "1" ? "true" : *enabled});
  }
  return settings;
}

/// Reads the setting as a piece of a file that holds nothing else.
void apply(const Setting& setting, FileEntry& entry, Reading& reading) {
  Json piece = setting.value;
  std::string_view key = setting.key;
  while (!key.empty()) {
    const std::size_t dot = key.rfind('.');
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    piece = Json{{std::string(key.substr(begin)), std::move(piece)}};
    key = key.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  std::string place = "/" + setting.key;
  std::replace(place.begin(), place.end(), '.', '/');
  reading.forget_references(place);
  reading.read_from(setting.option);
  file_section().read(entry, YAML::Load(dump_json(piece)), reading);
  reading.read_from("");
}

/// The problems of the app files; those of the folder go to `reading`, with the place that names it.
std::vector<Problem> problems_of_apps(const std::string& folder, const AppsCheck& check_apps, const Origins& origins,
                                      Reading& reading) {
  const auto same_place = [](const Problem& a, const Problem& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
  };
  const Problem place = origins.problem({"phones", "apps"}, "");
  const bool stated = !same_place(place, origins.problem({"phones"}, ""));
  const auto told = [&](const Problem& other) { return stated && same_place(place, other); };
  // A folder whose name could not be read is not looked for.
  if (std::any_of(reading.problems().begin(), reading.problems().end(), told)) return {};
  std::vector<Problem> in_files;
  for (Problem& one : check_apps(folder)) {
    if (one.file.empty()) {
      reading.problem(origins.problem({"phones", "apps"}, std::move(one.message)));
    } else {
      in_files.push_back(std::move(one));
    }
  }
  return in_files;
}

}  // namespace

std::string Problem::describe() const {
  std::string text = file.empty() ? "configuration" : file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text + ": " + message;
}

std::string describe(const std::vector<Problem>& problems) {
  std::string text =
      std::to_string(problems.size()) + (problems.size() == 1 ? " problem" : " problems") + " in the configuration:";
  for (const auto& problem : problems) text += "\n  " + problem.describe();
  return text;
}

Loaded load_text(std::string_view text, const std::string& file, const Environment& environment,
                 const Overrides& overrides, const AppsCheck& check_apps) {
  Reading reading(file, environment);
  FileEntry entry;
  auto root = read_document(std::string(text), reading);
  if (root) file_section().read(entry, *root, reading);
  Origins origins(file, root ? *root : YAML::Node());
  std::vector<Setting> settings = settings_of(environment);
  settings.insert(settings.end(), overrides.settings.begin(), overrides.settings.end());
  for (const Setting& setting : settings) {
    origins.set_over(setting);
    apply(setting, entry, reading);
  }
  const bool names_apps = !entry.configuration.phones.apps.empty();
  Loaded loaded;
  loaded.configuration = complete(std::move(entry), origins, overrides, reading);
  const SimulatedPhones& phones = loaded.configuration.phones;
  std::vector<Problem> in_apps;
  if (check_apps && (phones.count > 0 || names_apps)) {
    in_apps = problems_of_apps(phones.apps, check_apps, origins, reading);
  }
  loaded.problems = std::move(reading.problems());
  loaded.warnings = std::move(reading.warnings());
  for (std::vector<Problem>* list : {&loaded.problems, &loaded.warnings}) {
    std::stable_sort(list->begin(), list->end(), [](const Problem& a, const Problem& b) { return a.line < b.line; });
  }
  loaded.problems.insert(loaded.problems.end(), in_apps.begin(), in_apps.end());
  if (loaded.problems.size() > most_problems) loaded.problems.resize(most_problems);
  for (std::vector<Problem>* list : {&loaded.problems, &loaded.warnings}) {
    for (Problem& one : *list) {
      one.file = hide_secrets(one.file, loaded.configuration.secrets);
      one.message = hide_secrets(one.message, loaded.configuration.secrets);
    }
  }
  return loaded;
}

Loaded load(const std::string& path, const Environment& environment, const Overrides& overrides,
            const AppsCheck& check_apps) {
  const auto text = read_regular_file(path, largest_configuration_file);
  if (text.ok()) return load_text(*text, path, environment, overrides, check_apps);
  Loaded loaded;
  loaded.problems.push_back({text.error().cause, 0, 0, "name a configuration that can be read"});
  return loaded;
}

Json dump(const Configuration& configuration) { return configuration.effective; }

Json schema() {
  Json schema = file_section().schema();
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "Drover configuration";
  return schema;
}

}  // namespace drover::config
