#pragma once

#include <cstdint>

namespace drover {

/// What a million tokens cost, in micro-dollars: list prices of standard service.
struct Price {
  std::int64_t input = 0;
  std::int64_t cached_input = 0;  ///< Read from the provider's prompt cache.
  std::int64_t cache_write = 0;   ///< Written into it.
  std::int64_t output = 0;        ///< Thinking counts as output.
  std::uint64_t most_input = 0;   ///< Longer prompts have another price, which is not known here; 0: all have this one.
  bool operator==(const Price&) const = default;
};

}  // namespace drover
