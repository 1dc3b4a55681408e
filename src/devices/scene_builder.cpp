#include "devices/scene_builder.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "devices/folding.hpp"
#include "devices/labels.hpp"
#include "devices/node_facts.hpp"
#include "devices/page_name.hpp"
#include "devices/reading_order.hpp"

namespace drover::devices {

namespace {

constexpr std::size_t row_texts = 8;  // More words than a row has: a page that can be tapped.
constexpr std::size_t row_text_bytes = 400;
constexpr std::size_t borrowed_label_bytes = 60;
constexpr int no_element = -1;

std::int64_t area_of(const Bounds& b) noexcept { return b.empty() ? 0 : std::int64_t{b.width()} * b.height(); }

// An element on its way, with what is needed until it is done.
struct Draft {
  std::uint32_t node = 0;
  int parent = no_element;
  std::uint32_t spare = NodeFacts::none;  // A text without an area, for want of a better one.
  std::uint16_t pieces = 0;               // How many texts the label was made of.
};

class Builder {
 public:
  Builder(const UiTree& tree, const ScreenFacts& screen)
      : tree_(tree), nodes_(tree.nodes), facts_(screen.nodes), screen_(screen) {
    element_of_.assign(nodes_.size(), no_element);
    elements_.reserve(nodes_.size() / 2 + 1);
    drafts_.reserve(nodes_.size() / 2 + 1);
  }

  std::vector<Element> run() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      visit(i);
      if (element_of_[i] == no_element && nodes_[i].parent != UiNode::no_parent) {
        element_of_[i] = element_of_[nodes_[i].parent];
      }
    }
    for (int at = 0; at < static_cast<int>(elements_.size()); ++at) finish(at);
    if (elements_.empty()) add_largest_part();
    fold_rest(tree_, facts_, places(), elements_);
    return put_in_reading_order(std::move(elements_), parents());
  }

 private:
  // After visit, element_of_ names the element of the node or of the nearest
  // ancestor that has one.
  void visit(std::uint32_t i) {
    const auto& facts = facts_[i];
    if (facts.secret) return;
    if (facts.keyboard) return visit_key(i);
    if (facts.adopted_by != NodeFacts::none) return;
    if (facts.merged) return merge(i);
    if (facts.actionable) {
      add(i);
    } else if (facts.labelled) {
      visit_text(i);
    } else if (facts.visible && shows_without_words(i)) {
      add(i);
    }
    if (nodes_[i].password) mask_ancestors(i);
  }

  bool shows_without_words(std::uint32_t i) const {
    auto role = facts_[i].kind.role;
    return role == Role::progress || (role == Role::web && nodes_[i].end == i + 1);
  }

  void visit_key(std::uint32_t i) {
    if (!facts_[i].visible) return;
    if (keyboard_ == no_element) {
      keyboard_ = add_bare(i, Role::other);
    }
    auto& keys = elements_[static_cast<std::size_t>(keyboard_)];
    if (!facts_[i].labelled || keys.label.size() > row_text_bytes) return;
    auto key = clean_label(is_blank(nodes_[i].text) ? nodes_[i].description : nodes_[i].text);
    if (!keys.label.empty()) keys.label += ' ';
    keys.label += key;
  }

  void visit_text(std::uint32_t i) {
    const auto& facts = facts_[i];
    if (facts.owner != NodeFacts::none) {
      auto owner = element_of_[facts.owner];
      if (owner != no_element && absorb(i, owner)) return;
    }
    if (!facts.visible || repeats_descendants(i)) return;
    auto label = own_label(i);
    if (label.empty()) return;
    auto parent = parent_element(i);
    if (parent != no_element) {
      const auto& above = elements_[static_cast<std::size_t>(parent)];
      bool both_texts = !facts_[drafts_[static_cast<std::size_t>(parent)].node].actionable;
      if (both_texts && holds_words(above.label, label)) return;
    }
    add(i, std::move(label));
  }

  // Whether the text became a part of its owner's label.
  bool absorb(std::uint32_t i, int owner) {
    auto& draft = drafts_[static_cast<std::size_t>(owner)];
    auto& element = elements_[static_cast<std::size_t>(owner)];
    if (!facts_[i].visible) {
      if (draft.spare == NodeFacts::none) draft.spare = i;
      return true;
    }
    const auto& facts = facts_[draft.node];
    bool row = facts.texts <= row_texts && facts.text_bytes <= row_text_bytes &&
               (facts.texts <= 2 || area_of(facts.clip) * 10 < screen_.area() * 6);
    auto label = own_label(i);
    if (!row && draft.pieces > 0) return holds_words(element.label, label);
    if (!row && label.size() > 4 * borrowed_label_bytes) return false;
    join_label(element.label, label);
    ++draft.pieces;
    return true;
  }

