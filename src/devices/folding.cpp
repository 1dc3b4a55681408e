#include "devices/folding.hpp"

#include <string>
#include <string_view>

#include "devices/labels.hpp"

namespace drover::devices {

namespace {

class Folder {
 public:
  Folder(const UiTree& tree, const std::vector<NodeFacts>& facts, const ElementPlaces& places,
         std::vector<Element>& elements)
      : nodes_(tree.nodes), facts_(facts), places_(places), elements_(elements) {}

  void run() {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].password && !nodes_[i].text_is_hint && !is_blank(nodes_[i].text)) passwords_.push_back(i);
    }
    std::size_t behind = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      while (behind < places_.node_of.size() && places_.node_of[behind] <= i) ++behind;
      const auto& node = nodes_[i];
      const bool says_nothing =
          node.text.empty() && node.description.empty() && node.resource_id.empty() && node.hint.empty();
      if (facts_[i].visible && !says_nothing) fold(i, stand_in(i, behind));
    }
  }

 private:
  // `behind` is the first element whose node comes after this one.
  std::size_t stand_in(std::uint32_t i, std::size_t behind) const {
    const auto& facts = facts_[i];
    const bool adopted = facts.adopted_by != NodeFacts::none;
    const int at = facts.keyboard ? places_.keyboard : places_.element_of[adopted ? facts.adopted_by : i];
    const bool belongs = at >= 0 && (facts.owner != NodeFacts::none || adopted || facts.keyboard || is_own(i, at));
    const auto holds = [&](std::size_t element) {
      return element < places_.node_of.size() && places_.node_of[element] < nodes_[i].end;
    };
    if (!belongs && holds(behind) && (at < 0 || !holds(behind + 1))) return behind;
    return at < 0 ? 0 : static_cast<std::size_t>(at);
  }

  bool is_own(std::uint32_t i, int element) const { return places_.node_of[static_cast<std::size_t>(element)] == i; }

  void fold(std::uint32_t i, std::size_t at) {
    const auto& node = nodes_[i];
    const auto& facts = facts_[i];
    auto& element = elements_[at];
    auto id = clean_label(node.resource_id, id_buffer_);
    if (id == element.resource_id) id = {};
    bool is_told = id.empty();
    const auto keep = [&](std::string_view raw) {
      const auto words = words_of(i, raw);
      if (words.empty() || (id.empty() && (words == element.label || words == element.value))) return;
      element.folded.add(words, id, facts.clip);
      is_told = true;
    };
    const bool hides_text = node.password && !node.text_is_hint;
    if (!facts.secret && !hides_text) keep(node.text);
    const bool repeats = !is_blank(node.text) &&
                         (node.description == node.text || (hides_text && holds_words(node.description, node.text)));
    if (!facts.secret && !repeats) keep(node.description);
    const bool shows_hint = facts.field && element.value.empty() && node.hint != node.text;
    if (shows_hint && is_own(i, static_cast<int>(at))) keep(node.hint);
    if (!is_told) element.folded.add({}, id, facts.clip);
  }

  // Ancestors that repeat the words of their children must not tell a password.
  std::string_view words_of(std::uint32_t i, std::string_view raw) {
    const auto words = clean_label(raw, words_buffer_);
    bool is_copied = false;
    for (const auto password : passwords_) {
      if (password <= i || password >= nodes_[i].end) continue;
      if (!is_copied) words_buffer_ = std::string{words};
      is_copied = true;
      mask_words(words_buffer_, clean_label(nodes_[password].text));
    }
    return is_copied ? std::string_view{words_buffer_} : words;
  }

  const std::vector<UiNode>& nodes_;
  const std::vector<NodeFacts>& facts_;
  const ElementPlaces& places_;
  std::vector<Element>& elements_;
  std::vector<std::uint32_t> passwords_;
  std::string id_buffer_;
  std::string words_buffer_;
};

}  // namespace

void fold_rest(const UiTree& tree, const std::vector<NodeFacts>& facts, const ElementPlaces& places,
               std::vector<Element>& elements) {
  if (!elements.empty()) Folder{tree, facts, places, elements}.run();
}

}  // namespace drover::devices
