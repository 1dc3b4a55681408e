#include "net/http_message.hpp"

#include <algorithm>

namespace drover::net {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const auto& field) { return same_name(field.first, name); });
  add(name, std::move(value));
}

void Headers::add(std::string_view name, std::string value) { fields_.emplace_back(name, std::move(value)); }

std::string_view Headers::get(std::string_view name) const noexcept {
  for (const auto& [known, value] : fields_) {
    if (same_name(known, name)) return value;
  }
  return {};
}

bool Headers::has(std::string_view name) const noexcept {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return same_name(field.first, name); });
}

}  // namespace drover::net