  void merge(std::uint32_t i) {
    auto owner = element_of_[facts_[i].owner];
    if (owner == no_element) return;
    auto& element = elements_[static_cast<std::size_t>(owner)];
    const auto& node = nodes_[i];
    if (facts_[i].labelled) {
      join_label(element.label, own_label(i));
      ++drafts_[static_cast<std::size_t>(owner)].pieces;
    }
    if (element.resource_id.empty()) element.resource_id = clean_label(node.resource_id);
    element.focused = element.focused || node.focused;
    element.selected = element.selected || node.selected;
    element.long_clickable = element.long_clickable || node.long_clickable;
    if (facts_[facts_[i].owner].row_toggle == i) {
      element.checkable = true;
      element.checked = node.checked;
      element.enabled = element.enabled && node.enabled;
      element.role = role_of(i);
    } else if (element.role == Role::other) {
      element.role = role_of(i);
    }
  }

  // Whether the words of a container are those of its children one after the other,
  // or those of one of them.
  bool repeats_descendants(std::uint32_t i) const {
    const auto& node = nodes_[i];
    if (!is_blank(node.text) && !is_blank(node.description)) return false;
    ConcatenationCheck check{is_blank(node.text) ? node.description : node.text};
    for (auto at = i + 1; at < node.end;) {
      if (!facts_[at].labelled || !facts_[at].visible) {
        ++at;
        continue;
      }
      if (!check.take(is_blank(nodes_[at].text) ? nodes_[at].description : nodes_[at].text)) return false;
      if (check.complete()) return true;
      at = nodes_[at].end;
    }
    return false;
  }

  std::string own_label(std::uint32_t i) const {
    const auto& node = nodes_[i];
    if (facts_[i].field) {
      if (node.password && !is_blank(node.text) && holds_words(node.description, node.text)) return {};
      return clean_label(node.description);
    }
    auto label = clean_label(node.text);
    if (!is_blank(node.description) && node.description != node.text) join_label(label, clean_label(node.description));
    return label;
  }

  Role role_of(std::uint32_t i) const {
    const auto& node = nodes_[i];
    const auto& facts = facts_[i];
    auto role = facts.kind.role;
    if (facts.field) return Role::field;
    if (facts.tab) return Role::tab;
    if (node.checkable) {
      bool named = role == Role::toggle || role == Role::radio || role == Role::checkbox;
      return named ? role : role == Role::button ? Role::toggle : Role::checkbox;
    }
    if (role == Role::checkbox && !node.checkable) role = Role::text;
    if (node.scrollable && facts.kind.container) return Role::list;
    if (role == Role::web && node.end > i + 1) role = node.scrollable ? Role::list : Role::other;
    if (!facts.tappable && !node.scrollable && facts.labelled && role == Role::other) return Role::text;
    return role;
  }

  int parent_element(std::uint32_t i) const {
    return nodes_[i].parent == UiNode::no_parent ? no_element : element_of_[nodes_[i].parent];
  }

  int add_bare(std::uint32_t i, Role role) {
    const auto& node = nodes_[i];
    auto at = static_cast<int>(elements_.size());
    drafts_.push_back({i, parent_element(i), NodeFacts::none, 0});
    auto& element = elements_.emplace_back();
    element.role = role;
    element.resource_id = clean_label(node.resource_id);
    element.class_name = clean_label(node.class_name);
    element.package = clean_label(node.package);
    element.bounds = facts_[i].clip;
    element_of_[i] = at;
    return at;
  }

  void add(std::uint32_t i) { add(i, own_label(i)); }

  void add(std::uint32_t i, std::string label) {
    const auto& node = nodes_[i];
    auto at = add_bare(i, role_of(i));
    auto& element = elements_[static_cast<std::size_t>(at)];
    auto& draft = drafts_[static_cast<std::size_t>(at)];
    element.label = std::move(label);
    if (!element.label.empty()) draft.pieces = 1;
    element.clickable = node.clickable;
    element.long_clickable = node.long_clickable;
    element.checkable = node.checkable;
    element.checked = node.checked;
    element.enabled = node.enabled;
    element.focused = node.focused;
    element.scrollable = node.scrollable;
    element.selected = node.selected;
    element.password = node.password;
    if (facts_[i].field) set_value(i, element);
    if (element.label.empty()) take_adopted(i, element, draft);
  }

  void set_value(std::uint32_t i, Element& element) const {
    const auto& node = nodes_[i];
    element.hint = clean_label(node.hint);
    if (is_blank(node.text)) return;
    if (node.text_is_hint) {
      if (element.hint.empty()) element.hint = clean_label(node.text);
    } else {
      element.value = node.password ? std::string{password_mask} : clean_label(node.text);
    }
  }

