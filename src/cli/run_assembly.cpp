#include "cli/run_assembly.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/app_build.hpp"
#include "cli/provider_address.hpp"
#include "cli/run_id.hpp"
#include "cli/secret_hiding_journal.hpp"
#include "config/service_address.hpp"
#include "planner/tool_specifications.hpp"
#include "providers/model_capabilities.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t io_thread_count = 1;

std::vector<std::shared_ptr<devices::Driver>> make_phones(
    const config::Configuration& configuration, const std::shared_ptr<const devices::simulated::AppCatalogue>& apps,
    Timers& timers) {
  std::vector<std::shared_ptr<devices::Driver>> drivers;
  for (std::uint32_t number = 1; number <= configuration.phones.count; ++number) {
    devices::simulated::PhoneOptions options;
    options.id = DeviceId(simulated_phone_name(number, configuration.phones.count));
    options.seed = configuration.seed;
    options.time_scale = configuration.time_scale;
    options.latency = configuration.phones.latency;
    options.faults = configuration.phones.faults;
    drivers.push_back(devices::simulated::make_simulated_phone(apps, std::move(options), timers));
  }
  return drivers;
}

/// One provider, with each of its keys.
Result<std::vector<actors::ProviderSetup>> make_provider(const config::Configuration& configuration,
                                                         const config::ProviderSettings& settings,
                                                         RunAssembly& assembly) {
  auto address = address_of(configuration, settings, *assembly.io, *assembly.timers, assembly.model_servers);
  if (!address.ok()) return address.error();
  std::vector<actors::ProviderSetup> setups;
  for (std::size_t i = 0; i < std::max<std::size_t>(settings.keys.size(), 1); ++i) {
    actors::ProviderSetup setup;
    setup.name = settings.keys.size() > 1 ? settings.name + " (" + settings.keys[i].origin + ")" : settings.name;
    setup.client = client_of(*address, settings, i);
    setup.transport = address->transport;
    setup.gate.limits = settings.limits;
    setup.gate.max_retries = settings.max_retries;
    setup.gate.cached_input_counts = address->format != WireFormat::anthropic;
    setup.call_timeout = settings.timeout;
    if (settings.kind == "scripted") {
      // The server is in this process and its clock is scaled: so are the waits after its refusals.
      setup.gate.backoff_base = Duration{static_cast<Duration::rep>(
          static_cast<double>(setup.gate.backoff_base.count()) * std::clamp(configuration.time_scale, 0.01, 1.0))};
      setup.gate.ramp_up = false;
    }
    setups.push_back(std::move(setup));
  }
  return setups;
}

/// By the planner's failover; `keyed`: of each provider that is asked, one setup for each key.
void set_places(const std::string& failover, const std::vector<const config::ProviderSettings*>& asked,
                std::vector<std::vector<actors::ProviderSetup>>& keyed) {
  std::vector<double> weights;
  std::vector<std::optional<std::int64_t>> prices;
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    weights.push_back(asked[i]->weight);
    const auto& price = keyed[i].front().client->price();
    prices.push_back(price ? std::optional(price->input) : std::nullopt);
  }
  const auto policy = failover == "weight" ? providers::FailoverPolicy::weight
                      : failover == "cost" ? providers::FailoverPolicy::cost
                                           : providers::FailoverPolicy::order;
  const auto places = providers::places_by(policy, weights, prices);
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    for (auto& setup : keyed[i]) {
      setup.failover = places[i];
      setup.failover.weight /= static_cast<double>(keyed[i].size());
    }
  }
}

std::string text_of(const config::ProviderSettings& settings) {
  if (settings.kind == "scripted") return settings.name + ": built-in rules (no language model, no price)";
  const auto origin = config::service_origin(settings.base_url);
  return settings.name + ": " + settings.model + (origin.ok() ? " at " + *origin : "");
}

}  // namespace

RunAssembly::~RunAssembly() { shutdown(); }

actors::ShutdownReport RunAssembly::shutdown() {
  actors::ShutdownReport report;
  if (runtime) report = runtime->shutdown();
  if (!report.survivors.empty()) {
    // What still runs may use all of this: it stays until the process exits.
    static_cast<void>(runtime.release());
    static_cast<void>(timers.release());
    static_cast<void>(io.release());
    return report;
  }
  if (budget) {
    if (const auto closed = budget->close(); !closed.ok()) {
      spdlog::error("the day's budget can't be settled: {}", closed.error().describe());
    }
    budget.reset();
  }
  for (auto& server : model_servers) server->stop();
  if (io) io->stop();
  model_servers.clear();
  timers.reset();
  runtime.reset();
  io.reset();
  return report;
}

