#include "providers/scripted/spent_quota.hpp"

#include "core/text.hpp"

namespace drover::providers::scripted {

bool SpentQuota::used_up(std::string_view key) {
  if (!settings_ || (!settings_->key.empty() && settings_->key != key)) return false;
  return counted_.fetch_add(1, std::memory_order_relaxed) >= settings_->after;
}

std::string_view key_of(const net::HttpRequest& request) {
  for (const auto* name : {"x-api-key", "api-key"}) {
    if (const auto key = request.headers.get(name); !key.empty()) return key;
  }
  constexpr std::string_view scheme = "bearer ";
  const auto authorization = request.headers.get("authorization");
  if (to_lower_ascii(authorization.substr(0, scheme.size())) != scheme) return {};
  return authorization.substr(scheme.size());
}

}  // namespace drover::providers::scripted