  void take_adopted(std::uint32_t control, Element& element, Draft& draft) const {
    const auto& facts = facts_[control];
    if (facts.first_adopted == NodeFacts::none) return;
    for (auto i = facts.first_adopted; i <= facts.last_adopted; ++i) {
      if (facts_[i].adopted_by != control) continue;
      join_label(element.label, own_label(i));
      ++draft.pieces;
    }
  }

  // Ancestors that repeat the words of their children must not tell a password.
  void mask_ancestors(std::uint32_t i) {
    const auto& node = nodes_[i];
    if (node.text_is_hint || is_blank(node.text)) return;
    auto secret = clean_label(node.text);
    for (auto at = parent_element(i); at != no_element; at = drafts_[static_cast<std::size_t>(at)].parent) {
      mask_words(elements_[static_cast<std::size_t>(at)].label, secret);
    }
  }

  void finish(int at) {
    auto& element = elements_[static_cast<std::size_t>(at)];
    const auto& draft = drafts_[static_cast<std::size_t>(at)];
    const auto& facts = facts_[draft.node];
    if (at == keyboard_) return;
    if (element.label.empty() && facts.tappable && element.role != Role::field) borrow_label(at);
    if (element.hint == element.label) element.hint.clear();
    if (!facts.tappable || is_tappable_role(element.role)) return;
    if (element.role != Role::other && element.role != Role::text && element.role != Role::image) return;
    bool wide = element.bounds.width() * 10 >= screen_.width * 6;
    bool row = (facts.in_collection && facts.owner == NodeFacts::none && facts.kind.container) ||
               (facts.kind.container && wide && draft.pieces > 1);
    if (element.clickable) element.role = row ? Role::item : Role::button;
  }

  // What a row shows only in parts that have an action of their own, or without an area.
  void borrow_label(int at) {
    auto& element = elements_[static_cast<std::size_t>(at)];
    const auto& draft = drafts_[static_cast<std::size_t>(at)];
    if (draft.spare != NodeFacts::none) element.label = own_label(draft.spare);
    if (!element.label.empty() || area_of(element.bounds) * 10 >= screen_.area() * 6) return;
    auto end = nodes_[draft.node].end;
    int seen = 0;
    for (auto next = static_cast<std::size_t>(at) + 1; next < elements_.size() && ++seen <= 16; ++next) {
      if (drafts_[next].node >= end) return;
      const auto& label = elements_[next].label;
      if (label.empty() || label.size() > borrowed_label_bytes) continue;
      element.label = label;
      return;
    }
  }

  ElementPlaces places() const {
    ElementPlaces places{{}, element_of_, keyboard_};
    places.node_of.reserve(drafts_.size());
    for (const auto& draft : drafts_) places.node_of.push_back(draft.node);
    return places;
  }

  std::vector<int> parents() const {
    std::vector<int> out;
    out.reserve(drafts_.size());
    for (const auto& draft : drafts_) out.push_back(draft.parent);
    return out;
  }

  // A game, a video, a splash screen: the largest thing drawn, so that there is
  // something to name and to tap.
  void add_largest_part() {
    std::uint32_t best = NodeFacts::none;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!facts_[i].visible || nodes_[i].end != i + 1) continue;
      if (best == NodeFacts::none || area_of(facts_[i].clip) >= area_of(facts_[best].clip)) best = i;
    }
    for (std::uint32_t i = 0; best == NodeFacts::none && i < nodes_.size(); ++i) {
      if (facts_[i].visible) best = i;
    }
    if (best != NodeFacts::none) add_bare(best, facts_[best].kind.role);
  }

  const UiTree& tree_;
  const std::vector<UiNode>& nodes_;
  const std::vector<NodeFacts>& facts_;
  const ScreenFacts& screen_;
  std::vector<Element> elements_;
  std::vector<Draft> drafts_;
  std::vector<int> element_of_;
  int keyboard_ = no_element;
};

}  // namespace

Result<Scene> build_scene(const UiTree& tree, ScreenGeometry geometry) {
  auto screen = find_facts(tree, geometry);
  bool anything = std::any_of(screen.nodes.begin(), screen.nodes.end(), [](const auto& n) { return n.visible; });
  if (!anything) {
    return Error{Errc::observation_failed,
                 "The dump has " + std::to_string(tree.nodes.size()) + " nodes, but none of them can be seen",
                 "look again; the screen may be changing"};
  }
  Scene scene;
  scene.elements = Builder{tree, screen}.run();
  scene.package = clean_label(screen.package);
  scene.width = screen.width;
  scene.height = screen.height;
  scene.rotation = tree.rotation;
  scene.keyboard_shown = screen.keyboard;
  for (auto surface : screen.surfaces) scene.surfaces.push_back(clean_label(surface));
  scene.page = page_name(tree, screen);
  return scene;
}

}  // namespace drover::devices
