#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "devices/page_name.hpp"

namespace drover::devices {

namespace {

// Words that say how a layout is built and not what it shows; sorted.
// clang-format off
constexpr std::array layout_words = std::to_array<std::string_view>({
    "action", "activity", "aerobar", "android", "app", "appbar", "area", "arrow", "back", "background", "bar", "base",
    "bg", "body", "bottom", "box", "btn", "button", "card", "center", "child", "collapsing", "constraint",
    "container", "content", "coordinator", "custom", "decor", "default", "design", "divider", "drag", "drawer",
    "edit", "edittext", "empty", "end", "fab", "field", "fling", "flow", "footer", "fragment", "frame", "framelayout",
    "full", "fullscreen", "gradient", "grid", "group", "guideline", "header", "holder", "host", "icon", "id", "image",
    "imageview", "img", "include", "indicator", "inner", "input", "item", "iv", "label", "layer", "layout", "left",
    "line", "linear", "linearlayout", "list", "ll", "loading", "main", "material", "message", "middle", "modal",
    "mode", "motion", "name", "nav", "navhost", "navigation", "nested", "new", "non", "number", "obfuscated", "one",
    "outer", "outside", "overlay", "page", "pager", "pane", "panel", "parent", "placeholder", "progress", "recycler",
    "recyclerview", "refresh", "relative", "relativelayout", "resource", "right", "rl", "root", "row", "rv", "screen",
    "scrim", "scroll", "scrollable", "scrollview", "section", "separator", "shadow", "sheet", "space", "spacer",
    "spring", "springback", "start", "statusbar", "sticky", "sub", "subtitle", "summary", "swipe", "switch", "tab",
    "tabs", "template", "test", "text", "textview", "tile", "title", "toolbar", "top", "touch", "tv", "two", "txt",
    "up", "vertical", "view", "viewgroup", "viewpager", "viewport", "weight", "widget", "window", "with", "wrapper",
});
// clang-format on
static_assert(std::is_sorted(layout_words.begin(), layout_words.end()));

bool is_layout_word(std::string_view word) noexcept {
  return std::binary_search(layout_words.begin(), layout_words.end(), word);
}

bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }

// Random letters of an obfuscator or a hash: no vowel in a row of four or more.
bool is_random(std::string_view word) noexcept {
  return word.size() > 3 && word.find_first_of("aeiouy") == std::string_view::npos;
}

}  // namespace

std::string page_words(std::string_view resource_id) {
  constexpr std::size_t longest_word = 20;
  constexpr std::size_t most_words = 3;
  auto slash = resource_id.rfind('/');
  auto name = slash == std::string_view::npos ? resource_id : resource_id.substr(slash + 1);
  if (name.size() > 120) return {};
  std::string out;
  std::string word;
  std::size_t kept = 0;
  std::size_t words = 0;
  bool digits = false;
  auto end_word = [&] {
    if (!word.empty()) ++words;
    bool telling = word.size() >= 3 && word.size() <= longest_word && !(digits && word.size() <= 3) &&
                   !is_layout_word(word) && !is_random(word);
    if (telling && kept < most_words) {
      if (!out.empty()) out += '_';
      out += word;
      ++kept;
    }
    word.clear();
    digits = false;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    char c = name[i];
    if (is_lower(c)) {
      word += c;
    } else if (is_upper(c)) {
      bool begins = i == 0 || !is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1]));
      if (begins) end_word();
      word += static_cast<char>(c - 'A' + 'a');
    } else if (c >= '0' && c <= '9') {
      digits = true;
    } else {
      end_word();
    }
  }
  end_word();
  // One short word alone is what obfuscators write.
  if (words == 1 && out.size() < 4) return {};
  return out;
}

}  // namespace drover::devices
