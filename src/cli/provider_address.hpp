#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "config/configuration.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "net/http_client.hpp"
#include "net/io_threads.hpp"
#include "providers/scripted/model_server.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::cli {

/// The providers of the planner, in order: the one named (or the first), then the fallbacks.
std::vector<const config::ProviderSettings*> providers_in_order(const config::Configuration& configuration);

/// What the calls of one provider have in common, whatever their key.
struct ProviderAddress {
  WireFormat format = WireFormat::anthropic;
  providers::ClientOptions client;
  std::shared_ptr<net::HttpTransport> transport;
  ModelPage page = ModelPage::none;  ///< Where the service says what the model takes.
};

/// Whether the price of every model that a run would ask is known where its budgets limit money.
/// Errors: invalid_argument with the first provider whose model has none.
Status check_prices(const config::Configuration& configuration);

using ModelServers = std::vector<std::unique_ptr<providers::scripted::ModelServer>>;

/// Where and in which format a provider of a configuration is asked. For one of kind
/// scripted its server is started and put into `servers`. Errors: a server that can't
/// be started.
Result<ProviderAddress> address_of(const config::Configuration& configuration, const config::ProviderSettings& settings,
                                   net::IoThreads& io, Timers& timers, ModelServers& servers);

/// The client for one of the provider's keys, counted from 0; for one without keys the
/// only one. The first asks a service that has a page of the model what that takes, and
/// waits up to three seconds for it: never from an actor.
std::unique_ptr<providers::ToolCallingClient> client_of(const ProviderAddress& address,
                                                        const config::ProviderSettings& settings, std::size_t key);

/// Sends a request and waits for its end: for what happens outside of actors alone.
net::HttpOutcome exchange(net::HttpTransport& transport, net::HttpRequest request, Duration timeout);

}  // namespace drover::cli
