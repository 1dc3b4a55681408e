#include "planner/prompt_text.hpp"

#include <array>
#include <charconv>

#include "core/json_writer.hpp"

namespace drover::planner {

namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::string_view bracket_escape = "\\u003c";

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
  const auto start = out.size();
  JsonWriter{out}.text(kept);
  if (cut) out.insert(out.size() - 1, ellipsis);
  if (kept.find('<') == std::string_view::npos) return;
  for (auto at = out.find('<', start); at != std::string::npos; at = out.find('<', at))
    out.replace(at, 1, bracket_escape);
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
    case Json::value_t::string:
      append_json_text(out, value.get_ref<const std::string&>(), max_bytes);
      return;
    case Json::value_t::boolean:
      out += value.get<bool>() ? "true" : "false";
      return;
    case Json::value_t::number_integer:
      append_number(out, value.get<std::int64_t>());
      return;
    case Json::value_t::null:
    case Json::value_t::discarded:
      out += "null";
      return;
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      out += dump_json(value);
      return;
    case Json::value_t::array:
    case Json::value_t::object:
    case Json::value_t::binary:
      append_json_text(out, dump_json(value), max_bytes);
      return;
  }
}

void append_one_line(std::string& out, std::string_view text, std::size_t max_bytes) {
  const auto [kept, cut] = clip(text, max_bytes);
  for (const char c : kept) out += static_cast<unsigned char>(c) < 0x20 || c == '\x7f' ? ' ' : c;
  if (cut) out += ellipsis;
}

void disarm_screen_marks(std::string& out, std::size_t start) {
  for (auto at = out.find('<', start); at != std::string::npos; at = out.find('<', at + 1))
    if (is_screen_mark(std::string_view{out}.substr(at + 1))) out.replace(at, 1, bracket_escape);
}

}  // namespace drover::planner
