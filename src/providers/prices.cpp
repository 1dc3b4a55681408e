#include "providers/prices.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/text.hpp"

namespace drover::providers {
namespace {

struct Row {
  std::string_view model;  ///< The id is this, with a date behind it or without.
  Price price;
};

/// Dollars in thousandths per million tokens.
constexpr Price mills(std::int64_t input, std::int64_t cached, std::int64_t write, std::int64_t output,
                      std::uint64_t most_input = 0) {
  return {input * 1000, cached * 1000, write * 1000, output * 1000, most_input};
}

// The vendor's model pages, read on 2026-11-30. A cache read is a tenth of the input, a
// twentieth in the 5.5 family and a fortieth on fable-5-1; a five-minute write is 1.25
// of it. Haiku 5.5 costs more above 100,000 tokens.
constexpr std::array anthropic_prices{
    Row{"claude-fable-5-1", mills(10'000, 250, 12'500, 50'000)},
    Row{"claude-mythos-5-1", mills(10'000, 250, 12'500, 50'000)},
    Row{"claude-fable-5", mills(10'000, 1'000, 12'500, 50'000)},
    Row{"claude-mythos-5", mills(10'000, 1'000, 12'500, 50'000)},
    Row{"claude-opus-5-5", mills(4'000, 200, 5'000, 20'000)},
    Row{"claude-opus-5", mills(5'000, 500, 6'250, 25'000)},
    Row{"claude-opus-4-8", mills(5'000, 500, 6'250, 25'000)},
    Row{"claude-opus-4-7", mills(5'000, 500, 6'250, 25'000)},
    Row{"claude-opus-4-6", mills(5'000, 500, 6'250, 25'000)},
    Row{"claude-opus-4-5", mills(5'000, 500, 6'250, 25'000)},
    Row{"claude-sonnet-5-5", mills(2'000, 100, 2'500, 10'000)},
    Row{"claude-sonnet-5", mills(2'000, 200, 2'500, 10'000)},
    Row{"claude-sonnet-4-6", mills(3'000, 300, 3'750, 15'000)},
    Row{"claude-sonnet-4-5", mills(3'000, 300, 3'750, 15'000)},
    Row{"claude-haiku-5-5", mills(100, 10, 125, 500, 100'000)},
    Row{"claude-haiku-4-5", mills(1'000, 100, 1'250, 5'000)},
};

/// OpenAI charges cache writes as input, and long prompts to gpt-5.4 and 5.5 more.
constexpr std::uint64_t long_prompt = 200'000;
constexpr Price per_million(std::int64_t input, std::int64_t cached, std::int64_t output,
                            std::uint64_t most_input = 0) {
  return {input, cached, input, output, most_input};
}

// The vendor's list as reported in 2026. The 5.6 and 6 families are left out: their rules
// for cached prompts are not known here.
constexpr std::array openai_prices{
    Row{"gpt-4.1", per_million(2'000'000, 500'000, 8'000'000)},
    Row{"gpt-4.1-mini", per_million(400'000, 100'000, 1'600'000)},
    Row{"gpt-4.1-nano", per_million(100'000, 25'000, 400'000)},
    Row{"gpt-4o", per_million(2'500'000, 1'250'000, 10'000'000)},
    Row{"gpt-4o-mini", per_million(150'000, 75'000, 600'000)},
    Row{"gpt-5", per_million(1'250'000, 125'000, 10'000'000)},
    Row{"gpt-5.1", per_million(1'250'000, 125'000, 10'000'000)},
    Row{"gpt-5-mini", per_million(250'000, 25'000, 2'000'000)},
    Row{"gpt-5-nano", per_million(50'000, 5'000, 400'000)},
    Row{"gpt-5.4", per_million(2'500'000, 250'000, 15'000'000, long_prompt)},
    Row{"gpt-5.4-mini", per_million(750'000, 75'000, 4'500'000, long_prompt)},
    Row{"gpt-5.4-nano", per_million(200'000, 20'000, 1'250'000, long_prompt)},
    Row{"gpt-5.5", per_million(5'000'000, 500'000, 30'000'000, long_prompt)},
    Row{"o3", per_million(2'000'000, 500'000, 8'000'000)},
    Row{"o4-mini", per_million(1'100'000, 275'000, 4'400'000)},
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

std::optional<Price> price_of(WireFormat format, std::string_view model) {
  const std::string id = to_lower_ascii(model);
  if (format == WireFormat::anthropic) return find(anthropic_prices, id);
  return find(openai_prices, id);
}

bool is_vendors_own(WireFormat format, std::string_view base_url) {
  const std::size_t scheme = base_url.find("://");
  if (scheme == std::string_view::npos) return false;
  base_url.remove_prefix(scheme + 3);
  const std::string_view authority = base_url.substr(0, base_url.find_first_of("/?#"));
  std::string host = to_lower_ascii(authority.substr(0, authority.find(':')));
  if (host.ends_with('.')) host.pop_back();
  if (format == WireFormat::anthropic) return host == "api.anthropic.com";
  return host == "api.openai.com" || host.ends_with(".openai.azure.com");
}

std::optional<Price> price_at(std::string_view base_url, WireFormat format, std::string_view model) {
  return is_vendors_own(format, base_url) ? price_of(format, model) : std::nullopt;
}

std::optional<Money> cost_of(const Price& price, const BilledTokens& tokens) noexcept {
  // Counts come from outside: bounded so that the products fit into 64 bits.
  static constexpr std::uint64_t most_tokens = 10'000'000'000;
  constexpr std::int64_t most_micros = 200'000'000;
  constexpr std::int64_t million = 1'000'000;
  const auto bounded = [](std::uint64_t count) { return static_cast<std::int64_t>(std::min(count, most_tokens)); };
  const auto input = bounded(tokens.input);
  const auto cached = bounded(tokens.cached_input);
  const auto written = bounded(tokens.cache_write);
  if (price.most_input > 0 && input + cached + written > static_cast<std::int64_t>(price.most_input))
    return std::nullopt;
  const std::int64_t parts =
      input * std::min(price.input, most_micros) + cached * std::min(price.cached_input, most_micros) +
      written * std::min(price.cache_write, most_micros) + bounded(tokens.output) * std::min(price.output, most_micros);
  return Money{parts / million + (parts % million == 0 ? 0 : 1), "USD"};
}

}  // namespace drover::providers
