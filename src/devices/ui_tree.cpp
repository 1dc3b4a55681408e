#include "devices/ui_tree.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <pugixml.hpp>
#include <string>

namespace drover::devices {

namespace {

bool is_true(const char* value) noexcept { return value[0] == 't' || value[0] == '1'; }
bool is_false(const char* value) noexcept { return value[0] == 'f' || value[0] == '0'; }

// Reads "[left,top][right,bottom]"; coordinates are held to what an int takes.
bool read_bounds(const char* text, Bounds& out) noexcept {
  int numbers[4] = {};
  for (int i = 0; i < 4; ++i) {
    while (*text == '[' || *text == ']' || *text == ',' || *text == ' ') ++text;
    bool negative = *text == '-';
    if (negative) ++text;
    if (*text < '0' || *text > '9') return false;
    int value = 0;
    for (; *text >= '0' && *text <= '9'; ++text) {
      if (value < 1'000'000) value = value * 10 + (*text - '0');
    }
    if (*text == '.') {
      for (++text; *text >= '0' && *text <= '9'; ++text) {
      }
    }
    numbers[i] = negative ? -value : value;
  }
  out = {numbers[0], numbers[1], numbers[2], numbers[3]};
  return true;
}

int read_number(const char* text) noexcept {
  int value = 0;
  for (; *text >= '0' && *text <= '9' && value < 1'000'000; ++text) value = value * 10 + (*text - '0');
  return value;
}

struct Attributes {
  bool has_bounds = false;
};

// The names differ in length and in one letter, so that one comparison is enough.
void read_attribute(const char* name, const char* value, UiNode& node, Attributes& seen) {
  // The length is known to be equal where this is called; a constant one needs no call.
  auto is = [name]<std::size_t size>(const char(&other)[size]) { return std::memcmp(name, other, size - 1) == 0; };
  switch (std::strlen(name)) {
    case 4:
      if (name[0] == 't' && is("text")) node.text = value;
      if (name[0] == 'h' && is("hint")) node.hint = value;
      break;
    case 5:
      if (name[0] == 'c' && is("class")) node.class_name = value;
      break;
    case 6:
      if (is("bounds")) seen.has_bounds = read_bounds(value, node.bounds);
      break;
    case 7:
      if (name[0] == 'p' && is("package")) node.package = value;
      if (name[0] == 'c' && is("checked")) node.checked = is_true(value);
      if (name[0] == 'e' && is("enabled")) node.enabled = !is_false(value);
      if (name[0] == 'f' && is("focused")) node.focused = is_true(value);
      break;
    case 8:
      if (name[0] == 'p' && is("password")) node.password = is_true(value);
      if (name[0] == 's' && is("selected")) node.selected = is_true(value);
      break;
    case 9:
      if (name[1] == 'l' && is("clickable")) node.clickable = is_true(value);
      if (name[1] == 'h' && is("checkable")) node.checkable = is_true(value);
      if (name[1] == 'o' && is("focusable")) node.focusable = is_true(value);
      if (name[1] == 'i' && is("displayed")) node.hidden = node.hidden || is_false(value);
      break;
    case 10:
      if (is("scrollable")) node.scrollable = is_true(value);
      break;
    case 11:
      if (is("resource-id")) node.resource_id = value;
      break;
    case 12:
      if (name[0] == 'c' && is("content-desc")) node.description = value;
      if (name[0] == 's' && is("showing-hint")) node.text_is_hint = is_true(value);
      break;
    case 14:
      if (is("long-clickable")) node.long_clickable = is_true(value);
      break;
    case 15:
      if (is("visible-to-user")) node.hidden = node.hidden || is_false(value);
      break;
    default:
      break;
  }
}

// The package in "com.shop:id/search"; ids of the framework say nothing of the app.
std::string_view package_of_id(std::string_view resource_id) noexcept {
  auto colon = resource_id.find(":id/");
  if (colon == std::string_view::npos) return {};
  auto package = resource_id.substr(0, colon);
  return package == "android" ? std::string_view{} : package;
}

bool is_wrapper(const char* tag) noexcept {
  if (tag[0] != 'h' && tag[0] != 'w' && tag[0] != 'd') return false;
  return std::strcmp(tag, "hierarchy") == 0 || std::strcmp(tag, "window") == 0 || std::strcmp(tag, "display") == 0 ||
         std::strcmp(tag, "displays") == 0;
}

class Reader {
 public:
  explicit Reader(UiTree& tree) : tree_(tree) {}

  // Opens an element; false when there are too many.
  bool open(const pugi::xml_node& xml) {
    if (is_wrapper(xml.name())) {
      read_wrapper(xml);
      return true;
    }
    if (tree_.nodes.size() >= max_dump_nodes) return false;
    auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    auto& node = tree_.nodes.emplace_back();
    Attributes seen;
    for (auto attribute = xml.first_attribute(); attribute; attribute = attribute.next_attribute()) {
      read_attribute(attribute.name(), attribute.value(), node, seen);
    }
    if (node.class_name.empty() && std::strcmp(xml.name(), "node") != 0) node.class_name = xml.name();
    node.parent = open_;
    node.input_method = in_input_method_;
    const UiNode* parent = open_ == UiNode::no_parent ? nullptr : &tree_.nodes[open_];
    if (node.package.empty()) node.package = package_of_id(node.resource_id);
    if (parent != nullptr) {
      if (node.package.empty()) node.package = parent->package;
      if (!seen.has_bounds) node.bounds = parent->bounds;
      node.hidden = node.hidden || (parent->hidden && !seen.has_bounds);
    } else if (!seen.has_bounds) {
      node.bounds = {0, 0, tree_.width, tree_.height};
    }
    if (!node.text.empty() && node.text == node.hint) node.text_is_hint = true;
    open_ = index;
    return true;
  }

