#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"

namespace drover::config {

/// Scheme, host and port of a service's base URL, as `https://host:8443`: what of
/// it may be shown, since a path can hold a secret. Fails with
/// invalid_configuration for what is no http or https URL, names no host or a port
/// outside of 1 to 65535, or has a user, a query or a fragment in it. No message
/// repeats the URL.
Result<std::string> service_origin(std::string_view base_url);

}  // namespace drover::config
