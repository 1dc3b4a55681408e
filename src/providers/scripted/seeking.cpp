#include "providers/scripted/seeking.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr int most_scrolls = 6;
constexpr int most_explorations = 10;
constexpr double leads_there = 0.4;
constexpr double hints_there = 0.3;
constexpr double is_the_thing = 0.95;
constexpr std::string_view exploring = "See whether";
constexpr std::string_view looking_further = "Look further down";

struct Scored {
  int index = -1;
  double score = 0;
};

bool is_way_back(const SeenElement& seen) {
  return seen.terms.size() <= 2 && (contains(seen.terms, meaning("back")) || contains(seen.terms, meaning("cancel")));
}

bool leads_somewhere(const SeenElement& seen) {
  return seen.row_switch < 0 && !seen.is_field() && !is_switch(*seen.element) && seen.element->role != Role::slider;
}

class Seeker {
 public:
  Seeker(const Situation& now, const Quest& quest) : now_(now), quest_(quest) {}

  Pursuit next() {
    if (const auto greyed = greyed_out(); !greyed.empty()) {
      return Stuck{in_quotes(greyed) + " is greyed out and can't be used."};
    }
    if (auto move = choose_app()) return *std::move(move);
    const auto best = best_way();
    if (best.index >= 0 && best.score >= leads_there) return follow(best);
    if (auto move = search()) return *std::move(move);
    if (best.index >= 0 && (best.score >= hints_there || !can_scroll())) return follow(best);
    if (auto move = scroll()) return *std::move(move);
    if (best.index >= 0) return follow(best);
    if (auto move = climb()) return *std::move(move);
    if (auto move = explore()) return *std::move(move);
    if (auto move = scroll_back()) return *std::move(move);
    if (auto move = leave()) return *std::move(move);
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
    if (!now_.view.launcher) move.explores = seen.name;
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

  /// Whether the way behind it was tried: on this page, or by what an earlier rationale says.
  bool is_spent(const SeenElement& seen) const {
    if (now_.tapped(seen)) return true;
    if (!now_.memory.was_in_vain(seen.name)) return false;
    const auto* last = now_.memory.last();
    const bool swallowed =
        last != nullptr && last->step->tool == "tap" && !last->had_effect && same_name(last->step->on, seen.name);
    return !swallowed;
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
      if (is_spent(seen)) continue;
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

  // --- apps ---

  bool in_right_app() const {
    const auto& package = now_.view.scene->package;
    if (!now_.prompt.app.empty() && package == now_.prompt.app) return true;
    if (quest_.app.empty()) return !now_.view.launcher;
    const auto wanted = meaning(quest_.app);
    if (contains(now_.view.page_words, wanted)) return true;
    for (const auto& deed : now_.memory.deeds()) {
      if (package_of(deed.next_page) != package || package_of(deed.page) == package) continue;
      const auto name = deed.step->tool == "launch_app" ? text_or(deed.step->arguments, "app") : deed.step->on;
      if (contains(read_identifier(name), wanted)) return true;
    }
    return false;
  }

  bool launched(const std::string& app) const {
    return std::any_of(now_.memory.deeds().begin(), now_.memory.deeds().end(), [&](const Deed& deed) {
      return deed.part == now_.index && deed.step->tool == "launch_app" && text_or(deed.step->arguments, "app") == app;
    });
  }

  std::string app_name() const {
    if (!now_.prompt.app.empty() && now_.goal.parts.size() < 2) return now_.prompt.app;
    return quest_.app.empty() ? std::string{} : app_name_of(quest_.app);
  }

  std::optional<Move> choose_app() const {
    const auto name = app_name();
    const auto here = best_way();
    const bool way_here = here.index >= 0 && here.score >= leads_there;
    if (now_.view.launcher) {
      if (!way_here && !name.empty() && !launched(name) && now_.offers("launch_app")) return launch_it(name);
      return std::nullopt;
    }
    const bool begun = std::any_of(now_.memory.deeds().begin(), now_.memory.deeds().end(),
                                   [&](const Deed& deed) { return deed.part == now_.index && deed.had_effect; });
    if (begun || in_right_app() || name.empty() || launched(name) || way_here || !now_.offers("launch_app")) {
      return std::nullopt;
    }
    return launch_it(name);
  }

  Move launch_it(const std::string& name) const {
    return launch(name, "Open the app that " + quest_.called + " is likely to be in");
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

  int list_index() const {
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      if (now_.view.elements[i].element->scrollable) return static_cast<int>(i);
    }
    return -1;
  }

  bool can_scroll() const {
    const auto scrolling = now_.memory.scrolling_of(now_.view.base_page());
    return list_index() >= 0 && now_.offers("swipe") && !scrolling.at_end && scrolling.returns == 0 &&
           scrolling.down < most_scrolls;
  }

  std::optional<Move> scroll() const {
    if (!can_scroll()) return std::nullopt;
    return swipe_on(now_, now_.at(list_index()).element->id, "up",
                    std::string{looking_further} + " for " + quest_.called, "The list shows what is further down");
  }

  /// Back to the beginning of a list whose end was explored.
  std::optional<Move> scroll_back() const {
    const auto scrolling = now_.memory.scrolling_of(now_.view.base_page());
    if (scrolling.down == 0 || scrolling.returns >= most_scrolls || list_index() < 0 || !now_.offers("swipe")) {
      return std::nullopt;
    }
    if (explored() >= most_explorations || now_.view.launcher) return std::nullopt;
    return swipe_on(now_, now_.at(list_index()).element->id, "down", "Go back up the list to look at the rest",
                    "The list shows what is further up");
  }

  // --- exploring ---

  int explored() const {
    // Names outlive the steps that a long history leaves out.
    return std::max(now_.done_in_part(exploring), static_cast<int>(now_.memory.vain_names().size()) - 2);
  }

  /// A page that this part did not lead to says little about it: the way starts further up.
  std::optional<Move> climb() const {
    const auto* last = now_.last_of_part();
    const bool came_down = last != nullptr && last->step->tool != "press_key";
    const bool stranger = !now_.memory.was_entered_in(now_.view.base_page(), now_.index);
    const bool not_at_top = has_way_up(now_.view) || now_.memory.depth() > 0;
    if (now_.view.launcher || now_.view.dialog || came_down || !stranger || !not_at_top) return std::nullopt;
    return go_back(now_, "Go up to look for the way to " + quest_.called);
  }

  bool worth_a_look(const SeenElement& seen, std::size_t index) const {
    if (!now_.can_tap(seen) || !leads_somewhere(seen) || is_way_back(seen) || is_risky(seen) ||
        is_choice(now_.view, index)) {
      return false;
    }
    if (is_spent(seen) || seen.element->selected) return false;
    if (only_acts(seen)) return false;
    if (contains(seen.terms, meaning("basket")) && !contains(quest_.wanted, meaning("basket"))) return false;
    return quest_.may_tap_target || coverage(quest_.wanted, seen.head) < is_the_thing;
  }

  static bool only_acts(const SeenElement& seen) {
    for (const auto name :
         {"share", "filter", "favourite", "forget", "redeem", "save", "increase", "decrease", "learn_more", "help",
          "edit",  "search", "start",     "stop",   "minute", "hour", "call",     "no",       "pin_top",    "result"}) {
      if (contains(seen.terms, meaning(name))) return true;
    }
    return false;
  }

  std::optional<Move> explore() const {
    if (explored() >= most_explorations || now_.view.dialog) return std::nullopt;
    Scored best;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!worth_a_look(seen, i)) continue;
      if (now_.view.launcher && seen.terms.size() > 2) continue;
      double score = 0.2;
      const auto role = seen.element->role;
      if (role == Role::item) score = 0.3;
      if (role == Role::tab) score = 0.45;
      if (contains(seen.terms, meaning("settings")) || contains(seen.terms, meaning("account"))) score = 0.5;
      if (contains(seen.terms, meaning("more"))) score = 0.6;
      if (role == Role::image) score = 0.1;
      if (amount_in(seen.element->label) >= 0 && role == Role::item) score = 0.12;
      if (now_.view.launcher && seen.element->role != Role::text) score = 0.3;
      if (score > best.score) best = {static_cast<int>(i), score};
    }
    if (best.index < 0) return drawer();
    const auto& seen = now_.at(best.index);
    auto move =
        tap(now_, best.index, std::string{exploring} + " " + in_quotes(seen.name) + " leads to " + quest_.called,
            "A page behind " + in_quotes(seen.name) + " is shown");
    move.explores = seen.name;
    return move;
  }

