#include "providers/scripted/model_call.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers::scripted {

bool is_tool_name(std::string_view name, std::size_t longest) noexcept {
  if (name.empty() || name.size() > longest) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string unknown_members(const Json& object, std::string_view known) {
  std::string names;
  int count = 0;
  for (const auto& [key, value] : object.items()) {
    const auto padded = " " + key + " ";
    if ((" " + std::string{known} + " ").find(padded) != std::string::npos) continue;
    if (++count > 3) break;
    if (!names.empty()) names += ", ";
    names += shorten(repair_utf8(key), 60);
  }
  return names;
}

}  // namespace drover::providers::scripted
