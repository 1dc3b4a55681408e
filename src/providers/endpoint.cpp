#include "providers/endpoint.hpp"

namespace drover::providers {

std::string endpoint_url(std::string_view base_url, std::string_view path) {
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  if (base_url.ends_with("/v1") && path.starts_with("/v1/")) path.remove_prefix(3);
  return std::string(base_url) + std::string(path);
}

}  // namespace drover::providers
