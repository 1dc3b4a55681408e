#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/secrets.hpp"
#include "core/budget.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/model_service.hpp"
#include "core/price.hpp"
#include "core/rate_limits.hpp"
#include "core/records.hpp"
#include "core/simulation.hpp"
#include "core/task.hpp"

namespace drover::config {

/// A secret, and where it comes from.
struct ProviderKey {
  std::string origin;  ///< The variable's or the file's name.
  std::string value;
};

struct ProviderSettings {
  std::string name;                ///< As the user calls it.
  std::string kind = "anthropic";  ///< Of core's model_services(), or "scripted".
  std::string format;              ///< Of a WireFormat; empty: the service's own, or by its model.
  std::string base_url;
  std::string model;
  std::vector<std::string> api_key_env;   ///< The variables that keys come from.
  std::vector<std::string> api_key_file;  ///< The files that they come from, in place of variables.
  std::vector<ProviderKey> keys;          ///< Resolved; never dumped. None: none is sent.
  std::string api_version;
  std::string authentication;  ///< Of a KeyHeader; empty: the service's own.
  CapabilityOverrides capabilities;
  std::optional<Price> price;  ///< Absent: the list price, where one is known.
  RateLimits limits;
  double weight = 1;                            ///< Share of calls where they are shared out by weight.
  Duration timeout = std::chrono::seconds{30};  ///< Row C6.
  std::uint32_t max_retries = 6;
  std::string ca_file;
  ModelServerSettings scripted;  ///< Only for kind scripted.
};

struct PlannerSettings {
  bool enabled = false;
  std::string provider;  ///< Name of a provider; empty: the first.
  std::vector<std::string> fallback_providers;
  std::string failover = "order";  ///< Or "weight" or "cost".
  std::string tools = "full";
  std::optional<std::uint32_t> thinking_budget_tokens;
  std::uint32_t max_output_tokens = 1024;
  bool screenshot = false;
  Duration max_observation_age = std::chrono::seconds{5};
};

struct SimulatedPhones {
  std::uint32_t count = 0;
  std::string apps;  ///< Folder of app files.
  LatencyProfile latency = LatencyProfile::typical;
  PhoneFaultSettings faults;
};

struct RetrySettings {
  std::vector<std::string> classes = {"infra"};  ///< Also "failure", "agent", "in_doubt".
  std::uint32_t per_task = 1;                    ///< Further attempts.
  std::uint32_t total = 1000;
};

/// Everything a run is made of. A value; nothing reads files or the environment after it is loaded.
struct Configuration {
  std::string file;  ///< Where it came from; relative paths resolve against its folder.
  std::string title;
  std::uint64_t seed = 1;
  double time_scale = 1.0;  ///< Simulated waits are multiplied by it.
  std::vector<ProviderSettings> providers;
  PlannerSettings planner;
  SimulatedPhones phones;
  std::uint32_t parallel = 0;  ///< Most sessions at once; 0: one per phone.
  RetrySettings retries;
  std::string journal{default_journal_folder};
  BudgetSettings budgets;
  TaskLimits limits;  ///< Defaults for tasks that state none.
  std::vector<Task> tasks;
  bool require_assertions = false;
  std::string hash;  ///< Of the effective values, secrets left out.
  /// What texts took from variables whose names say that it is secret (names_secret()),
  /// at least four bytes each; keys of providers are not among it. Nothing that Drover
  /// prints may hold one: hide_secrets() puts `${NAME}` in its place.
  Secrets secrets;
  Json effective;  ///< What dump() gives.
};

inline constexpr std::size_t largest_configuration_file = std::size_t{16} << 20;
inline constexpr std::size_t most_problems = 200;  ///< That are told at once.

/// One thing wrong with a configuration.
struct Problem {
  std::string file;  ///< Or the option or environment variable that is to blame.
  int line = 0;      ///< From 1; 0 where no line is to blame.
  int column = 0;
  std::string message;
  /// `file:line:column: message`.
  [[nodiscard]] std::string describe() const;
};

/// "2 problems in the configuration:" and a line for each.
std::string describe(const std::vector<Problem>& problems);

using Environment = std::function<std::optional<std::string>(const std::string&)>;

/// A value that stands over the file's. It is read and bounded as if it stood in
/// the file, and what is wrong with it is told of `option`.
struct Setting {
  std::string option;  ///< "--phones".
  std::string key;     ///< Where it would stand, as "phones.simulated".
  Json value;          ///< What would stand there; a text for any scalar.
};

/// What the command line sets over the file.
struct Overrides {
  std::vector<Setting> settings;
  std::string device;  ///< `--device`: the phone of every task; empty: as the tasks say.
  /// The folder of apps where the file names none and has no folder `apps` beside it; empty: there is none.
  std::string shipped_apps{};
};

/// What is wrong with the app files of a folder. A problem without a file is one of the
/// folder: it is told of what names the folder.
using AppsCheck = std::function<std::vector<Problem>(const std::string& folder)>;

struct Loaded {
  Configuration configuration;    ///< Of use only when there is no problem.
  std::vector<Problem> problems;  ///< All of them at once, those of app files last.
  std::vector<Problem> warnings;  ///< What does not keep it from being run.
};

/// Loads YAML or JSON. Precedence: overrides, then environment
/// (AI_PLANNER_ENABLED, AI_PLANNER_PROVIDER, AI_PLANNER_MODEL,
/// AI_PLANNER_THINKING_BUDGET_TOKENS, AI_PLANNER_TIMEOUT_SECONDS), then the file,
/// then defaults. `${NAME}` in a text, a number or a switch of the file is replaced
/// from the environment. No problem's message holds a secret of the configuration.
/// Unknown keys are refused with file, line and the nearest known name. Phones are
/// given the ids that they have (`phone-7` becomes `phone-07`). A file is at most
/// 16 MiB. With `check_apps`, the app files are checked where there are simulated
/// phones or a folder is named.
Loaded load(const std::string& path, const Environment& environment, const Overrides& overrides = {},
            const AppsCheck& check_apps = nullptr);
/// The same for a text that stands for a file.
Loaded load_text(std::string_view text, const std::string& file, const Environment& environment,
                 const Overrides& overrides = {}, const AppsCheck& check_apps = nullptr);

/// The published JSON Schema (configs/drover.schema.json), made from the same
/// table of options that the loader uses.
Json schema();

/// The effective configuration as JSON, in the form of a file that load() takes: keys
/// are left out, a text that came from the environment is the `${NAME}` that stands in
/// the file, and so is a number whose variable's name says that it is secret. Paths
/// that are relative to the file are written whole, since the dump may be put
/// elsewhere. Of an address only scheme and host are shown; one with a path says that
/// it is left out, and is no address that load() takes.
Json dump(const Configuration& configuration);

}  // namespace drover::config
