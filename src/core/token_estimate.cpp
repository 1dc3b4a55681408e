#include <array>
#include <cstdint>

#include "core/text.hpp"

namespace drover {
namespace {

enum class ByteClass : std::uint8_t { lower, upper, digit, space, line_break, mark, continuation, lead2, lead3, lead4 };

constexpr std::array<ByteClass, 256> make_byte_classes() {
  std::array<ByteClass, 256> classes{};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i >= 'a' && i <= 'z') {
      classes[i] = ByteClass::lower;
    } else if (i >= 'A' && i <= 'Z') {
      classes[i] = ByteClass::upper;
    } else if (i >= '0' && i <= '9') {
      classes[i] = ByteClass::digit;
    } else if (i == ' ' || i == '\t') {
      classes[i] = ByteClass::space;
    } else if (i == '\n' || i == '\r') {
      classes[i] = ByteClass::line_break;
    } else if (i < 0x80) {
      classes[i] = ByteClass::mark;
    } else if (i < 0xC0) {
      classes[i] = ByteClass::continuation;
    } else if (i < 0xE0) {
      classes[i] = ByteClass::lead2;
    } else if (i < 0xF0) {
      classes[i] = ByteClass::lead3;
    } else {
      classes[i] = ByteClass::lead4;
    }
  }
  return classes;
}

constexpr auto byte_classes = make_byte_classes();

// Weights are in 1/16 of a token.
constexpr std::uint64_t unit = 16;

/// A run of letters of one word part: common words are one token up to about
/// eight letters, longer ones split every four or five.
constexpr std::uint64_t word_weight(std::size_t letters) {
  if (letters <= 6) return unit;
  return unit + (letters - 6) * 3;
}

}  // namespace

std::size_t estimate_tokens(std::string_view text) noexcept {
  std::uint64_t weight = 0;
  std::size_t i = 0;
  const std::size_t size = text.size();
  const auto class_at = [&](std::size_t at) { return byte_classes[static_cast<unsigned char>(text[at])]; };
  while (i < size) {
    const std::size_t start = i;
    switch (class_at(i)) {
      case ByteClass::upper:
        while (i < size && class_at(i) == ByteClass::upper) ++i;
        if (i - start > 1) {
          weight += unit + (i - start - 2) * 5;
          break;
        }
        [[fallthrough]];
      case ByteClass::lower:
        while (i < size && class_at(i) == ByteClass::lower) ++i;
        weight += word_weight(i - start);
        break;
      case ByteClass::digit:
        while (i < size && class_at(i) == ByteClass::digit) ++i;
        weight += (i - start + 2) / 3 * unit;
        break;
      case ByteClass::space:
        while (i < size && class_at(i) == ByteClass::space) ++i;
        if (i - start > 1) weight += unit;
        break;
      case ByteClass::line_break:
        while (i < size && class_at(i) == ByteClass::line_break) ++i;
        weight += unit;
        break;
      case ByteClass::mark:
        while (i < size && class_at(i) == ByteClass::mark) ++i;
        weight += unit + (i - start - 1) * 6;
        break;
      case ByteClass::continuation: ++i; break;
      case ByteClass::lead2: ++i; weight += 9; break;
      case ByteClass::lead3: ++i; weight += 14; break;
      case ByteClass::lead4: ++i; weight += 2 * unit; break;
    }
  }
  return static_cast<std::size_t>((weight + unit - 1) / unit);
}

}  // namespace drover
