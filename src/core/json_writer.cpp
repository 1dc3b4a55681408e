#include "core/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "core/text.hpp"

namespace drover {
namespace {

/// Whether one of eight bytes is a control character, a quote or a backslash.
bool holds_escape(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101ULL;
  constexpr std::uint64_t highs = 0x8080808080808080ULL;
  const auto holds_zero = [](std::uint64_t word) { return (word - ones) & ~word & highs; };
  const std::uint64_t below_space = (bytes - ones * 0x20) & ~bytes & highs;
  return (below_space | holds_zero(bytes ^ ones * '"') | holds_zero(bytes ^ ones * '\\')) != 0;
}

void append_escaped(std::string_view value, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::size_t written = 0;
  std::size_t i = 0;
  while (i < value.size()) {
    if (i + 8 <= value.size()) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, value.data() + i, 8);
      if (!holds_escape(eight)) {
        i += 8;
        continue;
      }
    }
    const auto c = static_cast<unsigned char>(value[i]);
    ++i;
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(value, written, i - 1 - written);
    written = i;
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
