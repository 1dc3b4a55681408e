#pragma once

#include <optional>

#include "core/model_service.hpp"
#include "net/http_message.hpp"

namespace drover::providers {

/// What a service's own page of a model (GET /v1/models/ID) says that it takes: forms of
/// thinking and the most tokens of an answer. Nothing where the answer is no such page or
/// says nothing of it. Source: Anthropic's Models API, November 2026; services of the other
/// formats say nothing there.
std::optional<CapabilityOverrides> overrides_of_listing(const net::HttpResponse& response);

}  // namespace drover::providers
