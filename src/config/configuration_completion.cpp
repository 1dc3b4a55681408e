#include "config/configuration_completion.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "config/configuration_dump.hpp"
#include "config/service_address.hpp"
#include "core/bounded_file.hpp"
#include "core/random.hpp"

namespace drover::config {
namespace {

constexpr std::size_t largest_key_file = 64u << 10;
constexpr std::size_t largest_ca_file = 16u << 20;

std::string beside(const std::string& file, const std::string& path) {
  if (path.empty() || path.front() == '/') return path;
  const auto slash = file.rfind('/');
  return slash == std::string::npos ? path : file.substr(0, slash + 1) + path;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

/// Whether a text can stand in a header of HTTP as it is.
bool fits_header(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// Capitals, so that a key that was put in the wrong place is never taken for a name and shown.
bool is_variable_name(const std::string& text) {
  return text.size() <= 100 && !(text.front() >= '0' && text.front() <= '9') &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

class Completion {
 public:
  Completion(FileEntry entry, const Origins& origins, const Overrides& overrides, Reading& reading)
      : entry_(std::move(entry)),
        c_(entry_.configuration),
        origins_(origins),
        device_(overrides.device),
        shipped_apps_(overrides.shipped_apps),
        reading_(reading) {}

  Configuration complete() {
    c_.file = reading_.file();
    for (std::size_t i = 0; i < c_.providers.size(); ++i) provider(i);
    check_planner();
    lost_phones();
    tasks();
    const bool names_apps = !c_.phones.apps.empty();
    if (!names_apps) c_.phones.apps = "apps";
    c_.secrets = reading_.secrets();
    // What the environment gives changes the hash as if it stood in the file, but for secrets.
    Json values = effective_values(c_);
    put_references(values, reading_.references(),
                   [](const Reference& reference) { return reference.secret ? &reference.less_secrets : nullptr; });
    c_.hash = hash_name(values.dump());
    c_.phones.apps = beside(c_.file, c_.phones.apps);
    std::error_code failure;
    if (!names_apps && !shipped_apps_.empty() && !std::filesystem::is_directory(c_.phones.apps, failure)) {
      c_.phones.apps = shipped_apps_;
    }
    write_paths_whole(values);
    put_references(values, reading_.references(),
                   [](const Reference& reference) { return reference.text ? &reference.written : nullptr; });
    c_.effective = std::move(values);
    return std::move(c_);
  }

 private:
  void problem(Path path, std::string message) { reading_.problem(origins_.problem(path, std::move(message))); }

  std::optional<std::string> variable(const char* name) const {
    auto value = reading_.environment()(name);
    return value && value->empty() ? std::nullopt : value;
  }

  bool used(const ProviderSettings& provider) const {
    if (!c_.planner.enabled) return false;
    const auto names = asked_in_order();
    return std::find(names.begin(), names.end(), provider.name) != names.end();
  }

  /// Whether the planner asks it first; those that it falls back on keep their own models.
  bool is_first(const ProviderSettings& provider) const {
    return used(provider) && asked_in_order().front() == provider.name;
  }

  std::vector<std::string> asked_in_order() const {
    std::vector<std::string> names = {c_.planner.provider};
    if (names.front().empty()) names.front() = c_.providers.empty() ? "" : c_.providers.front().name;
    names.insert(names.end(), c_.planner.fallback_providers.begin(), c_.planner.fallback_providers.end());
    return names;
  }

  /// After the hash is taken: where a folder lies makes no other configuration of one.
  void write_paths_whole(Json& values) const {
    const auto whole = [](Json& path, const std::string& from_here) {
      std::error_code failure;
      const auto absolute = std::filesystem::absolute(from_here, failure);
      path = failure ? from_here : absolute.lexically_normal().string();
    };
    whole(values["phones"]["apps"], c_.phones.apps);
    for (std::size_t i = 0; i < c_.providers.size(); ++i) {
      Json& shown = values["providers"][i];
      const auto& files = c_.providers[i].api_key_file;
      for (std::size_t k = 0; shown.contains("api_key_file") && k < files.size(); ++k) {
        whole(files.size() == 1 ? shown["api_key_file"] : shown["api_key_file"][k], beside(c_.file, files[k]));
      }
      if (shown.contains("ca_file")) whole(shown["ca_file"], c_.providers[i].ca_file);
    }
  }

  void provider(std::size_t place) {
    ProviderSettings& provider = c_.providers[place];
    const bool twice = std::any_of(c_.providers.begin(), c_.providers.begin() + static_cast<std::ptrdiff_t>(place),
                                   [&](const auto& other) { return other.name == provider.name; });
    if (twice && !provider.name.empty()) {
      problem({"providers", place, "name"}, "two providers are named \"" + provider.name + "\"");
    }
    if (const auto model = variable("AI_PLANNER_MODEL"); model && is_first(provider)) {
      provider.model = *model;
      reading_.forget_references("/providers/" + std::to_string(place) + "/model");
    }
    if (const auto value = variable("AI_PLANNER_TIMEOUT_SECONDS")) {
      const auto time = duration_from(*value);
      if (time && time_limit.holds(*time)) {
        provider.timeout = *time;
      } else if (place == 0) {
        reading_.problem({"AI_PLANNER_TIMEOUT_SECONDS", 0, 0, "a number of seconds above 0 is expected"});
      }
    }
    if (provider.kind.empty()) return;  // What it needs is not known: it could not be read, which is told.
    if (provider.kind == "scripted") {
      if (provider.model.empty()) provider.model = "drover-rules-1";
      return;
    }
    const ModelService& service = *find_model_service(provider.kind);
    const bool own_address = provider.base_url.empty();
    if (own_address) provider.base_url = service.base_url;
    if (provider.base_url.empty()) {
      problem({"providers", place}, "the provider \"" + provider.name + "\" needs a \"base_url\": " +
                                        std::string(service.title) + " is somewhere else for everybody");
    } else if (const auto origin = service_origin(provider.base_url); !origin.ok()) {
      problem({"providers", place, "base_url"}, origin.error().cause);
    }
    if (provider.model.empty()) {
      problem({"providers", place}, "the provider \"" + provider.name + "\" needs a \"model\"");
    }
    if (!fits_header(provider.api_version)) {
      problem({"providers", place, "api_version"}, "an API version has no blanks and no other than ASCII characters");
    }
    certificates(provider, place);
    if (provider.api_key_file.empty()) {
      // Whose address is always stated gets its usual key there.
      keys_of_variables(provider, place, own_address || service.base_url.empty(), service.key_variable);
    } else {
      keys_of_files(provider, place);
    }
  }

  void certificates(ProviderSettings& provider, std::size_t place) {
    if (provider.ca_file.empty()) return;
    provider.ca_file = beside(c_.file, provider.ca_file);
    const auto text = read_regular_file(provider.ca_file, largest_ca_file);
    if (!text.ok()) {
      problem({"providers", place, "ca_file"}, text.error().cause);
    } else if (text->find("-----BEGIN") == std::string::npos) {
      problem({"providers", place, "ca_file"}, provider.ca_file + " holds no certificate in PEM form");
    }
  }

  /// What is wrong with the key of a provider that nobody asks keeps no run from going on.
  void about_key(const ProviderSettings& provider, Path path, std::string message) {
    if (used(provider)) return problem(path, std::move(message));
    if (c_.planner.enabled) reading_.warn(origins_.problem(path, message + " (the planner asks another provider)"));
  }

  void keys_of_files(ProviderSettings& provider, std::size_t place) {
    for (const std::string& name : provider.api_key_file) {
      const auto text = read_regular_file(beside(c_.file, name), largest_key_file);
      if (!text.ok()) {
        about_key(provider, {"providers", place, "api_key_file"}, text.error().cause);
      } else if (std::string key = trimmed(*text); key.empty()) {
        about_key(provider, {"providers", place, "api_key_file"}, "the key file " + name + " is empty");
      } else {
        add_key(provider, {"providers", place, "api_key_file"}, {name, std::move(key)}, "the key in " + name);
      }
    }
  }

  void keys_of_variables(ProviderSettings& provider, std::size_t place, bool vendor, std::string_view usual) {
    if (!std::all_of(provider.api_key_env.begin(), provider.api_key_env.end(), is_variable_name)) {
      provider.api_key_env.clear();
      return problem({"providers", place, "api_key_env"},
                     "the name of an environment variable is expected here, in capitals as LAB_API_KEY, and not the "
                     "key itself");
    }
    // A vendor's key goes to nobody but the vendor unless the file says so.
    if (provider.api_key_env.empty() && vendor && !usual.empty()) provider.api_key_env.emplace_back(usual);
    for (const std::string& name : provider.api_key_env) {
      const auto value = variable(name.c_str());
      if (value) {
        add_key(provider, {"providers", place, "api_key_env"}, {name, trimmed(*value)},
                "the key in the environment variable " + name);
      } else {
        about_key(provider, {"providers", place, "api_key_env"},
                  "the provider \"" + provider.name + "\" needs a key: set the environment variable " + name);
      }
    }
  }

  void add_key(ProviderSettings& provider, Path path, ProviderKey key, const std::string& what) {
    if (!fits_header(key.value)) {
      return about_key(provider, path, what + " has a blank, a line break or another character in it that no key has");
    }
    const bool twice = std::any_of(provider.keys.begin(), provider.keys.end(),
                                   [&](const ProviderKey& other) { return other.value == key.value; });
    if (twice) return about_key(provider, path, what + " is the same as another; name each key once");
    provider.keys.push_back(std::move(key));
  }

  void check_planner() {
    std::vector<std::string> names;
    for (const auto& provider : c_.providers) names.push_back(provider.name);
    const auto check = [&](const std::string& name, Path path) {
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        problem(path, "there is no provider named \"" + shorten(name, 60) + "\"; " + suggestion(name, names));
      }
    };
    if (c_.planner.enabled && names.empty()) {
      return problem({"planner"}, "the planner is enabled and there is no provider; add one under \"providers\"");
    }
    check(c_.planner.provider, {"planner", "provider"});
    const auto& fallbacks = c_.planner.fallback_providers;
    const auto asked = asked_in_order();
    for (std::size_t i = 0; i < fallbacks.size(); ++i) {
      check(fallbacks[i], {"planner", "fallback_providers", i});
      const auto end = asked.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      if (std::find(asked.begin(), end, fallbacks[i]) != end) {
        problem({"planner", "fallback_providers", i},
                "the provider \"" + fallbacks[i] + "\" is asked before already; name each once");
      }
    }
  }

  [[nodiscard]] std::string phones_there() const {
    if (c_.phones.count == 0) return "there are no phones";
    if (c_.phones.count == 1) return "there is " + simulated_phone_name(1, 1) + " alone";
    return "there are " + simulated_phone_name(1, c_.phones.count) + " to " +
           simulated_phone_name(c_.phones.count, c_.phones.count);
  }

  // With fewer phones than the file has, those that would be lost are not there to begin with.
  void lost_phones() {
    const bool other_count = !origins_.option_of("phones.simulated").empty();
    std::vector<std::string> lost;
    for (std::size_t i = 0; i < c_.phones.faults.lost.size(); ++i) {
      const std::string& stated = c_.phones.faults.lost[i];
      const auto read = parse_lost_phone(stated);
      const auto id = read ? find_simulated_phone(read->id, c_.phones.count) : std::nullopt;
      if (id) {
        reading_.move_reference("/phones/faults/lost/" + std::to_string(i),
                                "/phones/faults/lost/" + std::to_string(lost.size()));
        lost.push_back(*id + "@" + std::to_string(read->operation));
        continue;
      }
      reading_.forget_references("/phones/faults/lost/" + std::to_string(i));
      if (!read || !find_simulated_phone(read->id, std::numeric_limits<std::uint32_t>::max())) {
        problem({"phones", "faults", "lost", i},
                "\"" + shorten(stated, 60) + "\" is no phone and operation, as phone-07@12");
      } else if (!other_count) {
        problem({"phones", "faults", "lost", i}, "there is no phone \"" + read->id + "\"; " + phones_there());
      }
    }
    c_.phones.faults.lost = std::move(lost);
  }

  /// The id of the phone that somebody asks for by a name.
  std::string phone_asked_for(const std::string& name, Problem blamed) {
    if (name.empty()) return "";
    const auto id = find_simulated_phone(name, c_.phones.count);
    if (!id && c_.phones.count > 0) {
      blamed.message = "there is no phone \"" + shorten(name, 60) + "\"; " + phones_there();
      reading_.problem(std::move(blamed));
    }
    return id.value_or(name);
  }

  void tasks() {
    const std::string device = phone_asked_for(device_, {"--device", 0, 0, ""});
    std::set<std::string> ids;
    for (std::size_t i = 0; i < entry_.tasks.size(); ++i) {
      TaskEntry& stated = entry_.tasks[i];
      if (!stated.id.empty() && !ids.insert(stated.id).second) {
        problem({"tasks", i, "id"}, "two tasks have the id \"" + stated.id + "\"");
      }
      if (const std::string* role = role_named_twice(stated.roles)) {
        problem({"tasks", i, "roles"}, "the task \"" + stated.id + "\" names the role \"" + *role +
                                           "\" twice; give each of its phones a name of its own");
      }
      if (c_.phones.count > 0 && stated.roles.size() > c_.phones.count) {
        problem({"tasks", i, "roles"}, "the task \"" + stated.id + "\" needs " + std::to_string(stated.roles.size()) +
                                           " phones, one for each role; " + phones_there());
      }
      Task task;
      task.id = TaskId(stated.id);
      task.goal = std::move(stated.goal);
      task.app = std::move(stated.app);
      task.tags = std::move(stated.tags);
      task.assertions = std::move(stated.assertions);
      task.limits.max_steps = stated.max_steps.value_or(c_.limits.max_steps);
      task.limits.timeout = stated.timeout.value_or(c_.limits.timeout);
      task.device =
          device_.empty() ? phone_asked_for(stated.device, origins_.problem({"tasks", i, "device"}, "")) : device;
      if (!device_.empty()) reading_.forget_references("/tasks/" + std::to_string(i) + "/device");
      if (!stated.roles.empty()) task.roles = std::move(stated.roles);
      task.priority = stated.priority;
      c_.tasks.push_back(std::move(task));
    }
  }

  FileEntry entry_;
  Configuration& c_;
  const Origins& origins_;
  const std::string& device_;
  const std::string& shipped_apps_;
  Reading& reading_;
};

}  // namespace

Configuration complete(FileEntry entry, const Origins& origins, const Overrides& overrides, Reading& reading) {
  return Completion(std::move(entry), origins, overrides, reading).complete();
}

}  // namespace drover::config
