#include "core/json_writer.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/text.hpp"

namespace drover {
namespace {

/// A bit in each of eight bytes from the first that is a control character, a quote
/// or a backslash; what stands behind the first is not to be trusted.
std::uint64_t escapes_in(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = 0x8080808080808080ULL;
  const auto zeroes = [](std::uint64_t word) { return (word - ones) & ~word & highs; };
  const std::uint64_t below_space = (bytes - ones * 0x20) & ~bytes & highs;
  return below_space | zeroes(bytes ^ ones * '"') | zeroes(bytes ^ ones * '\\');
}

/// From `at`, the place of the first byte that JSON wants escaped, or the end.
std::size_t next_escape(std::string_view value, std::size_t at) noexcept {
  static_assert(std::endian::native == std::endian::little);
  for (; at + 8 <= value.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, value.data() + at, 8);
    if (const auto found = escapes_in(eight); found != 0)
      return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
  }
  while (at < value.size()) {
    const auto c = static_cast<unsigned char>(value[at]);
    if (c < 0x20 || c == '"' || c == '\\') break;
    ++at;
  }
  return at;
}

void append_escaped(std::string_view value, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::size_t written = 0;
  for (std::size_t i = next_escape(value, 0); i < value.size(); i = next_escape(value, written)) {
    out.append(value, written, i - written);
    written = i + 1;
    const auto c = static_cast<unsigned char>(value[i]);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += "\\u00";
        out += digits[c >> 4];
        out += digits[c & 15];
    }
  }
  out.append(value, written);
}

template <class Number>
void append_number(Number value, std::string& out) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), end);
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ':';
  needs_comma_ = false;
}

void JsonWriter::text(std::string_view value) {
  comma();
  out_ += '"';
  if (is_valid_utf8(value)) {
    append_escaped(value, out_);
  } else {
    append_escaped(repair_utf8(value), out_);
  }
  out_ += '"';
  needs_comma_ = true;
}

void JsonWriter::integer(std::int64_t value) {
  comma();
  append_number(value, out_);
  needs_comma_ = true;
}

void JsonWriter::unsigned_integer(std::uint64_t value) {
  comma();
  append_number(value, out_);
  needs_comma_ = true;
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) {
    null();
    return;
  }
  comma();
  append_number(value, out_);
  needs_comma_ = true;
}

void JsonWriter::boolean(bool value) { raw(value ? "true" : "false"); }

void JsonWriter::null() { raw("null"); }

void JsonWriter::raw(std::string_view json) {
  comma();
  out_ += json;
  needs_comma_ = true;
}

void JsonWriter::time(UtcTime value) {
  comma();
  out_ += '"';
  append_iso8601(value, out_);
  out_ += '"';
  needs_comma_ = true;
}

}  // namespace drover
