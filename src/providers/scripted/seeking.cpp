#include "providers/scripted/seeking.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace drover::providers::scripted {

namespace {

constexpr int most_scrolls = 6;
constexpr int most_explorations = 12;
constexpr double leads_there = 0.4;
constexpr double is_the_thing = 0.95;
constexpr std::string_view exploring = "See whether";
constexpr std::string_view looking_further = "Look further down";

const SeenElement& at(const Situation& now, int index) {
  return now.view.elements[static_cast<std::size_t>(index)];
}

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
    if (auto move = choose_app()) return *std::move(move);
    const auto best = best_way();
    if (best.index >= 0 && best.score >= leads_there) return follow(best);
    if (auto move = search()) return *std::move(move);
    if (best.index >= 0 && !can_scroll()) return follow(best);
    if (auto move = scroll()) return *std::move(move);
    if (best.index >= 0) return follow(best);
    if (auto move = explore()) return *std::move(move);
    if (auto move = leave()) return *std::move(move);
    return Stuck{"Nothing on the screens that can be reached leads to " + quest_.called + "."};
  }

 private:
  Move follow(const Scored& way) const {
    const auto& seen = at(now_, way.index);
    auto move = tap(now_, way.index, "Open " + in_quotes(seen.name) + " on the way to " + quest_.called,
                    "A page about " + in_quotes(seen.name) + " is shown");
    return move;
  }

  Scored best_way() const {
    Scored best;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!now_.can_tap(seen) || !leads_somewhere(seen) || is_way_back(seen)) continue;
      if (now_.tapped(seen) && !now_.view.launcher) continue;
      const auto own = coverage(quest_.wanted, seen.terms);
      if (own >= is_the_thing && !quest_.may_tap_target) continue;
      if (is_risky(seen) && own < is_the_thing) continue;
      double score = std::max({own, 0.9 * coverage(quest_.near, seen.terms), 0.7 * relatedness(quest_.wanted, seen.terms),
                               0.65 * relatedness(quest_.near, seen.terms)});
      if (now_.view.launcher && !quest_.app.empty()) {
        score = contains(seen.terms, meaning(quest_.app)) ? std::max(score, 0.9) : score * 0.5;
      }
      if (score <= 0.05) continue;
      score -= 0.01 * static_cast<double>(std::min<std::size_t>(seen.terms.size(), 10));
      if (now_.view.launcher && now_.tapped(seen)) score -= 0.5;
      if (score > best.score) best = {static_cast<int>(i), score};
    }
    return best;
  }

  // --- apps ---

  bool in_right_app() const {
    if (!now_.prompt.app.empty() && now_.view.scene->package == now_.prompt.app) return true;
    if (quest_.app.empty()) return true;
    const auto wanted = meaning(quest_.app);
    if (contains(now_.view.page_words, wanted)) return true;
    const auto package = now_.view.scene->package;
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
    std::string name = quest_.app;
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
  }

  std::optional<Move> choose_app() const {
    const bool begun = std::any_of(now_.memory.deeds().begin(), now_.memory.deeds().end(),
                                   [&](const Deed& deed) { return deed.part == now_.index && deed.had_effect; });
    const auto name = app_name();
    if (now_.view.launcher) {
      const auto icon = best_way();
      if (icon.index >= 0 && icon.score >= leads_there) return std::nullopt;
      if (!name.empty() && !launched(name) && now_.offers("launch_app")) {
        return launch(name, "Open the app that " + quest_.called + " is likely to be in");
      }
      return std::nullopt;
    }
    if (begun || in_right_app() || name.empty() || launched(name)) return std::nullopt;
    const auto here = best_way();
    if (here.index >= 0 && here.score >= leads_there) return std::nullopt;
    if (!now_.offers("launch_app")) return std::nullopt;
    return launch(name, "Open the app that " + quest_.called + " is likely to be in");
  }

  // --- search and scrolling ---

  std::optional<Move> search() const {
    if (quest_.search_text.empty() || now_.view.launcher) return std::nullopt;
    const auto purpose = "Search for " + in_quotes(quest_.search_text);
    if (now_.memory.purpose_said(purpose, now_.index)) return submit_search(purpose);
    const auto field = search_field(now_.view);
    if (field >= 0) {
      if (!at(now_, field).element->value.empty()) {
        if (now_.offers("clear_text") && !now_.memory.is_dead("clear_text", now_.view.base_page(), at(now_, field).name)) {
          return clear_field(now_, field);
        }
        return std::nullopt;
      }
      auto move = type_into(now_, field, quest_.search_text, true, purpose);
      move.expected_outcome = "Results for " + in_quotes(quest_.search_text) + " are shown";
      return move;
    }
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!contains(seen.terms, meaning("search")) || seen.terms.size() > 3 || !now_.can_tap(seen) || now_.tapped(seen)) continue;
      return tap(now_, static_cast<int>(i), "Open the search to look for " + quest_.called, "A search field is shown");
    }
    return std::nullopt;
  }

  /// A search that was typed and not sent: some apps want a button.
  std::optional<Move> submit_search(const std::string& purpose) const {
    const auto field = search_field(now_.view);
    const auto* last = now_.last_of_part();
    if (field < 0 || last == nullptr || last->step->tool != "input_text") return std::nullopt;
    if (at(now_, field).element->value != quest_.search_text || last->step->purpose.find(purpose) == std::string::npos) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      const bool button = seen.element->role == Role::button || seen.element->role == Role::image;
      if (button && contains(seen.terms, meaning("search")) && now_.can_tap(seen) && !now_.tapped(seen)) {
        return tap(now_, static_cast<int>(i), "Send the search for " + in_quotes(quest_.search_text), "Results are shown");
      }
    }
    return std::nullopt;
  }

  int list_index() const {
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      if (now_.view.elements[i].element->scrollable) return static_cast<int>(i);
    }
    return -1;
  }

  bool can_scroll() const {
    return list_index() >= 0 && now_.offers("swipe") && !now_.memory.at_end_of(now_.view.base_page()) &&
           now_.memory.scrolls_of(now_.view.base_page()) < most_scrolls;
  }

  std::optional<Move> scroll() const {
    if (!can_scroll()) return std::nullopt;
    return swipe_on(now_, at(now_, list_index()).element->id, "up",
                    std::string{looking_further} + " for " + quest_.called, "The list shows what is further down");
  }

  // --- exploring ---

  int explored() const { return now_.done_in_part(exploring); }

  std::optional<Move> explore() const {
    if (explored() >= most_explorations || now_.view.launcher) return std::nullopt;
    Scored best;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!now_.can_tap(seen) || !leads_somewhere(seen) || is_way_back(seen) || now_.tapped(seen) || is_risky(seen)) continue;
      if (seen.element->selected) continue;
      if (coverage(quest_.wanted, seen.terms) >= is_the_thing && !quest_.may_tap_target) continue;
      double score = 0.2;
      if (contains(seen.terms, meaning("more"))) score = 0.6;
      if (contains(seen.terms, meaning("settings")) || contains(seen.terms, meaning("account"))) score = 0.5;
      if (seen.element->role == Role::tab) score = std::max(score, 0.45);
      if (seen.element->role == Role::item) score = std::max(score, 0.3);
      if (seen.element->role == Role::image) score = 0.1;
      if (amount_in(seen.element->label) >= 0 && seen.element->role == Role::item) score = 0.12;
      if (score > best.score) best = {static_cast<int>(i), score};
    }
    if (best.index < 0) return std::nullopt;
    const auto& seen = at(now_, best.index);
    return tap(now_, best.index, std::string{exploring} + " " + in_quotes(seen.name) + " leads to " + quest_.called,
               "A page behind " + in_quotes(seen.name) + " is shown");
  }

  // --- leaving a dead end ---

  std::optional<Move> leave() const {
    if (now_.view.launcher) return std::nullopt;
    if (now_.memory.depth() > 0 || now_.view.dialog) {
      if (auto back = go_back(now_, "Leave this dead end and try another way to " + quest_.called)) return back;
    }
    const auto name = app_name();
    if (!in_right_app() && !name.empty() && !launched(name) && now_.offers("launch_app")) {
      return launch(name, "Open the app that " + quest_.called + " is likely to be in");
    }
    if (now_.offers("press_key") && !now_.memory.purpose_said("Go to the home screen", now_.index) && !in_right_app()) {
      return press("home", "Go to the home screen to find an app for " + quest_.called, "The home screen is shown");
    }
    return std::nullopt;
  }

  const Situation& now_;
  const Quest& quest_;
};

}  // namespace

bool is_risky(const SeenElement& seen) {
  constexpr std::array<std::string_view, 18> risky{"delete", "empty",   "buy",   "pay",     "place_order", "reset",
                                                   "sign_out", "call",  "send",  "add",     "turn_on",     "turn_off",
                                                   "update",   "allow", "deny",  "sign_up", "checkout",    "undo"};
  return std::any_of(risky.begin(), risky.end(), [&](std::string_view name) { return contains(seen.terms, meaning(name)); });
}

Pursuit seek(const Situation& now, const Quest& quest) {
  return Seeker{now, quest}.next();
}

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
  quest.called = part.text.empty() ? std::string{"it"} : in_quotes(part.text);
  switch (part.kind) {
    case PartKind::add:
    case PartKind::check_out: quest.app = "shop"; break;
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
