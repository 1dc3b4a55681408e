#include "cli/provider_address.hpp"

#include <algorithm>
#include <future>
#include <string>
#include <utility>

#include "providers/model_capabilities.hpp"
#include "providers/model_knowledge.hpp"
#include "providers/model_listing.hpp"
#include "providers/prices.hpp"
#include "providers/service_address.hpp"

namespace drover::cli {
namespace {

constexpr Duration page_timeout = std::chrono::seconds{3};

/// Changes what is known of a model by what its service says of it. No answer in time
/// changes nothing: the run can do without.
void ask_for_capabilities(const ProviderAddress& address, const providers::ToolCallingClient& client,
                          const CapabilityOverrides& stated) {
  auto request = client.page_request(address.page);
  if (!request) return;
  const auto outcome = exchange(*address.transport, *std::move(request), page_timeout);
  if (!outcome.response.ok()) return;
  const auto found = providers::overrides_of_page(address.page, *outcome.response);
  if (!found) return;
  address.client.knowledge->apply(*found);
  address.client.knowledge->apply(stated);
}

/// All but the transport, and a model server that is to be started.
ProviderAddress stated_address(const config::ProviderSettings& settings) {
  ProviderAddress address;
  providers::ClientOptions& client = address.client;
  client.base_url = settings.base_url;
  client.model = settings.model;
  client.api_version = settings.api_version;
  client.key_header = key_header_from(settings.authentication);
  client.price = settings.price;
  if (const ModelService* const service = find_model_service(settings.kind)) {
    const bool own_address = settings.base_url == service->base_url;
    address.format =
        wire_format_from(settings.format).value_or(providers::format_for(*service, own_address, settings.model));
    client.path = providers::path_for(*service, address.format, settings.model, settings.api_version);
    if (!client.key_header) client.key_header = service->key_header;
    address.page = service->page;
  }
  return address;
}

}  // namespace

Status check_prices(const config::Configuration& configuration) {
  if (!configuration.budgets.limits_money()) return Done{};
  for (const auto* const provider : providers_in_order(configuration)) {
    const auto address = stated_address(*provider);
    if (address.client.price) continue;
    if (providers::price_at(address.client.base_url, address.format, address.client.model)) continue;
    return Error{Errc::invalid_argument,
                 "a budget of money needs the price of every model that is asked, and none is known of \"" +
                     provider->model + "\" of provider \"" + provider->name + "\"",
                 "state the provider's price, such as price: {input: 2, output: 10} in dollars per million tokens"};
  }
  return Done{};
}

std::vector<const config::ProviderSettings*> providers_in_order(const config::Configuration& configuration) {
  std::vector<std::string> names = {configuration.planner.provider};
  if (names.front().empty() && !configuration.providers.empty()) names.front() = configuration.providers.front().name;
  names.insert(names.end(), configuration.planner.fallback_providers.begin(),
               configuration.planner.fallback_providers.end());
  std::vector<const config::ProviderSettings*> found;
  for (const auto& name : names) {
    for (const auto& provider : configuration.providers) {
      if (provider.name == name) found.push_back(&provider);
    }
  }
  return found;
}

Result<ProviderAddress> address_of(const config::Configuration& configuration, const config::ProviderSettings& settings,
                                   net::IoThreads& io, Timers& timers, ModelServers& servers) {
  auto address = stated_address(settings);
  providers::ClientOptions& client = address.client;
  auto capabilities = providers::capabilities_of(address.format, settings.model);
  if (const ModelService* const service = find_model_service(settings.kind)) {
    providers::apply(service->differences, capabilities);
  }
  providers::apply(settings.capabilities, capabilities);
  client.knowledge = std::make_shared<providers::ModelKnowledge>(address.format, std::move(capabilities));
  if (settings.kind == "scripted") {
    providers::scripted::ModelServerOptions options;
    options.behaviour = settings.scripted;
    options.seed = configuration.seed;
    options.time_scale = configuration.time_scale;
    auto server = providers::scripted::start_model_server(io, timers, std::move(options));
    if (!server.ok()) return server.error();
    client.base_url = "http://127.0.0.1:" + std::to_string((*server)->port());
    client.api_key = "built-in";
    servers.push_back(*std::move(server));
  }
  net::HttpClientOptions http;
  http.ca_file = settings.ca_file;
  http.max_idle_per_host =
      std::max<std::size_t>(settings.limits.max_in_flight * std::max<std::size_t>(settings.keys.size(), 1), 16);
  address.transport = net::make_http_client(io, timers, std::move(http));
  return address;
}

std::unique_ptr<providers::ToolCallingClient> client_of(const ProviderAddress& address,
                                                        const config::ProviderSettings& settings, std::size_t key) {
  providers::ClientOptions options = address.client;
  if (key < settings.keys.size()) {
    options.api_key = settings.keys[key].value;
    options.key_origin = settings.keys[key].origin;
  }
  auto client = providers::make_client(address.format, std::move(options));
  if (key == 0) ask_for_capabilities(address, *client, settings.capabilities);
  return client;
}

net::HttpOutcome exchange(net::HttpTransport& transport, net::HttpRequest request, Duration timeout) {
  auto promise = std::make_shared<std::promise<net::HttpOutcome>>();
  auto answer = promise->get_future();
  transport.send(std::move(request), timeout, CancelToken{},
                 [promise](net::HttpOutcome outcome) { promise->set_value(std::move(outcome)); });
  return answer.get();
}

}  // namespace drover::cli
