#include "providers/model_listing.hpp"

#include <limits>

#include "core/json.hpp"

namespace drover::providers {
namespace {

constexpr std::uint64_t least_output_tokens = 16;

std::optional<bool> supported(const Json& types, const char* type) {
  const Json& flag = member(member(types, type), "supported");
  if (!flag.is_boolean()) return std::nullopt;
  return flag.get<bool>();
}

}  // namespace

std::optional<CapabilityOverrides> overrides_of_listing(const net::HttpResponse& response) {
  if (response.status != 200) return std::nullopt;
  const auto page = parse_json(response.body, "the page of a model");
  if (!page.ok() || !page->is_object()) return std::nullopt;
  CapabilityOverrides found;
  const Json& limit = member(*page, "max_tokens");
  if (limit.is_number_unsigned()) {
    const auto most = limit.get<std::uint64_t>();
    if (most >= least_output_tokens && most <= std::numeric_limits<std::uint32_t>::max()) {
      found.max_output_tokens = static_cast<std::uint32_t>(most);
    }
  }
  const Json& types = member(member(member(*page, "capabilities"), "thinking"), "types");
  const auto adaptive = supported(types, "adaptive");
  const auto enabled = supported(types, "enabled");
  if (adaptive && enabled) {
    found.thinking = *adaptive ? ThinkingForm::adaptive : *enabled ? ThinkingForm::enabled_budget : ThinkingForm::none;
  }
  found.disabled_thinking = supported(types, "disabled");
  if (found == CapabilityOverrides{}) return std::nullopt;
  return found;
}

}  // namespace drover::providers
