#pragma once

#include <cstdint>

namespace drover {

/// What a provider allows one key; 0: no limit known.
struct RateLimits {
  std::uint32_t requests_per_minute = 0;
  std::uint64_t input_tokens_per_minute = 0;
  std::uint64_t output_tokens_per_minute = 0;
  std::uint32_t max_in_flight = 32;
  bool operator==(const RateLimits&) const = default;
};

}  // namespace drover
