#include "devices/page_name.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "core/text.hpp"
#include "devices/labels.hpp"
#include "devices/surfaces.hpp"

namespace drover::devices {

namespace {

constexpr std::size_t longest_name = 80;
constexpr std::uint32_t none = NodeFacts::none;

std::int64_t area_of(const Bounds& b) noexcept { return b.empty() ? 0 : std::int64_t{b.width()} * b.height(); }

std::string_view last_part(std::string_view id) noexcept {
  auto slash = id.rfind('/');
  return slash == std::string_view::npos ? id : id.substr(slash + 1);
}

bool has(std::string_view text, std::string_view word) noexcept { return text.find(word) != std::string_view::npos; }

class Namer {
 public:
  Namer(const UiTree& tree, const ScreenFacts& screen)
      : nodes_(tree.nodes), facts_(screen.nodes), screen_(screen), surface_(surface_of_package(screen.package)) {}

  std::string run() {
    collect();
    auto name = screen_.package.empty() ? std::string{"unknown"} : clean_label(screen_.package);
    if (name.size() > 48) name = shorten(name, 48);
    auto place = find_place();
    auto tab = find_tab();
    if (place.empty()) place.swap(tab);
    if (place.empty() && !dialog_ && !small_window_) place = shape();
    if (!place.empty()) name += "/" + place;
    if (!tab.empty() && !has(place, tab)) name += "." + tab;
    for (auto suffix : suffixes(place)) {
      if (name.size() + 1 + suffix.size() <= longest_name) name.append("+").append(suffix);
    }
    return name.size() > longest_name ? shorten(name, longest_name) : name;
  }

 private:
  bool usable(std::uint32_t i) const { return facts_[i].visible && !facts_[i].keyboard; }

  bool of_front_app(std::uint32_t i) const {
    const auto& package = nodes_[i].package;
    return package == screen_.package || package.empty();
  }

  // One look at every node for all that ids and classes tell.
  void collect() {
    std::uint32_t scroll_end = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!usable(i)) continue;
      const auto& node = nodes_[i];
      if (!of_front_app(i)) {
        if (surface_of_package(node.package) == Surface::system) look_at_system_id(last_part(node.resource_id));
        continue;
      }
      bool in_scroll = i < scroll_end;
      if (!in_scroll && (node.scrollable || facts_[i].kind.collection || facts_[i].kind.role == Role::list)) {
        scroll_end = node.end;
      }
      if (node.parent == UiNode::no_parent) look_at_window(i);
      if (facts_[i].kind.role == Role::web && area_of(facts_[i].clip) * 4 > screen_.area()) web_ = true;
      if (facts_[i].kind.canvas && area_of(facts_[i].clip) * 2 > screen_.area()) canvas_ = true;
      if (facts_[i].field && !facts_[i].in_collection) form_ = true;
      if (node.resource_id.empty()) continue;
      look_at_id(i, in_scroll);
    }
  }

  void look_at_window(std::uint32_t i) {
    const auto& clip = facts_[i].clip;
    if (main_window_ == none || area_of(clip) >= area_of(facts_[main_window_].clip)) main_window_ = i;
    small_window_ = facts_[main_window_].clip.left > 0 && facts_[main_window_].clip.top * 10 > screen_.height;
  }

  void look_at_id(std::uint32_t i, bool in_scroll) {
    auto id = nodes_[i].resource_id;
    auto name = last_part(id);
    if (surface_ == Surface::system) look_at_system_id(name);
    if (name == "alertTitle" || name == "parentPanel" || name == "buttonPanel" || name == "alert_title") dialog_ = true;
    if (name == "design_bottom_sheet" || name == "bottom_sheet" || name == "bottomSheet") sheet_ = true;
    auto parent = nodes_[i].parent;
    if (parent != UiNode::no_parent && i > parent + 1 && nodes_[parent].class_name.ends_with("DrawerLayout") &&
        facts_[i].clip.width() * 10 < screen_.width * 9 && facts_[i].clip.height() * 2 > screen_.height) {
      drawer_ = true;
    }
    if (facts_[i].in_collection) return;
    if (!id.starts_with("android:id/")) (in_scroll ? scrolled_ids_ : fixed_ids_).push_back(i);
  }

  void look_at_system_id(std::string_view name) {
    if (has(name, "bouncer") || has(name, "keyguard_pin") || has(name, "keyguard_root_view") ||
        has(name, "keyguard_status") || has(name, "lock_icon")) {
      lock_ = true;
    } else if (name.starts_with("aod")) {
      aod_ = true;
    } else if (has(name, "quick_settings") || has(name, "notification_stack") || has(name, "notification_panel") ||
               has(name, "shade")) {
      shade_ = true;
    }
  }

  std::string_view system_place() const { return lock_ ? "lock" : aod_ ? "aod" : shade_ ? "shade" : ""; }

