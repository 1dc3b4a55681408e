#pragma once

#include <string>
#include <string_view>

namespace drover::providers {

/// The URL of `path` ("/v1/messages") below a base that users write with or
/// without a slash at its end and with or without the version.
std::string endpoint_url(std::string_view base_url, std::string_view path);

}  // namespace drover::providers
