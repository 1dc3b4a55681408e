#pragma once

#include <string>
#include <string_view>

#include "core/model_service.hpp"

namespace drover::providers {

/// The format in which a model of a service is asked unless somebody says otherwise: the
/// service's own; where it has several (openai, azure), Responses for models that reason
/// and Chat Completions for the others. `own_address`: nobody has put another server in
/// the place of OpenAI's; such servers are asked by Chat Completions, which all of them speak.
WireFormat format_for(const ModelService& service, bool own_address, std::string_view model);

/// Where calls go behind the base URL; empty: the format's own path. Azure puts calls below
/// /openai/v1, or with an `api_version` below the deployment, which is named as the model.
std::string path_for(const ModelService& service, WireFormat format, std::string_view model,
                     std::string_view api_version);

}  // namespace drover::providers
