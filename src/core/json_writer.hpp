#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace drover {

/// Appends JSON to a buffer, member after member, with no tree in between: the
/// way records are encoded. The same calls give the same bytes. The caller nests
/// begin and end correctly; commas are put by the writer. Not thread-safe.
class JsonWriter {
 public:
  /// Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// A member's name; its value follows.
  void key(std::string_view name);

  /// A text, escaped. Bytes that are not UTF-8 become U+FFFD.
  void text(std::string_view value);
  void integer(std::int64_t value);
  void unsigned_integer(std::uint64_t value);
  /// The shortest form that reads back as the same number; null for what is no number.
  void number(double value);
  void boolean(bool value);
  void null();
  /// A value that is JSON already.
  void raw(std::string_view json);
  /// ISO 8601 in UTC with microseconds.
  void time(UtcTime value);

  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void member(std::string_view name, const char* value) { member(name, std::string_view(value)); }
  void member(std::string_view name, const std::vector<std::string>& values) {
    key(name);
    begin_array();
    for (const std::string& value : values) text(value);
    end_array();
  }
  void member(std::string_view name, UtcTime value) {
    key(name);
    time(value);
  }
  void member(std::string_view name, std::same_as<bool> auto value) {
    key(name);
    boolean(value);
  }
  void member(std::string_view name, std::signed_integral auto value) {
    key(name);
    integer(value);
  }
  void member(std::string_view name, std::unsigned_integral auto value) requires(!std::same_as<decltype(value), bool>) {
    key(name);
    unsigned_integer(value);
  }
  void member(std::string_view name, std::floating_point auto value) {
    key(name);
    number(value);
  }
  /// Whole microseconds; the name should end in `_us`.
  void member(std::string_view name, Duration value) {
    key(name);
    integer(std::chrono::duration_cast<std::chrono::microseconds>(value).count());
  }

 private:
  void comma() {
    if (needs_comma_) out_ += ',';
  }
  void open(char bracket) {
    comma();
    out_ += bracket;
    needs_comma_ = false;
  }
  void close(char bracket) {
    out_ += bracket;
    needs_comma_ = true;
  }

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace drover
