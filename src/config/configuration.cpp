#include "config/configuration.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "config/configuration_sections.hpp"
#include "core/random.hpp"

namespace drover::config {
namespace {

constexpr std::size_t largest_file = 16u << 20;
constexpr std::size_t largest_key_file = 64u << 10;

std::string folder_of(const std::string& file) {
  const auto slash = file.rfind('/');
  return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
}

std::string beside(const std::string& file, const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  return folder_of(file) + path;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

class Completion {
 public:
  Completion(FileEntry entry, Reading& reading, const Environment& environment, const Overrides& overrides)
      : entry_(std::move(entry)), reading_(reading), environment_(environment), overrides_(overrides) {}

  Configuration complete() {
    Configuration& c = entry_.configuration;
    c.file = reading_.file();
    apply_environment();
    apply_overrides();
    providers();
    check_planner();
    tasks();
    c.phones.apps = c.phones.apps.empty() ? beside(c.file, "apps") : beside(c.file, c.phones.apps);
    for (const std::string& retry : c.retries.classes) {
      static const std::vector<std::string> known = {"infra", "in_doubt", "agent", "failure"};
      if (std::find(known.begin(), known.end(), retry) == known.end()) {
        problem(0, "retries.classes: \"" + retry + "\" is not a retry class; " + suggestion(retry, known));
      }
    }
    c.hash = hash_name(dump(c).dump());
    return std::move(c);
  }

 private:
  void problem(int line, std::string message) {
    reading_.problems().push_back({reading_.file(), line, 0, std::move(message)});
  }

  void apply_environment() {
    Configuration& c = entry_.configuration;
    if (const auto value = environment_("AI_PLANNER_ENABLED")) {
      if (*value == "1" || *value == "true" || *value == "yes" || *value == "on") {
        c.planner.enabled = true;
      } else if (*value == "0" || *value == "false" || *value == "no" || *value == "off" || value->empty()) {
        c.planner.enabled = false;
      } else {
        problem(0, "AI_PLANNER_ENABLED is \"" + *value + "\"; true or false is expected");
      }
    }
    if (const auto value = environment_("AI_PLANNER_PROVIDER"); value && !value->empty()) c.planner.provider = *value;
    if (const auto value = environment_("AI_PLANNER_THINKING_BUDGET_TOKENS"); value && !value->empty()) {
      const auto tokens = whole_number(*value);
      if (tokens && *tokens >= 1024) {
        c.planner.thinking_budget_tokens = static_cast<std::uint32_t>(*tokens);
      } else {
        problem(0, "AI_PLANNER_THINKING_BUDGET_TOKENS is \"" + *value + "\"; a whole number from 1024 is expected");
      }
    }
    if (const auto value = environment_("AI_PLANNER_TIMEOUT_SECONDS"); value && !value->empty()) {
      const auto time = duration_from(*value);
      if (time && *time > Duration::zero()) {
        for (auto& provider : c.providers) provider.timeout = *time;
      } else {
        problem(0, "AI_PLANNER_TIMEOUT_SECONDS is \"" + *value + "\"; a number of seconds is expected");
      }
    }
  }

  static std::optional<std::uint64_t> whole_number(const std::string& text) {
    if (text.empty() || text.size() > 9 ||
        !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      return std::nullopt;
    }
    return std::stoull(text);
  }

  void apply_overrides() {
    Configuration& c = entry_.configuration;
    if (overrides_.seed) c.seed = *overrides_.seed;
    if (overrides_.time_scale) c.time_scale = *overrides_.time_scale;
    if (overrides_.journal) c.journal = *overrides_.journal;
    if (overrides_.phones) c.phones.count = *overrides_.phones;
    if (overrides_.parallel) c.parallel = *overrides_.parallel;
    if (overrides_.require_assertions) c.require_assertions = true;
  }

  bool used(const ProviderSettings& provider, std::size_t place) const {
    const PlannerSettings& planner = entry_.configuration.planner;
    if (!planner.enabled) return false;
    if (planner.provider.empty() ? place == 0 : planner.provider == provider.name) return true;
    const auto& more = planner.fallback_providers;
    return std::find(more.begin(), more.end(), provider.name) != more.end();
  }

  void providers() {
    Configuration& c = entry_.configuration;
    std::set<std::string> names;
    for (std::size_t i = 0; i < c.providers.size(); ++i) {
      ProviderSettings& provider = c.providers[i];
      const int line = entry_.provider_lines[i];
      if (!provider.name.empty() && !names.insert(provider.name).second) {
        problem(line, "two providers are named \"" + provider.name + "\"");
      }
      if (const auto model = environment_("AI_PLANNER_MODEL"); model && !model->empty() && used(provider, i)) {
        provider.model = *model;
      }
      if (provider.kind == "scripted") {
        if (provider.model.empty()) provider.model = "drover-rules-1";
        continue;
      }
      const bool anthropic = provider.kind == "anthropic";
      const bool vendor = provider.base_url.empty();
      if (vendor) provider.base_url = anthropic ? "https://api.anthropic.com" : "https://api.openai.com";
      if (provider.model.empty()) problem(line, "the provider \"" + provider.name + "\" needs a \"model\"");
      key(provider, line, vendor && used(provider, i), anthropic ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY");
    }
  }

  void key(ProviderSettings& provider, int line, bool needed, const char* usual) {
    if (!provider.api_key_file.empty()) {
      std::ifstream file(beside(reading_.file(), provider.api_key_file), std::ios::binary);
      std::string text(largest_key_file, '\0');
      file.read(text.data(), static_cast<std::streamsize>(text.size()));
      text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
      provider.api_key = trimmed(std::move(text));
      if (provider.api_key.empty()) {
        problem(line, "the key file " + provider.api_key_file + " of provider \"" + provider.name +
                          "\" can't be read or is empty");
      }
      return;
    }
    const bool named = !provider.api_key_env.empty();
    if (!named) provider.api_key_env = usual;
    const auto value = environment_(provider.api_key_env);
    if (value && !value->empty()) {
      provider.api_key = trimmed(*value);
    } else if (needed || (named && entry_.configuration.planner.enabled)) {
      problem(line, "the provider \"" + provider.name + "\" needs a key: set the environment variable " +
                        provider.api_key_env);
    }
  }

  void check_planner() {
    Configuration& c = entry_.configuration;
    std::vector<std::string> names;
    for (const auto& provider : c.providers) names.push_back(provider.name);
    const auto check = [&](const std::string& name, const char* where) {
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        problem(0, std::string(where) + ": there is no provider named \"" + name + "\"; " + suggestion(name, names));
      }
    };
    check(c.planner.provider, "planner.provider");
    for (const auto& name : c.planner.fallback_providers) check(name, "planner.fallback_providers");
    if (c.planner.enabled && c.providers.empty()) {
      problem(0, "the planner is enabled and there is no provider; add one under \"providers\"");
    }
  }

  void tasks() {
    Configuration& c = entry_.configuration;
    std::set<std::string> ids;
    for (std::size_t i = 0; i < entry_.tasks.size(); ++i) {
      TaskEntry& stated = entry_.tasks[i];
      if (!stated.id.empty() && !ids.insert(stated.id).second) {
        problem(entry_.task_lines[i], "two tasks have the id \"" + stated.id + "\"");
      }
      if (stated.goal.empty()) problem(entry_.task_lines[i], "the goal of task \"" + stated.id + "\" is empty");
      if (const std::string* role = role_named_twice(stated.roles)) {
        problem(entry_.task_lines[i], "the task \"" + stated.id + "\" names the role \"" + *role +
                                          "\" twice; give each of its phones a name of its own");
      }
      Task task;
      task.id = TaskId(stated.id);
      task.goal = std::move(stated.goal);
      task.app = std::move(stated.app);
      task.tags = std::move(stated.tags);
      task.assertions = std::move(stated.assertions);
      task.limits.max_steps = stated.max_steps.value_or(c.limits.max_steps);
      task.limits.timeout = stated.timeout.value_or(c.limits.timeout);
      task.device = std::move(stated.device);
      if (!stated.roles.empty()) task.roles = std::move(stated.roles);
      task.priority = stated.priority;
      c.tasks.push_back(std::move(task));
    }
  }

  FileEntry entry_;
  Reading& reading_;
  const Environment& environment_;
  const Overrides& overrides_;
};

Json seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

Json dump(const ModelServerSettings& s) {
  return {{"latency", seconds(s.latency)},
          {"latency_spread", s.latency_spread},
          {"rate_limited_share", s.rate_limited_share},
          {"overloaded_share", s.overloaded_share},
          {"dropped_share", s.dropped_share},
          {"timeout_share", s.timeout_share},
          {"no_tool_call_share", s.no_tool_call_share},
          {"malformed_share", s.malformed_share},
          {"lie_share", s.lie_share},
          {"lie_about", s.lie_about},
          {"requests_per_minute", s.requests_per_minute}};
}

Json dump(const ProviderSettings& p) {
  Json out = {{"name", p.name},
              {"kind", p.kind},
              {"model", p.model},
              {"timeout", seconds(p.timeout)},
              {"max_retries", p.max_retries},
              {"limits",
               {{"requests_per_minute", p.limits.requests_per_minute},
                {"input_tokens_per_minute", p.limits.input_tokens_per_minute},
                {"output_tokens_per_minute", p.limits.output_tokens_per_minute},
                {"max_in_flight", p.limits.max_in_flight}}}};
  if (p.kind == "scripted") {
    out["scripted"] = dump(p.scripted);
    return out;
  }
  out["base_url"] = p.base_url;
  out["api_key"] = p.api_key.empty() ? "(not set)" : "(set)";
  if (!p.api_key_file.empty()) {
    out["api_key_file"] = p.api_key_file;
  } else {
    out["api_key_env"] = p.api_key_env;
  }
  if (!p.api_version.empty()) out["api_version"] = p.api_version;
  out["authentication"] = p.authentication;
  if (!p.ca_file.empty()) out["ca_file"] = p.ca_file;
  return out;
}

}  // namespace

std::string Problem::describe() const {
  std::string text = file.empty() ? "configuration" : file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text + ": " + message;
}

Loaded load_text(std::string_view text, const std::string& file, const Environment& environment,
                 const Overrides& overrides) {
  Reading reading(file, environment);
  FileEntry entry;
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    if (root.IsNull()) {
      reading.problems().push_back({file, 0, 0, "the file is empty"});
    } else {
      file_section().read(entry, root, reading);
    }
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    reading.problems().push_back({file, known ? error.mark.line + 1 : 0, known ? error.mark.column + 1 : 0,
                                  "this is not YAML or JSON: " + error.msg});
  }
  Loaded loaded;
  loaded.configuration = Completion(std::move(entry), reading, environment, overrides).complete();
  loaded.problems = std::move(reading.problems());
  std::stable_sort(loaded.problems.begin(), loaded.problems.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
  return loaded;
}

Loaded load(const std::string& path, const Environment& environment, const Overrides& overrides) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    Loaded loaded;
    loaded.problems.push_back({path, 0, 0, "the file can't be read; does it exist?"});
    return loaded;
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad() || text.size() > largest_file) {
    Loaded loaded;
    loaded.problems.push_back({path, 0, 0, "the file can't be read or is larger than 16 MiB"});
    return loaded;
  }
  return load_text(text, path, environment, overrides);
}