Result<RunAssembly> assemble_run(const config::Configuration& configuration,
                                 std::shared_ptr<const devices::simulated::AppCatalogue> apps, bool describe,
                                 const std::string& run) {
  RunAssembly assembly;
  assembly.timers = make_timer_thread();
  if (configuration.phones.count > 0) {
    auto build = app_build_of(configuration.phones.apps);
    if (!build.ok()) return build.error();
    assembly.app_build = *std::move(build);
  }

  assembly.run = RunId(run.empty() ? new_run_id(*assembly.timers) : run);
  storage::JournalOptions journal_options;
  journal_options.path = configuration.journal;
  journal_options.new_run = assembly.run;
  auto journal = storage::Journal::open(journal_options);
  if (!journal.ok()) return journal.error();
  assembly.recovery = (*journal)->recovery();

  assembly.io = std::make_unique<net::IoThreads>(io_thread_count);
  actors::RuntimeSetup setup;
  setup.journal = hide_in_journal(*std::move(journal), configuration.secrets);
  assembly.budget = std::make_shared<actors::SharedBudget>(configuration.budgets, setup.journal, *assembly.timers);
  if (const auto opened = assembly.budget->open(); !opened.ok()) return opened.error();
  setup.budget = assembly.budget;
  setup.timers = assembly.timers.get();
  setup.seed = configuration.seed;
  setup.max_observation_age = configuration.planner.max_observation_age;

  setup.drivers = make_phones(configuration, apps, *assembly.timers);
  if (configuration.phones.count > 0) {
    // Simulated phones come back in scaled time, too.
    const auto scale = [&](Duration duration) {
      return Duration{static_cast<Duration::rep>(static_cast<double>(duration.count()) *
                                                 std::clamp(configuration.time_scale, 0.05, 1.0))};
    };
    setup.device_timeout = scale(setup.device_timeout);
    setup.reconnect_grace = scale(setup.reconnect_grace);
    setup.health.backoff_base = scale(setup.health.backoff_base);
    setup.health.fault_window = scale(setup.health.fault_window);
    setup.health.quarantine = scale(setup.health.quarantine);
  }

  if (describe) {
    assembly.planner = planner::make_stub_planner();
    assembly.provider_text = "none (each screen is described once, no model is asked)";
  } else {
    planner::AiPlannerOptions options;
    options.tools = configuration.planner.tools == "core" ? planner::ToolSetChoice::core : planner::ToolSetChoice::full;
    assembly.tool_set = std::string(planner::tool_set_name(options.tools));
    options.thinking_budget_tokens = configuration.planner.thinking_budget_tokens;
    options.max_output_tokens = configuration.planner.max_output_tokens;
    const auto asked = providers_in_order(configuration);
    std::vector<std::vector<actors::ProviderSetup>> keyed;
    for (const auto* provider : asked) {
      auto made = make_provider(configuration, *provider, assembly);
      if (!made.ok()) return made.error();
      const auto& client = *made->front().client;
      const auto known = client.capabilities();
      const auto& capabilities = *known;
      // Phones take no picture that no model of the role can see.
      options.screenshot = options.screenshot || (configuration.planner.screenshot && capabilities.vision);
      for (const auto& warning : providers::capability_warnings(
               capabilities, client.model(), configuration.planner.thinking_budget_tokens.has_value(),
               configuration.planner.screenshot)) {
        spdlog::warn("{}", warning);
      }
      if (!assembly.provider_text.empty()) {
        assembly.provider_text += configuration.planner.failover == "order" ? ", then " : " and ";
      }
      assembly.provider_text += text_of(*provider);
      keyed.push_back(*std::move(made));
    }
    set_places(configuration.planner.failover, asked, keyed);
    for (auto& setups : keyed) {
      std::move(setups.begin(), setups.end(), std::back_inserter(setup.providers));
    }
    assembly.planner = planner::make_ai_planner(options);
  }
  assembly.runtime = std::make_unique<actors::Runtime>(std::move(setup));
  return assembly;
}

}  // namespace drover::cli
