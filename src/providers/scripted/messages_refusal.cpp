#include "providers/scripted/messages_refusal.hpp"

#include <utility>

namespace drover::providers::scripted {

namespace {

constexpr std::size_t longest_tool_name = 128;

}  // namespace

Refusal refuse(std::string message) {
  Refusal refusal;
  refusal.message = std::move(message);
  return refusal;
}

std::string item_path(std::string_view list, std::size_t index) {
  return std::string{list} + "." + std::to_string(index);
}

std::optional<Refusal> check_tool_name(std::string_view name, const std::string& path) {
  if (is_tool_name(name, longest_tool_name)) return std::nullopt;
  return refuse(path + ".name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
}

}  // namespace drover::providers::scripted