Json schema() {
  Json schema = file_section().schema();
  schema["$schema"] = "http://json-schema.org/draft-07/schema#";
  schema["title"] = "Drover configuration";
  return schema;
}

Json dump(const Configuration& c) {
  Json providers = Json::array();
  for (const auto& provider : c.providers) providers.push_back(dump(provider));
  Json tasks = Json::array();
  for (const auto& task : c.tasks) tasks.push_back(encode(task));
  static constexpr const char* profiles[] = {"none", "quick", "typical", "slow"};
  const auto& f = c.phones.faults;
  Json planner = {{"enabled", c.planner.enabled},
                  {"provider", c.planner.provider},
                  {"fallback_providers", c.planner.fallback_providers},
                  {"tools", c.planner.tools},
                  {"max_output_tokens", c.planner.max_output_tokens},
                  {"screenshot", c.planner.screenshot},
                  {"max_observation_age", seconds(c.planner.max_observation_age)}};
  if (c.planner.thinking_budget_tokens) planner["thinking_budget_tokens"] = *c.planner.thinking_budget_tokens;
  return {{"title", c.title},
          {"seed", c.seed},
          {"time_scale", c.time_scale},
          {"journal", c.journal},
          {"parallel", c.parallel},
          {"require_assertions", c.require_assertions},
          {"planner", planner},
          {"providers", providers},
          {"phones",
           {{"simulated", c.phones.count},
            {"apps", c.phones.apps},
            {"latency", profiles[static_cast<std::size_t>(c.phones.latency)]},
            {"faults",
             {{"null_root", f.null_root},
              {"dump_failure", f.dump_failure},
              {"swallowed_tap", f.swallowed_tap},
              {"disconnect", f.disconnect},
              {"popup", f.popup},
              {"lost", f.lost}}}}},
          {"retries", {{"classes", c.retries.classes}, {"per_task", c.retries.per_task}, {"total", c.retries.total}}},
          {"limits", {{"max_steps", c.limits.max_steps}, {"timeout", seconds(c.limits.timeout)}}},
          {"tasks", tasks}};
}

}  // namespace drover::config
