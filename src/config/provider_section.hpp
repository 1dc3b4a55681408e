#pragma once

#include "config/configuration.hpp"
#include "config/yaml_fields.hpp"

namespace drover::config {

/// One of `providers`: a service that answers model calls.
Section<ProviderSettings> provider_section();

}  // namespace drover::config
