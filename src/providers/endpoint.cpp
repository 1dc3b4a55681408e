#include "providers/endpoint.hpp"

namespace drover::providers {

std::string endpoint_url(std::string_view base_url, std::string_view path) {
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  for (const std::string_view shared : {"/openai/v1", "/v1"}) {
    if (base_url.ends_with(shared) && path.starts_with(shared) && path.substr(shared.size()).starts_with('/')) {
      path.remove_prefix(shared.size());
    }
  }
  return std::string(base_url) + std::string(path);
}

}  // namespace drover::providers
