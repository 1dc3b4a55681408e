#include "providers/service_address.hpp"

#include "providers/model_capabilities.hpp"

namespace drover::providers {
namespace {

std::string_view last_part_of(WireFormat format) noexcept {
  switch (format) {
    case WireFormat::anthropic:
      return "/messages";
    case WireFormat::openai_chat:
      return "/chat/completions";
    case WireFormat::openai_responses:
      return "/responses";
  }
  return "";
}

}  // namespace

WireFormat format_for(const ModelService& service, bool own_address, std::string_view model) {
  if (service.format) return *service.format;
  const bool vendor = own_address || service.base_url.empty();
  return vendor && is_openai_reasoning_model(model) ? WireFormat::openai_responses : WireFormat::openai_chat;
}

std::string path_for(const ModelService& service, WireFormat format, std::string_view model,
                     std::string_view api_version) {
  if (service.kind != "azure") return std::string(service.path);
  const std::string last{last_part_of(format)};
  if (api_version.empty()) return "/openai/v1" + last;
  const std::string version = "?api-version=" + std::string(api_version);
  if (format == WireFormat::openai_responses) return "/openai" + last + version;
  return "/openai/deployments/" + std::string(model) + last + version;
}

}  // namespace drover::providers
