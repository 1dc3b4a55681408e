#include "providers/model_request.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers {
namespace {

/// Bytes of a schema's texts with room for the punctuation around them.
std::size_t rough_size(const Json& value) {
  std::size_t size = 0;
  switch (value.type()) {
    case Json::value_t::object:
      for (const auto& [key, child] : value.items()) size += key.size() + 4 + rough_size(child);
      return size + 2;
    case Json::value_t::array:
      for (const auto& child : value) size += 1 + rough_size(child);
      return size + 2;
    case Json::value_t::string:
      return value.get_ref<const std::string&>().size() + 2;
    default:
      return 5;
  }
}

/// A tool list is mostly English and punctuation: about four bytes a token.
std::size_t tool_tokens(const ToolSet& set) {
  std::size_t bytes = 0;
  for (const auto& tool : set.tools) {
    bytes += tool.name.size() + tool.description.size() + 48 + rough_size(tool.parameters);
  }
  return bytes / 4;
}

/// Anthropic documents width × height / 750 and scales a longer side down to
/// 1568 pixels; OpenAI's tiles come out lower for phone screens.
std::size_t picture_tokens(const Screenshot& picture) {
  double width = std::max(picture.width, 1);
  double height = std::max(picture.height, 1);
  const double longer = std::max(width, height);
  if (longer > 1568) {
    width *= 1568 / longer;
    height *= 1568 / longer;
  }
  return static_cast<std::size_t>(width * height / 750) + 1;
}

}  // namespace

const ToolSpecification* ToolSet::find(std::string_view name) const noexcept {
  for (const auto& tool : tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

std::string_view name_of(Rung rung) noexcept {
  switch (rung) {
    case Rung::automatic:
      return "auto";
    case Rung::forced:
      return "forced";
    case Rung::reminder:
      return "reminder";
    case Rung::structured:
      return "structured";
  }
  return "unknown";
}

std::optional<Rung> rung_from(std::string_view name) noexcept {
  for (const Rung rung : {Rung::automatic, Rung::forced, Rung::reminder, Rung::structured}) {
    if (name_of(rung) == name) return rung;
  }
  return std::nullopt;
}

std::size_t InputEstimate::of(const ModelRequest& request) {
  if (!stable_part_ || tools_ != request.tools || system_prompt_ != request.system_prompt) {
    system_prompt_ = request.system_prompt;
    tools_ = request.tools;
    stable_part_ = 16 + estimate_tokens(system_prompt_) + (tools_ ? tool_tokens(*tools_) : 0);
  }
  std::size_t tokens = *stable_part_ + estimate_tokens(request.user_prompt) + estimate_tokens(request.reminder);
  if (request.screenshot) tokens += picture_tokens(*request.screenshot);
  return tokens;
}

}  // namespace drover::providers
