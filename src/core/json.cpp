#include "core/json.hpp"

#include <cmath>
#include <limits>

#include "core/text.hpp"

namespace drover {
namespace {

constexpr int max_nesting = 512;

bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > max_nesting) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

/// nlohmann's sentence without its library prefix.
std::string cause_of(const nlohmann::json::exception& exception) {
  std::string_view sentence = exception.what();
  if (const auto end_of_prefix = sentence.find("] "); end_of_prefix != std::string_view::npos) {
    sentence.remove_prefix(end_of_prefix + 2);
  }
  return shorten(repair_utf8(sentence), 240);
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view what) {
  if (nests_too_deep(text)) {
    return Error{Errc::malformed, std::string(what) + " nests deeper than " + std::to_string(max_nesting) + " levels",
                 ""};
  }
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::exception& exception) {
    return Error{Errc::malformed, std::string(what) + " is not JSON: " + cause_of(exception), ""};
  }
}

std::string dump_json(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

const Json& member(const Json& object, std::string_view key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string text_or(const Json& object, std::string_view key, std::string_view fallback) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get_ref<const std::string&>() : std::string(fallback);
}

std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
               ? fallback
               : static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::abs(number) <= 9.0e15) return static_cast<std::int64_t>(number);
  }
  return fallback;
}

std::uint64_t count_or(const Json& object, std::string_view key, std::uint64_t fallback, std::uint64_t highest) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number <= highest ? number : fallback;
  }
  const std::int64_t number = integer_or(object, key, -1);
  return number >= 0 && static_cast<std::uint64_t>(number) <= highest ? static_cast<std::uint64_t>(number) : fallback;
}

std::uint32_t small_count_or(const Json& object, std::string_view key, std::uint32_t fallback) {
  return static_cast<std::uint32_t>(count_or(object, key, fallback, UINT32_MAX));
}

double number_or(const Json& object, std::string_view key, double fallback) {
  const Json& value = member(object, key);
  return value.is_number() ? value.get<double>() : fallback;
}

std::optional<bool> optional_boolean(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (!value.is_boolean()) return std::nullopt;
  return value.get<bool>();
}

bool boolean_or(const Json& object, std::string_view key, bool fallback) {
  return optional_boolean(object, key).value_or(fallback);
}

}  // namespace drover
