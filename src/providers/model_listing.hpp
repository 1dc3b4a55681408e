#pragma once

#include <optional>
#include <string>

#include "core/model_service.hpp"
#include "net/http_message.hpp"

namespace drover::providers {

/// Asks for a service's page of a model. `prototype`: a request with the service's headers
/// and key. Nothing where the service has no such page, or none of a model with such a name.
std::optional<net::HttpRequest> page_request(ModelPage page, const net::HttpRequest& prototype,
                                             const std::string& base_url, const std::string& model);

/// What that page says the model takes. Of a gateway that hands requests on to several
/// servers only what all of them take counts, because what one does not know it leaves out
/// without a word. Nothing where the answer is no such page or says nothing of it.
/// Sources: Anthropic's Models API, OpenRouter's list of endpoints, Ollama's show request,
/// November 2026.
std::optional<CapabilityOverrides> overrides_of_page(ModelPage page, const net::HttpResponse& response);

}  // namespace drover::providers
