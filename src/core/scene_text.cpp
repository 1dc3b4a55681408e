#include "core/scene_text.hpp"

#include <array>
#include <charconv>

#include "core/text.hpp"
#include "core/utf8.hpp"

namespace drover {
namespace {

void append_number(int value, std::string& out) {
  std::array<char, 12> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  out.append(buffer.data(), end);
}

/// Characters that end a line or reorder one for whoever reads it.
bool needs_code_escape(char32_t c) noexcept {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029 || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

void append_code_escape(char32_t c, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(c >> shift) & 15];
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  std::size_t written = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\') {
      ++i;
      continue;
    }
    const CodePoint next = decode_utf8(text, i);
    const bool is_plain = next.value >= 0x80 && next.well_formed && !needs_code_escape(next.value);
    if (is_plain) {
      i += next.bytes;
      continue;
    }
    out.append(text, written, i - written);
    switch (next.value) {
      case U'"':
        out += "\\\"";
        break;
      case U'\\':
        out += "\\\\";
        break;
      case U'\n':
        out += "\\n";
        break;
      case U'\r':
        out += "\\r";
        break;
      case U'\t':
        out += "\\t";
        break;
      default:
        if (next.well_formed) {
          append_code_escape(next.value, out);
        } else {
          append_utf8(next.value, out);
        }
    }
    i += next.bytes;
    written = i;
  }
  out.append(text, written);
  out += '"';
}

bool is_word_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '/' || c == '+' || c == ':' || c == '#' || c == '$' || c == '@' || c == '*';
}

void append_word(std::string_view text, std::string& out) {
  bool is_bare = !text.empty();
  for (const char c : text) is_bare = is_bare && is_word_byte(c);
  if (is_bare) {
    out += text;
  } else {
    append_quoted(text, out);
  }
}

/// Whether a label has at least two letters to go by.
bool says_something(std::string_view label) noexcept {
  int letters = 0;
  for (const char c : label) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
    if ((is_letter || byte >= 0x80) && ++letters == 2) return true;
  }
  return false;
}

void append_element(const Element& element, std::string& out) {
  out.append(static_cast<std::size_t>(element.depth > 0 ? element.depth : 0), ' ');
  append_number(element.id, out);
  out += ' ';
  out += name_of(element.role);
  if (!element.label.empty()) {
    out += ' ';
    append_quoted(element.label, out);
  }
  if (!element.value.empty()) {
    out += " =";
    append_quoted(element.value, out);
  }
  if (!element.hint.empty()) {
    out += " ?";
    if (element.hint != element.label) append_quoted(element.hint, out);
  }
  if (!element.resource_id.empty() && !says_something(element.label)) {
    out += " #";
    append_word(id_part(element.resource_id), out);
  }
  if (element.checkable) out += element.checked ? " on" : " off";
  if (element.focused) out += " focused";
  if (element.selected) out += " selected";
  if (!element.enabled) out += " disabled";
  if (element.role == Role::list) {
    if (!element.scrollable) out += " fixed";
  } else if (element.scrollable) {
    out += " scrolls";
  }
  if (element.password) out += " password";
  if (const bool expected = is_tappable_role(element.role); element.clickable != expected) {
    out += expected ? " inert" : " tap";
  }
  out += '\n';
}

}  // namespace

void write_scene(const Scene& scene, std::string& out) {
  out += "page ";
  append_word(scene.page, out);
  out += " app ";
  append_word(scene.package, out);
  out += " size ";
  append_number(scene.width, out);
  out += 'x';
  append_number(scene.height, out);
  if (scene.keyboard_shown) out += " keyboard";
  out += '\n';
  for (const Element& element : scene.elements) append_element(element, out);
}

std::string write_scene(const Scene& scene) {
  std::string out;
  out.reserve(64 + scene.elements.size() * 40);
  write_scene(scene, out);
  return out;
}

}  // namespace drover