  std::string find_place() {
    if (surface_ == Surface::system && !system_place().empty()) return std::string{system_place()};
    if (surface_ == Surface::permission || surface_ == Surface::chooser) return std::string{name_of(surface_)};
    auto place = words_of_spine();
    if (place.empty()) place = words_of_ids();
    if (place.empty() && !fixed_ids_.empty() && !small_window_) place = letters_of_ids();
    return place;
  }

  // From the window down to the innermost part that fills most of it, not into
  // what repeats: the last telling id on the way.
  std::string words_of_spine() const {
    std::string found;
    auto at = main_window_;
    for (int steps = 0; at != none && steps < 64; ++steps) {
      if (auto words = page_words(app_id(at)); !words.empty()) found = std::move(words);
      if (facts_[at].kind.collection || nodes_[at].scrollable) break;
      at = main_part(at);
    }
    return found;
  }

  std::string_view app_id(std::uint32_t i) const {
    auto id = nodes_[i].resource_id;
    return id.starts_with("android:id/") || !of_front_app(i) ? std::string_view{} : id;
  }

  std::uint32_t main_part(std::uint32_t parent) const {
    auto best = none;
    int seen = 0;
    for (auto i = parent + 1; i < nodes_[parent].end && ++seen <= 64; i = nodes_[i].end) {
      if (!usable(i)) continue;
      // Of several that fill the same place the one that holds most is the page, the rest are scrims.
      auto rank = [&](std::uint32_t n) { return std::pair{area_of(facts_[n].clip), nodes_[n].end - n}; };
      if (best == none || rank(i) >= rank(best)) best = i;
    }
    if (best == none) return none;
    const auto& clip = facts_[best].clip;
    bool wide = clip.width() * 10 >= facts_[parent].clip.width() * 6;
    bool large = area_of(clip) * 10 >= area_of(facts_[parent].clip) * 4;
    return wide && large ? best : none;
  }

  std::string words_of_ids() const {
    auto first_telling = [&](const std::vector<std::uint32_t>& ids, bool toolbar) -> std::string {
      for (auto i : ids) {
        auto name = last_part(nodes_[i].resource_id);
        if (toolbar && !has(name, "title") && !has(name, "toolbar") && !has(name, "header")) continue;
        if (auto words = page_words(name); !words.empty()) return words;
      }
      return {};
    };
    if (auto words = first_telling(fixed_ids_, true); !words.empty()) return words;
    if (auto words = first_telling(fixed_ids_, false); !words.empty()) return words;
    return first_telling(scrolled_ids_, false);
  }

  std::string letters_of_ids() const {
    std::vector<std::string_view> names;
    for (auto i : fixed_ids_) names.push_back(last_part(nodes_[i].resource_id));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::uint64_t hash = 0;
    for (auto name : names) hash = stable_hash(name, hash);
    std::string letters = "screen_";
    for (int i = 0; i < 4; ++i, hash /= 26) letters += static_cast<char>('a' + hash % 26);
    return letters;
  }

  std::string find_tab() const {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!facts_[i].tab || !nodes_[i].selected || !of_front_app(i)) continue;
      if (auto words = page_words(app_id(i)); !words.empty()) return words;
      static constexpr std::string_view places[] = {"first", "second", "third",   "fourth",
                                                    "fifth", "sixth",  "seventh", "eighth"};
      std::size_t place = 0;
      for (auto before = nodes_[i].parent + 1; before < i; before = nodes_[before].end) {
        if (facts_[before].tab) ++place;
      }
      return std::string{places[std::min<std::size_t>(place, 7)]} + "_tab";
    }
    return {};
  }

  std::string shape() const { return web_ ? "web" : canvas_ ? "canvas" : form_ ? "form" : "screen"; }

  std::vector<std::string_view> suffixes(std::string_view place) const {
    std::vector<std::string_view> out;
    if (drawer_) out.push_back("drawer");
    if (sheet_) out.push_back("sheet");
    bool system_window = surface_ == Surface::system || surface_ == Surface::chooser;
    if (dialog_ || surface_ == Surface::permission || (small_window_ && !sheet_ && !system_window))
      out.push_back("dialog");
    for (auto package : screen_.surfaces) {
      auto surface = surface_of_package(package);
      auto word = surface == Surface::system && !system_place().empty() ? system_place() : name_of(surface);
      if (!word.empty() && word != place && std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
    }
    return out;
  }

  const std::vector<UiNode>& nodes_;
  const std::vector<NodeFacts>& facts_;
  const ScreenFacts& screen_;
  Surface surface_;
  std::vector<std::uint32_t> fixed_ids_;
  std::vector<std::uint32_t> scrolled_ids_;
  std::uint32_t main_window_ = none;
  bool small_window_ = false;
  bool web_ = false;
  bool canvas_ = false;
  bool form_ = false;
  bool dialog_ = false;
  bool sheet_ = false;
  bool drawer_ = false;
  bool lock_ = false;
  bool aod_ = false;
  bool shade_ = false;
};

}  // namespace

std::string page_name(const UiTree& tree, const ScreenFacts& screen) { return Namer{tree, screen}.run(); }

}  // namespace drover::devices
