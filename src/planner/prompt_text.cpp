#include "planner/prompt_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace drover::planner {

namespace {

constexpr std::string_view ellipsis = "…";

struct Clipped {
  std::string_view text;
  bool cut;
};

Clipped clip(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return {text, false};
  std::size_t end = max_bytes > ellipsis.size() ? max_bytes - ellipsis.size() : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return {text.substr(0, end), true};
}

constexpr bool is_plain(char c) noexcept {
  return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '\x7f';
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += digits[byte >> 4U];
  out += digits[byte & 0xFU];
}

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_screen_mark(std::string_view after_bracket) noexcept {
  std::size_t i = 0;
  while (i < after_bracket.size() && (after_bracket[i] == '/' || after_bracket[i] == ' ')) ++i;
  constexpr std::string_view word = "screen";
  if (after_bracket.size() - i < word.size()) return false;
  for (std::size_t k = 0; k < word.size(); ++k)
    if (lower(after_bracket[i + k]) != word[k]) return false;
  return true;
}

}  // namespace

void append_json_text(std::string& out, std::string_view text, std::size_t max_bytes) {
  const auto [kept, cut] = clip(text, max_bytes);
  out += '"';
  std::size_t run = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (is_plain(kept[i])) continue;
    out.append(kept, run, i - run);
    append_escaped(out, kept[i]);
    run = i + 1;
  }
  out.append(kept, run);
  if (cut) out += ellipsis;
  out += '"';
}

void append_json_text_or_null(std::string& out, std::string_view text, std::size_t max_bytes) {
  if (text.empty())
    out += "null";
  else
    append_json_text(out, text, max_bytes);
}

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.append(digits.data(), end);
}

void append_json_scalar(std::string& out, const Json& value, std::size_t max_bytes) {
  switch (value.type()) {
    case Json::value_t::string: append_json_text(out, value.get_ref<const std::string&>(), max_bytes); return;
    case Json::value_t::boolean: out += value.get<bool>() ? "true" : "false"; return;
    case Json::value_t::number_integer: append_number(out, value.get<std::int64_t>()); return;
    case Json::value_t::null:
    case Json::value_t::discarded: out += "null"; return;
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float: out += dump_json(value); return;
    case Json::value_t::array:
    case Json::value_t::object:
    case Json::value_t::binary: append_json_text(out, dump_json(value), max_bytes); return;
  }
}

void append_one_line(std::string& out, std::string_view text, std::size_t max_bytes) {
  const auto [kept, cut] = clip(text, max_bytes);
  for (const char c : kept) out += static_cast<unsigned char>(c) < 0x20 || c == '\x7f' ? ' ' : c;
  if (cut) out += ellipsis;
}

void disarm_screen_marks(std::string& out, std::size_t start) {
  for (auto at = out.find('<', start); at != std::string::npos; at = out.find('<', at + 1))
    if (is_screen_mark(std::string_view{out}.substr(at + 1))) out.replace(at, 1, "‹");
}

}  // namespace drover::planner
