#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model_faults.hpp"
#include "net/http_message.hpp"

namespace drover::providers::scripted {

/// Counts the requests of a key, or of all, up to the last that was paid for. Thread-safe.
class SpentQuota {
 public:
  /// Without settings it is never used up.
  explicit SpentQuota(std::optional<ModelQuotaSettings> settings) : settings_(std::move(settings)) {}

  /// Counts a request of that key; true from the first on that is not paid for.
  bool used_up(std::string_view key);

 private:
  std::optional<ModelQuotaSettings> settings_;
  std::atomic<std::uint64_t> counted_{0};
};

/// The key that a request brings: x-api-key, api-key, or behind "Bearer"; empty: none.
std::string_view key_of(const net::HttpRequest& request);

}  // namespace drover::providers::scripted