  /// The launcher's list of all apps.
  std::optional<Move> drawer() const {
    constexpr std::string_view purpose = "Look at all apps";
    if (!now_.view.launcher || !now_.offers("swipe") || now_.memory.purpose_said(purpose, now_.index)) {
      return std::nullopt;
    }
    return swipe_on(now_, std::nullopt, "up", std::string{purpose} + " for one that has to do with " + quest_.called,
                    "The list of apps is shown");
  }

  // --- leaving a dead end ---

  std::optional<Move> leave() const {
    if (now_.view.launcher) return std::nullopt;
    if (now_.memory.depth() > 0 || now_.view.dialog || has_way_up(now_.view)) {
      if (auto back = go_back(now_, "Leave this dead end and try another way to " + quest_.called)) return back;
    }
    const auto name = app_name();
    if (!in_right_app() && !name.empty() && !launched(name) && now_.offers("launch_app")) return launch_it(name);
    const bool other_apps_may_help = quest_.app.empty() || !in_right_app();
    if (other_apps_may_help && now_.offers("press_key") && explored() < most_explorations) {
      return press("home", "Go to the home screen to find an app for " + quest_.called, "The home screen is shown");
    }
    return std::nullopt;
  }

  const Situation& now_;
  const Quest& quest_;
  mutable std::optional<Scored> best_;
};

}  // namespace

bool is_risky_meaning(Meaning wanted) noexcept {
  constexpr std::array<std::string_view, 20> risky{
      "delete",  "empty",    "buy",    "pay",   "place_order", "reset",   "sign_out", "call", "send",   "add",
      "turn_on", "turn_off", "update", "allow", "deny",        "sign_up", "checkout", "undo", "forget", "redeem"};
  return std::any_of(risky.begin(), risky.end(), [&](std::string_view name) { return meaning(name) == wanted; });
}

bool is_risky(const SeenElement& seen) {
  return std::any_of(seen.terms.begin(), seen.terms.end(),
                     [](const Term& term) { return is_risky_meaning(term.meaning); });
}

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
  return quest;
}

}  // namespace drover::providers::scripted
