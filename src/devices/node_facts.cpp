#include "devices/node_facts.hpp"

#include <algorithm>

#include "devices/labels.hpp"
#include "devices/surfaces.hpp"

namespace drover::devices {

namespace {

constexpr int max_side = 16'384;

std::int64_t area_of(const Bounds& b) noexcept { return b.empty() ? 0 : std::int64_t{b.width()} * b.height(); }

Bounds clip_to(const Bounds& b, int width, int height) noexcept {
  return {std::max(b.left, 0), std::max(b.top, 0), std::min(b.right, width), std::min(b.bottom, height)};
}

struct Extent {
  int right = 0;
  int bottom = 0;

  void take_in(const Bounds& b) {
    if (b.empty()) return;
    right = std::max(right, b.right);
    bottom = std::max(bottom, b.bottom);
  }
  [[nodiscard]] bool fits(int width, int height) const { return right <= width && bottom <= height; }
};

// The phone's own size wins, turned when the windows fit only so. It is an old one
// when they fit neither way. Without one the furthest edges tell, because dumps
// are clipped to the display.
void find_size(const UiTree& tree, ScreenGeometry geometry, ScreenFacts& screen) {
  Extent windows;
  Extent all;
  for (const auto& node : tree.nodes) {
    if (node.hidden) continue;
    all.take_in(node.bounds);
    if (node.parent == UiNode::no_parent) windows.take_in(node.bounds);
  }
  if (geometry.width > 0 && geometry.height > 0) {
    const bool turned = !windows.fits(geometry.width, geometry.height) && windows.fits(geometry.height, geometry.width);
    if (turned) std::swap(geometry.width, geometry.height);
    screen.width = geometry.width;
    screen.height = geometry.height;
    if (windows.fits(geometry.width, geometry.height)) return;
    all = windows;
  }
  screen.width = std::min(std::max({tree.width, screen.width, all.right}), max_side);
  screen.height = std::min(std::max({tree.height, screen.height, all.bottom}), max_side);
}

// How much of the screen each package has, counted where it begins.
struct PackageShare {
  std::string_view package;
  std::int64_t area = 0;
  Surface surface = Surface::none;
  bool bar = true;  ///< Only thin strips: status and navigation bars.
};

void find_packages(const UiTree& tree, ScreenFacts& screen) {
  std::vector<PackageShare> shares;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto& node = tree.nodes[i];
    const auto& facts = screen.nodes[i];
    if (!facts.visible || facts.keyboard || node.package.empty()) continue;
    if (node.parent != UiNode::no_parent && tree.nodes[node.parent].package == node.package &&
        screen.nodes[node.parent].visible) {
      continue;
    }
    auto share = std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.package == node.package; });
    if (share == shares.end()) {
      if (shares.size() >= 32) continue;
      shares.push_back({node.package, 0, surface_of_package(node.package), true});
      share = shares.end() - 1;
    }
    share->area += area_of(facts.clip);
    if (facts.clip.height() * 8 > screen.height && facts.clip.width() * 8 > screen.width) share->bar = false;
  }
  const PackageShare* front = nullptr;
  for (const auto& share : shares) {
    auto rank = [](const PackageShare& s) { return std::pair{s.surface == Surface::none, s.area}; };
    if (front == nullptr || rank(share) > rank(*front)) front = &share;
  }
  if (front == nullptr) return;
  screen.package = front->package;
  std::sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.area < b.area; });
  for (const auto& share : shares) {
    bool bar = share.bar && share.surface == Surface::system;
    if (share.package != screen.package && !bar) screen.surfaces.push_back(share.package);
  }
}

class Pass {
 public:
  Pass(const UiTree& tree, ScreenFacts& screen) : nodes_(tree.nodes), screen_(screen), facts_(screen.nodes) {}

