#include "providers/prices.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/text.hpp"

namespace drover::providers {
namespace {

struct Row {
  std::string_view model;  ///< The id begins with it; the longest that fits counts.
  Price price;
};

constexpr std::int64_t cents = 10'000;

constexpr Price priced(std::int64_t input, std::int64_t cached, std::int64_t write, std::int64_t output) {
  return {input * cents, cached * cents, write * cents, output * cents};
}

// The vendors' price pages, in cents per million tokens. Anthropic: a cache read is a
// tenth of the input, a five-minute cache write 1.25 of it. OpenAI: writes cost as input.
constexpr std::array anthropic_prices{
    Row{"claude-opus-4-5", priced(500, 50, 625, 2500)},   Row{"claude-opus-4-6", priced(500, 50, 625, 2500)},
    Row{"claude-sonnet-4-5", priced(300, 30, 375, 1500)}, Row{"claude-sonnet-4-6", priced(300, 30, 375, 1500)},
    Row{"claude-haiku-4-5", priced(100, 10, 125, 500)},
};

constexpr Price micros(std::int64_t input, std::int64_t cached, std::int64_t output) {
  return {input, cached, input, output};
}

constexpr std::array openai_prices{
    Row{"gpt-4.1", micros(2'000'000, 500'000, 8'000'000)}, Row{"gpt-4.1-mini", micros(400'000, 100'000, 1'600'000)},
    Row{"gpt-4.1-nano", micros(100'000, 25'000, 400'000)}, Row{"gpt-4o", micros(2'500'000, 1'250'000, 10'000'000)},
    Row{"gpt-4o-mini", micros(150'000, 75'000, 600'000)},  Row{"gpt-5", micros(1'250'000, 125'000, 10'000'000)},
    Row{"gpt-5-mini", micros(250'000, 25'000, 2'000'000)}, Row{"gpt-5-nano", micros(50'000, 5'000, 400'000)},
    Row{"o3", micros(2'000'000, 500'000, 8'000'000)},      Row{"o4-mini", micros(1'100'000, 275'000, 4'400'000)},
};

/// The rest of the id after a row's model is nothing or a date: "-2026-08-07", "-20260807",
/// "-latest". Another word or number makes it another model.
bool is_date_or_nothing(std::string_view rest) noexcept {
  if (rest.empty() || rest == "-latest") return true;
  if (rest.front() != '-' || rest.size() < 9) return false;
  return rest.find_first_not_of("0123456789-") == std::string_view::npos;
}

template <std::size_t Size>
std::optional<Price> find(const std::array<Row, Size>& rows, std::string_view id) {
  for (const auto& row : rows) {
    if (id.starts_with(row.model) && is_date_or_nothing(id.substr(row.model.size()))) return row.price;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Price> price_of(std::string_view wire_format, std::string_view model) {
  const std::string id = to_lower_ascii(model);
  if (wire_format == "anthropic") return find(anthropic_prices, id);
  return find(openai_prices, id);
}

Money cost_of(const Price& price, const BilledTokens& tokens) noexcept {
  // Counts come from outside: bounded so that the products fit into 64 bits.
  static constexpr std::uint64_t most_tokens = 10'000'000'000;
  const auto part = [](std::uint64_t count, std::int64_t micros_per_million) {
    return static_cast<std::int64_t>(std::min(count, most_tokens)) *
           std::min<std::int64_t>(micros_per_million, 200'000'000);
  };
  const std::int64_t parts = part(tokens.input, price.input) + part(tokens.cached_input, price.cached_input) +
                             part(tokens.cache_write, price.cache_write) + part(tokens.output, price.output);
  constexpr std::int64_t million = 1'000'000;
  return Money{parts / million + (parts % million == 0 ? 0 : 1), "USD"};
}

}  // namespace drover::providers
