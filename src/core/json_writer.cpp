#include "core/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "core/text.hpp"

namespace drover {
namespace {

void append_escaped(std::string_view value, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::size_t written = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto c = static_cast<unsigned char>(value[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(value, written, i - written);
    written = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
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
