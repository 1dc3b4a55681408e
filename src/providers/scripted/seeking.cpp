#include "providers/scripted/seeking.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "providers/scripted/app_choice.hpp"
#include "providers/scripted/exploring.hpp"
#include "providers/scripted/risks.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr double leads_there = 0.4;
constexpr double hints_there = 0.3;
constexpr double is_the_thing = 0.95;
constexpr std::string_view looking_further = "Look further down";

struct Scored {
  int index = -1;
  double score = 0;
};

class Seeker {
 public:
  Seeker(const Situation& now, const Quest& quest) : now_(now), quest_(quest) {}

  Pursuit next() {
    if (const auto greyed = greyed_out(); !greyed.empty()) {
      return Stuck{in_quotes(greyed) + " is greyed out and can't be used."};
    }
    const auto best = best_way();
    if (auto move = choose_app(now_, quest_, best.index >= 0 && best.score >= leads_there)) return *std::move(move);
    if (best.index >= 0 && best.score >= leads_there) return follow(best);
    if (auto move = search()) return *std::move(move);
    if (best.index >= 0 && (best.score >= hints_there || !can_scroll(now_))) return follow(best);
    if (auto move = scroll()) return *std::move(move);
    if (best.index >= 0) return follow(best);
    if (auto move = explore(now_, quest_)) {
      move->confidence = 0;
      return *std::move(move);
    }
    return Stuck{"Nothing on the screens that can be reached leads to " + quest_.called + "."};
  }

 private:
  /// The thing itself, when it is there and can't be used.
  std::string greyed_out() const {
    if (!quest_.may_tap_target) return {};
    for (const auto& seen : now_.view.elements) {
      const auto role = seen.element->role;
      const bool usable_kind = role == Role::item || role == Role::button || role == Role::tab || role == Role::toggle;
      if (!usable_kind || seen.element->enabled) continue;
      if (coverage(quest_.wanted, seen.head) >= is_the_thing) return seen.name;
    }
    return {};
  }

  Move follow(const Scored& way) const {
    const auto& seen = now_.at(way.index);
    auto move = tap(now_, way.index, "Open " + in_quotes(seen.name) + " on the way to " + quest_.called,
                    "A page about " + in_quotes(seen.name) + " is shown");
    move.confidence = way.score;
    if (!now_.view.launcher) move.explores = {seen.name};
    return move;
  }

  /// How well an element's words point to the thing: its title first, then its summary, then topics.
  double points_there(const SeenElement& seen) const {
    const auto own = own_topic();
    const double title = coverage(quest_.wanted, seen.head);
    const double all = coverage(quest_.wanted, seen.terms);
    const double topic =
        std::max(0.75 * relatedness(quest_.wanted, seen.head, own), 0.6 * relatedness(quest_.wanted, seen.terms, own));
    const double near =
        std::max(0.9 * coverage(quest_.near, seen.head), 0.7 * relatedness(quest_.near, seen.head, own));
    double score = std::max({title, 0.9 * all, topic, near});
    if (now_.view.launcher && !quest_.app.empty()) {
      score = contains(seen.terms, meaning(quest_.app)) ? std::max(score, 0.9) : score * 0.4;
    }
    return score;
  }

  /// Inside an app its own topic leads nowhere: "Stores near you" in a shop.
  Meaning own_topic() const { return quest_.app.empty() || now_.view.launcher ? 0 : meaning(quest_.app); }

  /// A risky control that the quest did not ask for, also where it names the thing ("Remove from favourites").
  bool does_harm(const SeenElement& seen) const {
    if (!is_risky(seen)) return false;
    return std::any_of(seen.terms.begin(), seen.terms.end(), [&](const Term& term) {
      return is_risky_meaning(term.meaning) && !contains(quest_.wanted, term.meaning);
    });
  }

  const Scored& best_way() const {
    if (!best_) best_ = find_best_way();
    return *best_;
  }

