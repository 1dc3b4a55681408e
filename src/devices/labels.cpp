#include "devices/labels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/text.hpp"

namespace drover::devices {

namespace {

unsigned byte_at(std::string_view text, std::size_t at) noexcept { return static_cast<unsigned char>(text[at]); }

// Eight bytes of printable ASCII without a space. A borrow or a carry comes only from
// a byte that is none.
bool is_plain_word(const char* at) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return ((word | (word - 0x21 * ones) | (word + ones)) & (0x80 * ones)) == 0;
}

// Printable ASCII, no space at an end and no two in a row: nothing to tidy.
bool is_tidy_ascii(std::string_view text) noexcept {
  char last = ' ';
  for (std::size_t i = 0; i < text.size();) {
    if (i + 8 <= text.size() && is_plain_word(text.data() + i)) {
      i += 8;
      last = text[i - 1];
      continue;
    }
    for (const auto end = std::min(i + 8, text.size()); i < end; ++i) {
      const char c = text[i];
      if (c < 0x20 || c > 0x7E || (c == ' ' && last == ' ')) return false;
      last = c;
    }
  }
  return last != ' ';
}

// The code unit of a surrogate written as three bytes; 0 where there is none.
unsigned surrogate_at(std::string_view text, std::size_t at) noexcept {
  if (at + 2 >= text.size() || byte_at(text, at) != 0xED || byte_at(text, at + 1) < 0xA0) return 0;
  return 0xD000U | ((byte_at(text, at + 1) & 0x3FU) << 6) | (byte_at(text, at + 2) & 0x3FU);
}

// Older phones write "&#55357;&#56842;" for one emoji.
std::string join_surrogates(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    auto high = surrogate_at(text, i);
    auto low = high >= 0xD800 && high < 0xDC00 ? surrogate_at(text, i + 3) : 0;
    if (low < 0xDC00) {
      out.push_back(text[i++]);
      continue;
    }
    auto code = 0x10000U + ((high - 0xD800U) << 10) + (low - 0xDC00U);
    out.push_back(static_cast<char>(0xF0U | (code >> 18)));
    out.push_back(static_cast<char>(0x80U | ((code >> 12) & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | ((code >> 6) & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | (code & 0x3FU)));
    i += 6;
  }
  return out;
}

bool is_word_byte(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Glyphs of icon fonts: U+E000 to U+F8FF and the two planes for private use.
bool is_glyphs_only(std::string_view text) noexcept {
  if (text.empty() || byte_at(text, 0) < 0xEE) return false;
  for (std::size_t i = 0; i < text.size();) {
    auto lead = byte_at(text, i);
    if (lead == ' ') {
      ++i;
      continue;
    }
    bool private_use = i + 1 < text.size() && (lead == 0xEE || (lead == 0xEF && byte_at(text, i + 1) < 0xA4));
    bool private_plane =
        i + 1 < text.size() && (lead == 0xF3 || lead == 0xF4) && byte_at(text, i + 1) >= (lead == 0xF3 ? 0xB0U : 0x80U);
    if (private_use)
      i += 3;
    else if (private_plane)
      i += 4;
    else
      return false;
  }
  return true;
}

}  // namespace

bool is_blank(std::string_view raw) noexcept {
  for (char c : raw) {
    if (static_cast<unsigned char>(c) > 0x20) return false;
  }
  return true;
}

std::string clean_label(std::string_view raw) {
  // Bytes behind the limit need no look, but a code point must not be split.
  if (raw.size() > 4 * max_label_bytes) raw = raw.substr(0, 4 * max_label_bytes);
  if (raw.size() <= max_label_bytes && is_tidy_ascii(raw)) return std::string{raw};
  auto text = raw.find('\xED') == std::string_view::npos ? tidy_label(repair_utf8(raw))
                                                         : tidy_label(repair_utf8(join_surrogates(raw)));
  if (text.size() > max_label_bytes) text = shorten(text, max_label_bytes);
  return text;
}

std::string_view clean_label(std::string_view raw, std::string& buffer) {
  if (raw.size() <= max_label_bytes && is_tidy_ascii(raw)) return raw;
  buffer = clean_label(raw);
  return buffer;
}

bool holds_words(std::string_view label, std::string_view piece) noexcept {
  if (piece.empty()) return true;
  for (auto at = label.find(piece); at != std::string_view::npos; at = label.find(piece, at + 1)) {
    bool begins = at == 0 || !is_word_byte(label[at - 1]) || !is_word_byte(piece.front());
    auto behind = at + piece.size();
    bool ends = behind == label.size() || !is_word_byte(label[behind]) || !is_word_byte(piece.back());
    if (begins && ends) return true;
  }
  return false;
}

void join_label(std::string& label, std::string_view piece) {
  if (piece.empty()) return;
  if (label.empty()) {
    label = piece;
    return;
  }
  if (is_glyphs_only(piece)) return;
  if (is_glyphs_only(label)) {
    label = piece;
    return;
  }
  if (holds_words(label, piece)) return;
  if (holds_words(piece, label) && piece.size() <= max_label_bytes) {
    label = piece;
    return;
  }
  if (label.size() + 2 + piece.size() > max_label_bytes) return;
  label.append(", ").append(piece);
}

void mask_words(std::string& label, std::string_view secret) {
  if (secret.empty() || !holds_words(label, secret)) return;
  for (auto found = label.find(secret); found != std::string::npos;
       found = label.find(secret, found + password_mask.size())) {
    label.replace(found, secret.size(), password_mask);
  }
}

bool ConcatenationCheck::take(std::string_view part) noexcept {
  if (part.empty()) return true;
  auto at = rest_.find(part);
  if (at == std::string_view::npos) return false;
  for (std::size_t i = 0; i < at; ++i) {
    if (is_word_byte(rest_[i]) || byte_at(rest_, i) >= 0x80) return false;
  }
  rest_.remove_prefix(at + part.size());
  return true;
}

bool ConcatenationCheck::complete() const noexcept {
  for (char c : rest_) {
    if (is_word_byte(c) || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

}  // namespace drover::devices