  void close(const pugi::xml_node& xml) {
    if (is_wrapper(xml.name())) {
      if (std::strcmp(xml.name(), "window") == 0) in_input_method_ = false;
      return;
    }
    auto& node = tree_.nodes[open_];
    node.end = static_cast<std::uint32_t>(tree_.nodes.size());
    open_ = node.parent;
  }

 private:
  void read_wrapper(const pugi::xml_node& xml) {
    for (auto attribute = xml.first_attribute(); attribute; attribute = attribute.next_attribute()) {
      auto name = std::string_view{attribute.name()};
      if (name == "rotation")
        tree_.rotation = read_number(attribute.value()) % 4;
      else if (name == "width")
        tree_.width = std::max(tree_.width, read_number(attribute.value()));
      else if (name == "height")
        tree_.height = std::max(tree_.height, read_number(attribute.value()));
      else if (name == "type")
        in_input_method_ = std::strstr(attribute.value(), "INPUT_METHOD") != nullptr;
    }
  }

  UiTree& tree_;
  std::uint32_t open_ = UiNode::no_parent;
  bool in_input_method_ = false;
};

// Appium writes inner classes as tags, `<com.shop.Cart$Row …>`, which no XML parser
// takes. Hides the `$` of tags behind a letter that names may have while the
// parser runs, and puts it back afterwards: names stay where they are.
class HiddenDollars {
 public:
  HiddenDollars(char* buffer, std::size_t size) : buffer_(buffer) {
    auto* end = buffer + size;
    for (auto* at = buffer;
         (at = static_cast<char*>(std::memchr(at, '$', static_cast<std::size_t>(end - at)))) != nullptr; ++at) {
      auto* name = at;
      while (name > buffer && at - name < longest_tag && is_tag_letter(*(name - 1))) --name;
      if (name == buffer) continue;
      char before = *(name - 1);
      bool closing = before == '/' && name - 1 > buffer && *(name - 2) == '<';
      if (before != '<' && !closing) continue;
      *at = stand_in;
      places_.push_back(static_cast<std::size_t>(at - buffer));
    }
  }

  void restore() {
    for (auto place : places_) {
      if (buffer_[place] == stand_in) buffer_[place] = '$';
    }
  }

 private:
  static constexpr char stand_in = ':';
  static constexpr std::ptrdiff_t longest_tag = 300;
  static bool is_tag_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '$' || c == ':';
  }

  char* buffer_;
  std::vector<std::size_t> places_;
};

bool is_element(const pugi::xml_node& node) noexcept { return node.type() == pugi::node_element; }

}  // namespace

Result<UiTree> read_ui_tree(std::string_view xml) {
  if (xml.size() > max_dump_bytes) {
    return Error{Errc::malformed,
                 "The dump has " + std::to_string(xml.size()) + " bytes, more than the limit of " +
                     std::to_string(max_dump_bytes),
                 ""};
  }
  UiTree tree;
  tree.buffer = std::make_unique_for_overwrite<char[]>(xml.size() + 1);
  std::memcpy(tree.buffer.get(), xml.data(), xml.size());
  tree.buffer[xml.size()] = '\0';

  HiddenDollars dollars{tree.buffer.get(), xml.size()};
  pugi::xml_document document;
  auto parsed = document.load_buffer_inplace(tree.buffer.get(), xml.size(), pugi::parse_minimal | pugi::parse_escapes,
                                             pugi::encoding_utf8);
  if (!parsed) {
    return Error{
        Errc::malformed,
        "The dump is not well-formed XML at byte " + std::to_string(parsed.offset) + ": " + parsed.description(),
        "look again"};
  }
  dollars.restore();
  tree.nodes.reserve(xml.size() / 256 + 8);
  Reader reader{tree};
  pugi::xml_node at = document;
  for (bool descend = true;;) {
    auto next = descend ? at.first_child() : at.next_sibling();
    while (next && !is_element(next)) next = next.next_sibling();
    if (next) {
      if (!reader.open(next)) {
        return Error{Errc::malformed, "The dump has more than " + std::to_string(max_dump_nodes) + " nodes", ""};
      }
      at = next;
      descend = true;
      continue;
    }
    if (!descend) at = at.parent();
    if (!at || at.type() == pugi::node_document) break;
    reader.close(at);
    descend = false;
  }
  if (tree.nodes.empty()) {
    return Error{Errc::observation_failed, "The dump is a hierarchy without a single node",
                 "look again; the screen may be changing"};
  }
  return tree;
}

}  // namespace drover::devices