  Scored find_best_way() const {
    Scored best;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!now_.can_tap(seen) || !leads_somewhere(seen) || is_way_back(seen)) continue;
      if (is_spent(now_, seen)) continue;
      const auto title = coverage(quest_.wanted, seen.head);
      if (title >= is_the_thing && !quest_.may_tap_target) continue;
      if (title < is_the_thing && is_choice(now_.view, i)) continue;
      if (does_harm(seen) || contains(seen.terms, meaning("result"))) continue;
      // What only does something is no way to anywhere.
      if (coverage(quest_.wanted, seen.terms) < 0.3 && only_acts(seen)) continue;
      auto score = points_there(seen);
      if (score <= 0.05) continue;
      score -= 0.005 * static_cast<double>(std::min<std::size_t>(seen.terms.size(), 10));
      if (score > best.score) best = {static_cast<int>(i), score};
    }
    return best;
  }

  // --- search ---

  /// What to type, from the whole to its longest word: many searches know only exact words.
  std::vector<std::string> search_texts() const {
    std::vector<std::string> texts;
    const auto add = [&](std::string text) {
      if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    };
    auto words = split_words(quest_.search_text);
    if (words.empty()) return texts;
    std::string singular = quest_.search_text;
    if (auto& last = words.back(); last.lower.size() > 3 && last.lower.back() == 's' && last.end == singular.size() &&
                                   last.lower[last.lower.size() - 2] != 's') {
      singular.pop_back();
    }
    add(singular);
    std::stable_sort(words.begin(), words.end(),
                     [](const Word& a, const Word& b) { return a.lower.size() > b.lower.size(); });
    for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 2); ++i) {
      auto word = words[i].lower;
      if (word.size() > 3 && word.back() == 's' && word[word.size() - 2] != 's') word.pop_back();
      if (word.size() > 2) add(std::move(word));
    }
    return texts;
  }

  static std::string search_purpose(const std::string& text) { return "Search for " + in_quotes(text); }

  std::optional<Move> search() const {
    if (quest_.search_text.empty() || now_.view.launcher || now_.view.dialog) return std::nullopt;
    const auto texts = search_texts();
    const auto next = std::find_if(texts.begin(), texts.end(), [&](const std::string& text) {
      return !now_.memory.purpose_said(search_purpose(text), now_.index);
    });
    if (next != texts.begin()) {
      if (auto move = submit_search(*(next - 1))) return move;
    }
    if (next == texts.end()) return std::nullopt;
    const auto field = search_field(now_.view);
    if (field >= 0) {
      const auto& seen = now_.at(field);
      if (!seen.element->value.empty() && seen.element->value != seen.element->hint && now_.offers("clear_text") &&
          !now_.memory.is_dead("clear_text", now_.view.base_page(), seen.name)) {
        return clear_field(now_, field);
      }
      auto move = type_into(now_, field, *next, true, search_purpose(*next));
      move.expected_outcome = "Results for " + in_quotes(*next) + " are shown";
      return move;
    }
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!contains(seen.terms, meaning("search")) || seen.terms.size() > 4 || !now_.can_tap(seen)) continue;
      if (now_.memory.times_in_part("tap", now_.view.base_page(), seen.name, true, now_.index) >=
          static_cast<int>(texts.size())) {
        continue;
      }
      return tap(now_, static_cast<int>(i), "Open the search to look for " + quest_.called, "A search field is shown");
    }
    // The results hide the field: go back to it for another word.
    const auto* last = now_.last_of_part();
    const bool after_search =
        last != nullptr && (last->step->tool == "input_text" || last->step->tool == "swipe") && next != texts.begin();
    if (after_search) return go_back(now_, "Go back to the search to try " + in_quotes(*next));
    return std::nullopt;
  }

  /// A search that was typed and not sent: some apps want a button.
  std::optional<Move> submit_search(const std::string& text) const {
    const auto field = search_field(now_.view);
    const auto* last = now_.last_of_part();
    if (field < 0 || last == nullptr || last->step->tool != "input_text" || now_.at(field).element->value != text) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      const bool button = seen.element->role == Role::button || seen.element->role == Role::image;
      if (button && contains(seen.terms, meaning("search")) && now_.can_tap(seen) && !now_.tapped(seen)) {
        return tap(now_, static_cast<int>(i), "Send the search for " + in_quotes(text), "Results are shown");
      }
    }
    return std::nullopt;
  }

  // --- scrolling ---

  std::optional<Move> scroll() const {
    if (!can_scroll(now_) || enough_for_a_first_look(now_)) return std::nullopt;
    return swipe_on(now_, now_.at(list_index(now_)).element->id, "up",
                    std::string{looking_further} + " for " + quest_.called, "The list shows what is further down");
  }

  const Situation& now_;
  const Quest& quest_;
  mutable std::optional<Scored> best_;
};

}  // namespace

Pursuit seek(const Situation& now, const Quest& quest) { return Seeker{now, quest}.next(); }

int search_field(const ScreenView& view) {
  int only = -1;
  for (std::size_t i = 0; i < view.elements.size(); ++i) {
    const auto& seen = view.elements[i];
    if (!seen.is_field() || !seen.element->enabled) continue;
    if (contains(seen.terms, meaning("search"))) return static_cast<int>(i);
    only = static_cast<int>(i);
  }
  return contains(view.page_words, meaning("search")) ? only : -1;
}

Quest quest_of(const Situation& now) {
  const auto& part = now.part();
  Quest quest;
  quest.wanted = part.object;
  quest.near = part.place;
  std::erase_if(quest.near, [](const Term& term) { return term.meaning == meaning("shop") || term.weight < 1; });
  quest.named = named_app(now.goal, now.index);
  quest.called = part.text.empty() ? std::string{"it"} : in_quotes(part.text);
  switch (part.kind) {
    case PartKind::add:
    case PartKind::check_out:
      quest.app = "shop";
      break;
    default: {
      Terms all = part.place;
      all.insert(all.end(), part.object.begin(), part.object.end());
      quest.app = usual_app(part.place);
      if (quest.app.empty()) quest.app = usual_app(all);
    }
  }
  if (quest.app.empty()) {
    for (const auto& other : now.goal.parts) {
      if (other.kind == PartKind::add || other.kind == PartKind::check_out) quest.app = "shop";
    }
  }
  // "The radio app" is no other app, whatever else the goal speaks of.
  if (quest.named.for_sure && part.kind != PartKind::add && part.kind != PartKind::check_out) quest.app.clear();
  return quest;
}

}  // namespace drover::providers::scripted