  void run() {
    std::string_view last_package;
    bool last_is_keyboard = false;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const auto& node = nodes_[i];
      if (node.package != last_package) {
        last_package = node.package;
        last_is_keyboard = surface_of_package(node.package) == Surface::keyboard;
      }
      look_at(i, last_is_keyboard);
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].selected && facts_[i].visible && !facts_[i].keyboard) mark_tabs(i);
    }
    label_controls();
  }

 private:
  void look_at(std::uint32_t i, bool keyboard_package) {
    const auto& node = nodes_[i];
    auto& facts = facts_[i];
    const NodeFacts* parent = node.parent == UiNode::no_parent ? nullptr : &facts_[node.parent];
    facts.kind = kind_of_class(node.class_name);
    facts.clip = clip_to(node.bounds, screen_.width, screen_.height);
    facts.visible = !node.hidden && !facts.clip.empty();
    facts.keyboard = node.input_method || keyboard_package;
    if (parent != nullptr) facts.password = nodes_[node.parent].password ? node.parent : parent->password;
    facts.secret = facts.password != NodeFacts::none &&
                   (tells(node.text, nodes_[facts.password]) || tells(node.description, nodes_[facts.password]));
    facts.field = facts.kind.role == Role::field || node.password;
    facts.tappable =
        facts.visible && !facts.secret && (node.clickable || node.long_clickable || node.checkable || facts.field);
    bool slides = facts.kind.role == Role::slider && node.focusable;
    facts.actionable = facts.tappable || (facts.visible && !facts.secret && (node.scrollable || slides));
    bool words = !is_blank(node.description) || (!facts.field && !is_blank(node.text));
    facts.labelled = words && !facts.secret && !node.hidden;
    if (facts.keyboard && facts.visible) screen_.keyboard = true;
    if (parent == nullptr) return;
    facts.in_collection = parent->in_collection || parent->kind.collection;
    facts.owner = owner_below(node.parent);
    if (facts.owner == NodeFacts::none || facts.secret) return;
    auto& owner = facts_[facts.owner];
    if (facts.tappable) {
      meet_owner(i, owner);
    } else if (facts.labelled && facts.visible && !facts.actionable) {
      if (owner.texts < UINT16_MAX) ++owner.texts;
      owner.text_bytes += static_cast<std::uint32_t>(node.text.size() + node.description.size());
    }
  }

  // Whether words inside of a password field are what was typed into it. Its label
  // and the button that shows it may stand there too.
  static bool tells(std::string_view words, const UiNode& field) {
    if (is_blank(words)) return false;
    if (words.find("•") != std::string_view::npos || words.find_first_not_of("*") == std::string_view::npos)
      return true;
    if (is_blank(field.text) || field.text_is_hint) return false;
    return words.find(field.text) != std::string_view::npos || field.text.find(words) != std::string_view::npos;
  }

  // What a tap on the children of a node acts on. Lists are a border: their rows
  // belong to themselves.
  std::uint32_t owner_below(std::uint32_t i) const {
    const auto& facts = facts_[i];
    if (nodes_[i].scrollable || facts.kind.collection) return NodeFacts::none;
    if (facts.tappable && !facts.merged) return i;
    return facts.owner;
  }

  // Two that can be tapped, one inside the other: a switch that shows the state of
  // its row, or the same thing twice.
  void meet_owner(std::uint32_t i, NodeFacts& owner) {
    const auto& node = nodes_[i];
    const auto& outer = nodes_[facts_[i].owner];
    auto& facts = facts_[i];
    bool takes_no_tap = !node.clickable && !node.long_clickable && !facts.field;
    if (node.checkable && takes_no_tap && !outer.checkable && !owner.field && outer.clickable) {
      if (owner.several_toggles) return;
      if (owner.row_toggle == NodeFacts::none) {
        owner.row_toggle = i;
        facts.merged = true;
      } else {
        facts_[owner.row_toggle].merged = false;
        owner.row_toggle = NodeFacts::none;
        owner.several_toggles = true;
      }
      return;
    }
    bool plain = !node.checkable && !facts.field && !node.scrollable;
    bool plain_outer = !outer.checkable && !owner.field && !outer.scrollable;
    if (plain && plain_outer && outer.enabled == node.enabled && outer.clickable >= node.clickable &&
        says_the_same(i, facts_[i].owner)) {
      facts.merged = true;
    }
  }

  // The same place, or a part without a name of its own, or the same words again.
  bool says_the_same(std::uint32_t inner, std::uint32_t outer) const {
    const auto& a = nodes_[inner];
    const auto& b = nodes_[outer];
    auto inner_area = area_of(facts_[inner].clip);
    auto outer_area = area_of(facts_[outer].clip);
    if (inner_area * 10 >= outer_area * 9) return true;
    bool nameless = !facts_[inner].labelled && a.end == inner + 1 && a.resource_id.empty();
    if (nameless) return inner_area * 10 >= outer_area * 4;
    return facts_[inner].labelled && facts_[outer].labelled && a.text == b.text && a.description == b.description;
  }

  // Side by side, all of them can be tapped, one is selected: tabs.
  void mark_tabs(std::uint32_t selected) {
    auto at = selected;
    for (int up = 0; up < 3 && at != UiNode::no_parent; ++up, at = nodes_[at].parent) {
      auto parent = nodes_[at].parent;
      if (parent == UiNode::no_parent || facts_[at].in_collection) return;
      if (facts_[at].tappable && mark_row(parent, at)) return;
      if (!facts_[at].tappable && !nodes_[at].selected) return;
    }
  }

  bool mark_row(std::uint32_t parent, std::uint32_t selected) {
    const auto& clip = facts_[selected].clip;
    auto visit = [&](auto&& act) {
      int count = 0;
      int seen = 0;
      for (auto i = parent + 1; i < nodes_[parent].end && count <= 8 && ++seen <= 32; i = nodes_[i].end) {
        const auto& facts = facts_[i];
        bool beside = facts.visible && std::abs(facts.clip.top - clip.top) <= clip.height() / 2 &&
                      (i == selected || facts.clip.right <= clip.left || facts.clip.left >= clip.right);
        if (beside && (facts.tappable || nodes_[i].selected) && !nodes_[i].checkable && !facts.field) {
          ++count;
          act(i);
        }
      }
      return count;
    };
    auto count = visit([](std::uint32_t) {});
    if (count < 2 || count > 8) return false;
    visit([&](std::uint32_t i) { facts_[i].tab = true; });
    return true;
  }

  // A switch, slider or field without words takes those that stand beside it in the
  // smallest container that holds no other control.
  void label_controls() {
    std::vector<std::uint32_t> actions(nodes_.size() + 1, 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      actions[i + 1] = actions[i] + (facts_[i].actionable && !facts_[i].merged ? 1 : 0);
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const auto& node = nodes_[i];
      const auto& facts = facts_[i];
      bool control = node.checkable || facts.field || facts.kind.role == Role::slider;
      if (!control || !facts.actionable || facts.merged || facts.labelled || facts.texts > 0 || facts.keyboard)
        continue;
      if (facts.field && (!node.hint.empty() || (!is_blank(node.text) && !node.password))) continue;
      if (!adopt_label(i, actions) && !facts.field) adopt_neighbour(i);
    }
  }

  bool is_free_text(std::uint32_t i) const {
    const auto& text = facts_[i];
    return text.labelled && text.visible && !text.actionable && text.owner == NodeFacts::none &&
           text.adopted_by == NodeFacts::none;
  }

  void adopt(std::uint32_t text, std::uint32_t control) {
    facts_[text].adopted_by = control;
    facts_[control].first_adopted = std::min(facts_[control].first_adopted, text);
    facts_[control].last_adopted = std::max(facts_[control].last_adopted, text);
  }

  // Compose has no rows: a box and its words are siblings of all others, in order.
  void adopt_neighbour(std::uint32_t control) {
    auto parent = nodes_[control].parent;
    auto next = nodes_[control].end;
    if (parent == UiNode::no_parent || next >= nodes_[parent].end || !is_free_text(next)) return;
    const auto& a = facts_[control].clip;
    const auto& b = facts_[next].clip;
    int shared = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
    if (shared * 2 > std::min(a.height(), b.height())) adopt(next, control);
  }

  bool adopt_label(std::uint32_t control, const std::vector<std::uint32_t>& actions) {
    const auto& own = facts_[control];
    int limit = std::max(own.clip.height() * 3, screen_.height / 8);
    int up = 0;
    for (auto at = nodes_[control].parent; at != UiNode::no_parent && ++up <= 6; at = nodes_[at].parent) {
      const auto& box = facts_[at];
      if (box.actionable || box.clip.height() > limit) return false;
      if (actions[nodes_[at].end] - actions[at] != 1) return false;
      bool found = false;
      for (auto i = at + 1; i < nodes_[at].end; ++i) {
        if (!is_free_text(i)) continue;
        if (own.field && found) break;
        adopt(i, control);
        found = true;
      }
      if (found) return true;
    }
    return false;
  }

  const std::vector<UiNode>& nodes_;
  ScreenFacts& screen_;
  std::vector<NodeFacts>& facts_;
};

}  // namespace

ScreenFacts find_facts(const UiTree& tree, ScreenGeometry geometry) {
  ScreenFacts screen;
  screen.nodes.resize(tree.nodes.size());
  find_size(tree, geometry, screen);
  Pass{tree, screen}.run();
  find_packages(tree, screen);
  return screen;
}

}  // namespace drover::devices
