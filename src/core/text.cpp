#include "core/text.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/utf8.hpp"

namespace drover {
namespace {

constexpr char32_t zero_width_joiner = 0x200D;
constexpr char32_t emoji_variation = 0xFE0F;

bool is_invisible(char32_t c) noexcept {
  return c == 0x00AD || c == 0x061C || c == 0x180E || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFC);
}

bool is_space(char32_t c) noexcept {
  return c <= 0x20 || c == 0x7F || (c >= 0x80 && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_emoji(char32_t c) noexcept {
  return c >= 0x1F000 || (c >= 0x2190 && c <= 0x2BFF) || c == emoji_variation || c == 0x3030 || c == 0x303D;
}

bool is_tidy_ascii(std::string_view text) noexcept {
  bool after_space = true;
  for (const char c : text) {
    if (c < 0x20 || c == 0x7F) return false;
    if (c == ' ' && after_space) return false;
    after_space = c == ' ';
  }
  return text.empty() || !after_space;
}

char32_t fold(char32_t c) noexcept {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE) return c == 0xD7 ? c : c + 32;
  if (c == 0x130 || c == 0x131) return U'i';
  if (c == 0x178) return 0xFF;
  if (c == 0x17F) return U's';
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) || (c >= 0x1DE && c <= 0x1EF) ||
      (c >= 0x1F8 && c <= 0x21F) || (c >= 0x222 && c <= 0x233) || (c >= 0x460 && c <= 0x481) ||
      (c >= 0x48A && c <= 0x4BF) || (c >= 0x4D0 && c <= 0x52F) || (c >= 0x1E00 && c <= 0x1E95) ||
      (c >= 0x1EA0 && c <= 0x1EFF)) {
    return c | 1U;
  }
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E) || (c >= 0x1CD && c <= 0x1DC)) {
    return c % 2 == 1 ? c + 1 : c;
  }
  if (c == 0x1A0 || c == 0x1AF) return c + 1;
  if (c == 0x386) return 0x3AC;
  if (c >= 0x388 && c <= 0x38A) return c + 37;
  if (c == 0x38C) return 0x3CC;
  if (c == 0x38E || c == 0x38F) return c + 63;
  if (c >= 0x391 && c <= 0x3AB) return c + 32;
  if (c == 0x3C2) return 0x3C3;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  if (c >= 0x531 && c <= 0x556) return c + 48;
  if (c == 0x1E9E) return 0xDF;
  if (c >= 0xFF21 && c <= 0xFF3A) return c + 32;
  return c;
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint next = decode_utf8(text, i);
    out.push_back(next.value);
    i += next.bytes;
  }
  return out;
}

}  // namespace

std::string shorten(std::string_view text, std::size_t max_bytes) {
  constexpr std::string_view mark = "…";
  if (text.size() <= max_bytes) return std::string(text);
  const bool has_mark = max_bytes >= mark.size();
  std::size_t end = has_mark ? max_bytes - mark.size() : max_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::string out(text.substr(0, end));
  if (has_mark) out += mark;
  return out;
}

std::string tidy_label(std::string_view text) {
  if (is_tidy_ascii(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  bool space_pending = false;
  char32_t last = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint next = decode_utf8(text, i);
    i += next.bytes;
    if (is_space(next.value)) {
      space_pending = !out.empty();
      last = U' ';
      continue;
    }
    if (is_invisible(next.value)) {
      const bool joins_emoji =
          next.value == zero_width_joiner && is_emoji(last) && i < text.size() && is_emoji(decode_utf8(text, i).value);
      if (!joins_emoji) continue;
    }
    if (space_pending) out += ' ';
    space_pending = false;
    append_utf8(next.value, out);
    last = next.value;
  }
  return out;
}

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return out;
}

std::string fold_case(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint next = decode_utf8(text, i);
    i += next.bytes;
    append_utf8(fold(next.value), out);
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto from = code_points(a);
  const auto to = code_points(b);
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> before_last(width);
  std::vector<std::size_t> last(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t cost = from[i - 1] == to[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[to.size()];
}

}  // namespace drover
