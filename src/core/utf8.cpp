#include "core/utf8.hpp"

#include <cstdint>
#include <cstring>

#include "core/text.hpp"

namespace drover {
namespace {

constexpr char32_t replacement = 0xFFFD;

unsigned char byte_at(std::string_view text, std::size_t at) noexcept {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0) == 0x80; }

/// How many bytes from `at` are ASCII; eight are looked at together.
std::size_t ascii_run(std::string_view text, std::size_t at) noexcept {
  std::size_t i = at;
  while (i + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080ULL) != 0) break;
    i += 8;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
  return i - at;
}

bool is_replaced_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n'; }

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) noexcept {
  const unsigned char lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1, true};
  const unsigned char second = byte_at(text, at + 1);
  if (lead >= 0xC2 && lead <= 0xDF) {
    if (!is_continuation(second)) return {replacement, 1, false};
    return {static_cast<char32_t>((lead & 0x1F) << 6 | (second & 0x3F)), 2, true};
  }
  const unsigned char third = byte_at(text, at + 2);
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!is_continuation(second) || (lead == 0xE0 && second < 0xA0)) return {replacement, 1, false};
    if (!is_continuation(third)) return {replacement, lead == 0xED && second >= 0xA0 ? 1U : 2U, false};
    if (lead == 0xED && second >= 0xA0) return {replacement, 3, false};
    return {static_cast<char32_t>((lead & 0x0F) << 12 | (second & 0x3F) << 6 | (third & 0x3F)), 3, true};
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const bool second_fits =
        is_continuation(second) && !(lead == 0xF0 && second < 0x90) && !(lead == 0xF4 && second > 0x8F);
    if (!second_fits) return {replacement, 1, false};
    if (!is_continuation(third)) return {replacement, 2, false};
    const unsigned char fourth = byte_at(text, at + 3);
    if (!is_continuation(fourth)) return {replacement, 3, false};
    return {static_cast<char32_t>((lead & 0x07) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | (fourth & 0x3F)),
            4, true};
  }
  return {replacement, 1, false};
}

void append_utf8(char32_t code_point, std::string& out) {
  const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
    put(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | code_point >> 18);
    put(0x80 | (code_point >> 12 & 0x3F));
    put(0x80 | (code_point >> 6 & 0x3F));
    put(0x80 | (code_point & 0x3F));
  }
}

bool is_valid_utf8(std::string_view bytes) noexcept {
  std::size_t i = 0;
  while (true) {
    i += ascii_run(bytes, i);
    if (i >= bytes.size()) return true;
    const CodePoint next = decode_utf8(bytes, i);
    if (!next.well_formed) return false;
    i += next.bytes;
  }
}

std::string repair_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  std::size_t i = 0;
  while (true) {
    const std::size_t run = ascii_run(bytes, i);
    const std::size_t start = out.size();
    out.append(bytes, i, run);
    char* const copied = out.data() + start;
    for (std::size_t k = 0; k < run; ++k) copied[k] = is_replaced_control(copied[k]) ? ' ' : copied[k];
    i += run;
    if (i >= bytes.size()) return out;
    const CodePoint next = decode_utf8(bytes, i);
    if (next.well_formed) {
      out.append(bytes, i, next.bytes);
    } else {
      append_utf8(replacement, out);
    }
    i += next.bytes;
  }
}

}  // namespace drover
