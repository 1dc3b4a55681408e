#include "providers/model_listing.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "core/json.hpp"
#include "providers/endpoint.hpp"

namespace drover::providers {
namespace {

constexpr std::uint64_t least_output_tokens = 16;

/// As a part of a path (RFC 3986): all but unreserved characters are encoded.
std::string percent_encoded(std::string_view text) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
    } else {
      encoded += '%';
      encoded += digits[byte >> 4];
      encoded += digits[byte & 15];
    }
  }
  return encoded;
}

/// Ollama's own interface stands beside the compatible one, not below it.
std::string without_version(std::string base_url) {
  while (base_url.ends_with('/')) base_url.pop_back();
  if (base_url.ends_with("/v1")) base_url.resize(base_url.size() - 3);
  return base_url;
}

std::optional<std::uint32_t> output_limit(const Json& limit) {
  if (!limit.is_number_unsigned()) return std::nullopt;
  const auto most = limit.get<std::uint64_t>();
  if (most < least_output_tokens || most > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(most);
}

bool lists(const Json& list, std::string_view word) {
  return list.is_array() && std::any_of(list.begin(), list.end(), [&](const Json& each) {
           return each.is_string() && each.get_ref<const std::string&>() == word;
         });
}

std::optional<bool> supported(const Json& types, const char* type) {
  const Json& flag = member(member(types, type), "supported");
  if (!flag.is_boolean()) return std::nullopt;
  return flag.get<bool>();
}

CapabilityOverrides read_anthropic(const Json& page) {
  CapabilityOverrides found;
  found.max_output_tokens = output_limit(member(page, "max_tokens"));
  const Json& types = member(member(member(page, "capabilities"), "thinking"), "types");
  const auto adaptive = supported(types, "adaptive");
  const auto enabled = supported(types, "enabled");
  if (adaptive && enabled) {
    found.thinking = *adaptive ? ThinkingForm::adaptive : *enabled ? ThinkingForm::enabled_budget : ThinkingForm::none;
  }
  found.disabled_thinking = supported(types, "disabled");
  return found;
}

CapabilityOverrides read_openrouter(const Json& page) {
  CapabilityOverrides found;
  const Json& model = member(page, "data");
  const Json& modalities = member(member(model, "architecture"), "input_modalities");
  if (modalities.is_array() && !modalities.empty()) found.vision = lists(modalities, "image");
  const Json& endpoints = member(model, "endpoints");
  if (!endpoints.is_array() || endpoints.empty()) return found;
  const auto all_take = [&](std::string_view parameter) {
    return std::all_of(endpoints.begin(), endpoints.end(),
                       [&](const Json& each) { return lists(member(each, "supported_parameters"), parameter); });
  };
  // Requests with tools go only to servers that take them.
  found.function_tools = std::any_of(endpoints.begin(), endpoints.end(), [](const Json& each) {
    return lists(member(each, "supported_parameters"), "tools");
  });
  found.forced_choice = *found.function_tools && all_take("tool_choice");
  found.parallel_calls_parameter = all_take("parallel_tool_calls");
  found.structured_output = all_take("structured_outputs");
  for (const auto& endpoint : endpoints) {
    const auto most = output_limit(member(endpoint, "max_completion_tokens"));
    if (most) found.max_output_tokens = std::min(*most, found.max_output_tokens.value_or(*most));
  }
  return found;
}

CapabilityOverrides read_ollama(const Json& page) {
  CapabilityOverrides found;
  const Json& words = member(page, "capabilities");
  if (!lists(words, "completion")) return found;
  found.vision = lists(words, "vision");
  found.function_tools = lists(words, "tools");
  return found;
}

}  // namespace

std::optional<net::HttpRequest> page_request(ModelPage page, const net::HttpRequest& prototype,
                                             const std::string& base_url, const std::string& model) {
  net::HttpRequest request = prototype;
  request.method = "GET";
  switch (page) {
    case ModelPage::none:
      return std::nullopt;
    case ModelPage::anthropic:
      request.target = endpoint_url(base_url, "/v1/models/" + percent_encoded(model));
      return request;
    case ModelPage::openrouter: {
      const auto slash = model.find('/');
      if (slash == std::string::npos) return std::nullopt;
      request.target = endpoint_url(base_url, "/v1/models/" + percent_encoded(model.substr(0, slash)) + "/" +
                                                  percent_encoded(model.substr(slash + 1)) + "/endpoints");
      return request;
    }
    case ModelPage::ollama:
      request.method = "POST";
      request.target = without_version(base_url) + "/api/show";
      request.body = dump_json(Json{{"model", model}});
      return request;
  }
  return std::nullopt;
}

std::optional<CapabilityOverrides> overrides_of_page(ModelPage page, const net::HttpResponse& response) {
  if (response.status != 200) return std::nullopt;
  const auto body = parse_json(response.body, "the page of a model");
  if (!body.ok() || !body->is_object()) return std::nullopt;
  const auto found = page == ModelPage::anthropic    ? read_anthropic(*body)
                     : page == ModelPage::openrouter ? read_openrouter(*body)
                     : page == ModelPage::ollama     ? read_ollama(*body)
                                                     : CapabilityOverrides{};
  if (found == CapabilityOverrides{}) return std::nullopt;
  return found;
}

}  // namespace drover::providers
