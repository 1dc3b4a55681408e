#include "core/simulation.hpp"

#include <charconv>
#include <cstdio>

namespace drover {
namespace {

constexpr std::string_view phone_prefix = "phone-";

template <class Number>
std::optional<Number> number_from(std::string_view digits) {
  Number number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string simulated_phone_name(std::uint32_t number, std::uint32_t count) {
  const int digits = count < 100 ? 2 : count < 1000 ? 3 : count < 10'000 ? 4 : 5;
  char text[24];
  std::snprintf(text, sizeof text, "phone-%0*u", digits, number);
  return text;
}

std::optional<std::string> find_simulated_phone(std::string_view name, std::uint32_t count) {
  if (!name.starts_with(phone_prefix)) return std::nullopt;
  const auto number = number_from<std::uint32_t>(name.substr(phone_prefix.size()));
  if (!number || *number == 0 || *number > count) return std::nullopt;
  return simulated_phone_name(*number, count);
}

std::optional<LostPhone> parse_lost_phone(std::string_view text) {
  const std::size_t at = text.rfind('@');
  LostPhone lost{std::string(text.substr(0, at)), 1};
  if (at != std::string_view::npos) {
    const auto operation = number_from<std::uint64_t>(text.substr(at + 1));
    if (!operation || *operation == 0) return std::nullopt;
    lost.operation = *operation;
  }
  if (lost.id.empty()) return std::nullopt;
  return lost;
}

}  // namespace drover
