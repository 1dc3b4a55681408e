#include "providers/tool_arguments.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include "core/text.hpp"

namespace drover::providers {
namespace {

std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view white = " \t\r\n";
  const auto first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// What a schema says a value is; empty where it says nothing or several things.
std::string_view type_in(const Json& schema) {
  const Json& type = member(schema, "type");
  if (type.is_string()) return type.get_ref<const std::string&>();
  if (!type.is_array()) return {};
  std::string_view found;
  for (const auto& one : type) {
    if (!one.is_string() || one == "null") continue;
    if (!found.empty() || one == "string") return {};
    found = one.get_ref<const std::string&>();
  }
  return found;
}

bool coerce_text(Json& value, std::string_view type) {
  const std::string_view text = trim(value.get_ref<const std::string&>());
  if (text.empty()) return false;
  const char* const end = text.data() + text.size();
  if (type == "integer") {
    std::int64_t number = 0;
    const auto [at, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc{} || at != end) return false;
    value = number;
    return true;
  }
  if (type == "number") {
    double number = 0;
    const auto [at, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc{} || at != end) return false;
    value = number;
    return true;
  }
  if (type == "boolean") {
    const auto word = to_lower_ascii(text);
    if (word != "true" && word != "false") return false;
    value = word == "true";
    return true;
  }
  if (type == "object" || type == "array") {
    auto parsed = parse_json(text, "argument");
    if (!parsed || (type == "object" ? !parsed->is_object() : !parsed->is_array())) return false;
    value = std::move(*parsed);
    return true;
  }
  return false;
}

}  // namespace

std::optional<Json> read_tool_arguments(const Json& value) {
  if (value.is_object()) return value;
  if (value.is_null()) return Json::object();
  if (!value.is_string()) return std::nullopt;
  std::string text = value.get<std::string>();
  for (int layer = 0; layer < 3; ++layer) {
    const auto inside = trim(text);
    if (inside.empty()) return Json::object();
    auto parsed = parse_json(inside, "tool arguments");
    if (!parsed) return std::nullopt;
    if (parsed->is_object()) return std::move(*parsed);
    if (parsed->is_null()) return Json::object();
    if (!parsed->is_string()) return std::nullopt;
    text = parsed->get<std::string>();
  }
  return std::nullopt;
}

bool coerce_to_schema(Json& arguments, const Json& schema) {
  if (!arguments.is_object()) return false;
  const Json& properties = member(schema, "properties");
  if (!properties.is_object()) return false;
  bool changed = false;
  for (const auto& [key, property] : properties.items()) {
    const auto at = arguments.find(key);
    if (at == arguments.end()) continue;
    const auto type = type_in(property);
    if (at->is_string() && !type.empty() && type != "string") changed = coerce_text(*at, type) || changed;
    if (at->is_number_float() && type == "integer") {
      const double number = at->get<double>();
      if (number > -1e15 && number < 1e15 && number == static_cast<double>(static_cast<std::int64_t>(number))) {
        *at = static_cast<std::int64_t>(number);
        changed = true;
      }
    }
    if (at->is_object()) changed = coerce_to_schema(*at, property) || changed;
  }
  return changed;
}

}  // namespace drover::providers
