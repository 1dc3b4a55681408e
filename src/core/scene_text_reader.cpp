#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"

namespace drover {
namespace {

constexpr int max_nesting = 10'000;
constexpr int max_pixels = 1'000'000;

/// One line, taken apart from its front. A false or empty return leaves `fault`
/// set to what was wrong.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }

  bool fail(std::string_view fault) {
    if (fault_.empty()) fault_ = fault;
    return false;
  }

  int count_spaces() noexcept {
    int count = 0;
    while (take(' ')) ++count;
    return count;
  }

  bool take(char wanted) noexcept {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool expect(std::string_view wanted) {
    if (rest_.substr(0, wanted.size()) != wanted) return fail("expected \"" + std::string(wanted) + "\"");
    rest_.remove_prefix(wanted.size());
    return true;
  }

  bool number(int& value, int lowest, int highest) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value < lowest || value > highest) return fail("expected a number in range");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  /// Up to the next space or the line's end; empty at either.
  std::string_view bare_word() noexcept {
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }

  bool next_is_quote() const noexcept { return !rest_.empty() && rest_.front() == '"'; }

  bool quoted(std::string& text) {
    if (!take('"')) return fail("expected a quoted text");
    text.clear();
    while (true) {
      const auto stop = rest_.find_first_of("\"\\");
      if (stop == std::string_view::npos) return fail("a quoted text has no end");
      text.append(rest_, 0, stop);
      const bool is_escape = rest_[stop] == '\\';
      rest_.remove_prefix(stop + 1);
      if (!is_escape) return true;
      if (!escape(text)) return false;
    }
  }

  bool word(std::string& text) {
    if (next_is_quote()) return quoted(text);
    text = bare_word();
    return !text.empty() || fail("expected a word");
  }

 private:
  bool escape(std::string& text) {
    if (rest_.empty()) return fail("a quoted text has no end");
    const char kind = rest_.front();
    rest_.remove_prefix(1);
    switch (kind) {
      case '"':
        text += '"';
        return true;
      case '\\':
        text += '\\';
        return true;
      case 'n':
        text += '\n';
        return true;
      case 'r':
        text += '\r';
        return true;
      case 't':
        text += '\t';
        return true;
      case 'u':
        return code_escape(text);
      default:
        return fail("unknown escape");
    }
  }

  bool code_escape(std::string& text) {
    std::uint32_t code = 0;
    if (rest_.size() < 4) return fail("an escape is cut short");
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
    if (error != std::errc{} || end != rest_.data() + 4) return fail("an escape is not four hexadecimal digits");
    if (code >= 0xD800 && code <= 0xDFFF) return fail("an escape is half a surrogate pair");
    rest_.remove_prefix(4);
    append_utf8(static_cast<char32_t>(code), text);
    return true;
  }

  std::string_view rest_;
  std::string fault_;
};

std::optional<Role> known_role(std::string_view name) noexcept {
  const Role role = role_from(name);
  if (role == Role::other && name != name_of(Role::other)) return std::nullopt;
  return role;
}

bool read_state(std::string_view word, Element& element) {
  if (word == "on" || word == "off") {
    element.checkable = true;
    element.checked = word == "on";
  } else if (word == "focused") {
    element.focused = true;
  } else if (word == "selected") {
    element.selected = true;
  } else if (word == "disabled") {
    element.enabled = false;
  } else if (word == "scrolls") {
    element.scrollable = true;
  } else if (word == "fixed") {
    element.scrollable = false;
  } else if (word == "password") {
    element.password = true;
  } else if (word == "tap") {
    element.clickable = true;
  } else if (word == "inert") {
    element.clickable = false;
  } else {
    return false;
  }
  return true;
}

bool read_header(LineReader& line, Scene& scene) {
  if (!line.expect("page ") || !line.word(scene.page)) return false;
  if (!line.expect(" app ") || !line.word(scene.package)) return false;
  if (!line.expect(" size ") || !line.number(scene.width, 0, max_pixels)) return false;
  if (!line.expect("x") || !line.number(scene.height, 0, max_pixels)) return false;
  if (line.at_end()) return true;
  scene.keyboard_shown = true;
  return line.expect(" keyboard") && (line.at_end() || line.fail("text behind the first line's end"));
}

bool read_element(LineReader& line, Element& element) {
  element.depth = line.count_spaces();
  if (element.depth > max_nesting) return line.fail("nested too deep");
  if (!line.number(element.id, 1, std::numeric_limits<int>::max()) || !line.expect(" ")) return false;
  const auto role = known_role(line.bare_word());
  if (!role) return line.fail("unknown role");
  element.role = *role;
  element.clickable = is_tappable_role(*role);
  element.scrollable = *role == Role::list;
  while (!line.at_end()) {
    if (!line.expect(" ")) return false;
    if (line.next_is_quote()) {
      if (!line.quoted(element.label)) return false;
    } else if (line.take('=')) {
      if (!line.quoted(element.value)) return false;
    } else if (line.take('?')) {
      if (!line.next_is_quote()) {
        element.hint = element.label;
      } else if (!line.quoted(element.hint)) {
        return false;
      }
    } else if (line.take('#')) {
      if (!line.word(element.resource_id)) return false;
    } else if (!read_state(line.bare_word(), element)) {
      return line.fail("unknown state");
    }
  }
  return true;
}

/// Tells a second element of the same id. Ids that only rise, as they do in a text
/// that was written here, need no set.
class KnownIds {
 public:
  /// False when the id is that of an element read before.
  bool add(int id, const std::vector<Element>& so_far) {
    if (rising_ && id > last_) {
      last_ = id;
      return true;
    }
    if (rising_) {
      rising_ = false;
      for (const Element& element : so_far) ids_.insert(element.id);
    }
    return ids_.insert(id).second;
  }

 private:
  bool rising_ = true;
  int last_ = 0;
  std::unordered_set<int> ids_;
};

Error malformed_line(std::size_t number, std::string_view fault) {
  return Error{Errc::malformed, "line " + std::to_string(number) + " of the scene: " + std::string(fault), ""};
}

}  // namespace

Result<Scene> read_scene(std::string_view text) {
  if (!is_valid_utf8(text)) return Error{Errc::malformed, "the scene's text is not UTF-8", ""};
  Scene scene;
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  scene.elements.reserve(std::min<std::size_t>(lines, 1024));
  KnownIds ids;
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const auto end = text.find('\n');
    LineReader line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line_number == 1) {
      if (!read_header(line, scene)) return malformed_line(line_number, line.fault());
      continue;
    }
    Element element;
    if (!read_element(line, element)) return malformed_line(line_number, line.fault());
    if (!ids.add(element.id, scene.elements)) {
      return malformed_line(line_number, "a second element of the same id");
    }
    scene.elements.push_back(std::move(element));
  }
  if (line_number == 0) return Error{Errc::malformed, "the scene's text is empty", ""};
  return scene;
}

}  // namespace drover
