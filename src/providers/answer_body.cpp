#include "providers/answer_body.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers {
namespace {

constexpr std::size_t longest_text = std::size_t{256} << 10;

int hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The value of the four digits of a \u escape that starts at `at`; -1 when there is none.
int escape_at(std::string_view text, std::size_t at) noexcept {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int value = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool is_high(int unit) noexcept { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low(int unit) noexcept { return unit >= 0xdc00 && unit < 0xe000; }

/// Lone surrogate escapes replaced by \ufffd. Works on well-formed JSON text: a
/// backslash is always the first byte of an escape.
std::string without_lone_surrogates(std::string text) {
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const int unit = escape_at(text, at);
    if (unit < 0) {
      at += 2;
    } else if (is_high(unit) && is_low(escape_at(text, at + 6))) {
      at += 12;
    } else {
      if (is_high(unit) || is_low(unit)) text.replace(at + 2, 4, "fffd");
      at += 6;
    }
    if (at >= text.size()) break;
  }
  return text;
}

}  // namespace

Result<Json> parse_answer_body(std::string_view body) {
  auto parsed = parse_json(body, "the answer");
  if (parsed || body.find_first_of("{[") == std::string_view::npos) return parsed;
  auto repaired = parse_json(without_lone_surrogates(repair_utf8(body)), "the answer");
  return repaired ? repaired : parsed;
}

std::string describe_body(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "an empty body";
  body.remove_prefix(first);
  if (body.front() == '<') return "an HTML page";
  if (body.starts_with("data:") || body.starts_with("event:")) return "an event stream";
  return "no JSON";
}

std::string split_think_prefix(std::string& text) {
  constexpr std::string_view open = "<think>";
  constexpr std::string_view close = "</think>";
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  // Some templates put the opening mark into the prompt, so that only the end comes back.
  const bool opened = std::string_view(text).substr(first).starts_with(open);
  const auto end = text.find(close);
  if (!opened && end == std::string::npos) return "";
  const auto start = opened ? first + open.size() : first;
  std::string thinking = text.substr(start, end == std::string::npos ? end : end - start);
  text = end == std::string::npos ? "" : text.substr(end + close.size());
  const auto trim = [](std::string& value) {
    const auto from = value.find_first_not_of(" \t\r\n");
    if (from == std::string::npos) {
      value.clear();
      return;
    }
    value = value.substr(from, value.find_last_not_of(" \t\r\n") - from + 1);
  };
  trim(thinking);
  trim(text);
  return thinking;
}

std::uint64_t token_count(const Json& object, std::string_view key) {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(integer_or(object, key), 0, 1'000'000'000));
}

std::string model_text(std::string_view text) { return repair_utf8(shorten(text, longest_text)); }

}  // namespace drover::providers
