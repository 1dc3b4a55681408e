#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model_service.hpp"
#include "core/price.hpp"
#include "core/records.hpp"

namespace drover::providers {

inline constexpr std::string_view price_table_version = "2026-11";

/// The tokens of one call by price.
struct BilledTokens {
  std::uint64_t input = 0;  ///< Neither read from nor written into the cache.
  std::uint64_t cached_input = 0;
  std::uint64_t cache_write = 0;
  std::uint64_t output = 0;
};

/// The list price of a model of this wire format; nothing for a model that is not
/// in the table, and for the built-in rules, which have no price.
std::optional<Price> price_of(WireFormat format, std::string_view model);

/// Whether the vendor of a wire format itself answers at a base URL: api.anthropic.com,
/// api.openai.com and hosts below openai.azure.com.
bool is_vendors_own(WireFormat format, std::string_view base_url);

/// The list price where the vendor itself answers. Who serves a model of that name
/// elsewhere has prices of his own, or none, so there is no price.
std::optional<Price> price_at(std::string_view base_url, WireFormat format, std::string_view model);

/// The cost of one call in whole micro-dollars, rounded up once; nothing for a prompt
/// longer than the price is known for.
std::optional<Money> cost_of(const Price& price, const BilledTokens& tokens) noexcept;

}  // namespace drover::providers
