#include "providers/scripted/exploring.hpp"

#include <algorithm>
#include <string>

#include "providers/scripted/app_choice.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/risks.hpp"

namespace drover::providers::scripted {

namespace {

constexpr int most_scrolls = 6;
constexpr int scrolls_of_a_first_look = 1;
/// Names to remember, apps among them.
constexpr std::size_t most_looks = 14;
constexpr int most_looks_into_an_app = 2;

/// The last step from the launcher into this app, as far as the history shows it.
const Deed* entry_of(const Situation& now) {
  const auto package = package_of(now.view.page());
  const auto& deeds = now.memory.deeds();
  const auto entry = std::find_if(deeds.rbegin(), deeds.rend(), [&](const Deed& deed) {
    return !deed.cleared && package_of(deed.next_page) == package && package_of(deed.page) != package;
  });
  return entry != deeds.rend() && entry->part == now.index && entry->step->tool == "tap" ? &*entry : nullptr;
}

bool looks_into_app(const Situation& now) {
  if (now.view.launcher || !now.offers("press_key")) return false;
  const auto* entry = entry_of(now);
  return entry != nullptr && without_part_mark(entry->step->purpose).substr(0, exploring.size()) == exploring;
}

class Explorer {
 public:
  Explorer(const Situation& now, const Quest& quest) : now_(now), quest_(quest) {}

  std::optional<Move> next() const {
    if (used_up()) return launch_usual_app(now_, quest_);
    if (looks_into_app(now_)) return go_home("Go back to look at the other apps first, for ");
    if (auto move = climb()) return move;
    if (auto move = look_behind_something()) return move;
    if (auto move = scroll_back()) return move;
    return leave();
  }

 private:
  bool used_up() const {
    const auto& names = now_.memory.vain_names();
    const auto& prompt = now_.prompt;
    // A phone without the app that the goal names is not searched any deeper.
    if (quest_.named.for_sure && now_.memory.was_in_vain(every_app)) return true;
    return names.size() >= most_looks || (prompt.max_steps > 0 && prompt.step * 4 > prompt.max_steps * 3);
  }

  std::optional<Move> go_home(const char* purpose) const {
    if (!now_.offers("press_key")) return std::nullopt;
    return press("home", purpose + quest_.called, "The home screen is shown");
  }

  /// A page that this part did not lead to says little about it: the way starts further up.
  std::optional<Move> climb() const {
    const auto* last = now_.last_of_part();
    const bool came_down = last != nullptr && last->step->tool != "press_key";
    const bool stranger = !now_.memory.was_entered_in(now_.view.base_page(), now_.index);
    const bool not_at_top = has_way_up(now_.view) || now_.memory.depth() > 0;
    if (now_.view.launcher || now_.view.dialog || came_down || !stranger || !not_at_top) {
      return std::nullopt;
    }
    return go_back(now_, "Go up to look for the way to " + quest_.called);
  }

  bool worth_a_look(const SeenElement& seen, std::size_t index) const {
    if (!now_.can_tap(seen) || !leads_somewhere(seen) || is_way_back(seen) || is_risky(seen) || only_acts(seen) ||
        is_choice(now_.view, index) || seen.element->selected) {
      return false;
    }
    if (contains(seen.terms, meaning("basket")) && !contains(quest_.wanted, meaning("basket"))) return false;
    return quest_.may_tap_target || coverage(quest_.wanted, seen.head) < the_thing;
  }

  static double promise_of(const SeenElement& seen) {
    if (contains(seen.terms, meaning("more"))) return 0.6;
    if (contains(seen.terms, meaning("settings")) || contains(seen.terms, meaning("account"))) return 0.5;
    switch (seen.element->role) {
      case Role::tab:
        return 0.45;
      case Role::item:
        return amount_in(seen.element->label) >= 0 ? 0.12 : 0.3;
      case Role::image:
        return 0.1;
      default:
        return 0.2;
    }
  }

  Move look_behind(int index, std::vector<std::string> explores) const {
    const auto& seen = now_.at(index);
    auto move = tap(now_, index, std::string{exploring} + " " + in_quotes(seen.name) + " leads to " + quest_.called,
                    "A page behind " + in_quotes(seen.name) + " is shown");
    move.explores = std::move(explores);
    return move;
  }

  std::optional<Move> look_behind_something() const {
    if (now_.view.dialog) return std::nullopt;
    if (now_.view.launcher) return look_into_an_app();
    if (looks_into_this_app() >= most_looks_into_an_app && quest_.app.empty()) return std::nullopt;
    int best = -1;
    double best_promise = 0;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      if (!worth_a_look(seen, i) || is_spent(now_, seen) || promise_of(seen) <= best_promise) continue;
      best = static_cast<int>(i);
      best_promise = promise_of(seen);
    }
    if (best < 0) return std::nullopt;
    return look_behind(best, {now_.at(best).name});
  }

  /// Names since the app was opened for more than a first look; 0 for an app that was not.
  int looks_into_this_app() const {
    const auto& names = now_.memory.vain_names();
    const auto opened = std::find_if(names.rbegin(), names.rend(), [](const std::string& name) {
      return name.substr(0, closer_look.size()) == closer_look;
    });
    return opened == names.rend() ? 0 : static_cast<int>(opened - names.rbegin());
  }

  // --- the launcher ---

  std::optional<Move> look_into_an_app() const {
    if (now_.memory.was_in_vain(every_app) || has_no_list_of_apps()) return look_closer();
    std::vector<int> fresh;
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      if (is_app(i) && !is_spent(now_, now_.view.elements[i])) fresh.push_back(static_cast<int>(i));
    }
    if (!fresh.empty()) {
      auto move = look_behind(fresh.front(), {now_.at(fresh.front()).name});
      if (fresh.size() == 1 && shows_all_apps() && !can_scroll(now_)) move.explores.emplace_back(every_app);
      return move;
    }
    if (shows_all_apps()) return end_of_first_looks();
    if (auto move = open_all_apps(now_, quest_)) return move;
    return look_at_all_apps_again();
  }

  std::optional<Move> look_closer() const {
    for (std::size_t i = 0; i < now_.view.elements.size(); ++i) {
      const auto& seen = now_.view.elements[i];
      auto closer = std::string{closer_look} + seen.name;
      if (!is_app(i) || now_.memory.was_in_vain(closer)) continue;
      auto move = tap(now_, static_cast<int>(i),
                      std::string{looking_closer} + " " + in_quotes(seen.name) + " for " + quest_.called,
                      in_quotes(seen.name) + " is in front");
      move.explores = {std::move(closer)};
      return move;
    }
    return std::nullopt;
  }

  bool has_no_list_of_apps() const {
    return std::count_if(now_.memory.deeds().begin(), now_.memory.deeds().end(), [&](const Deed& deed) {
             return deed.part == now_.index && deed.page == now_.view.base_page() && deed.step->tool == "swipe" &&
                    !deed.had_effect;
           }) >= 2;
  }

  bool is_app(std::size_t index) const {
    const auto& seen = now_.view.elements[index];
    return worth_a_look(seen, index) && seen.terms.size() <= 2 && seen.element->role != Role::text;
  }

  bool shows_all_apps() const {
    const auto* last = now_.last_of_part();
    return last != nullptr && last->step->tool == "swipe" && last->had_effect;
  }

  /// The list has nothing new: further down, or the closer looks begin on the home screen.
  std::optional<Move> end_of_first_looks() const {
    if (can_scroll(now_)) {
      return swipe_on(now_, now_.at(list_index(now_)).element->id, "up", "Look further down the list of apps",
                      "More apps are shown");
    }
    auto move = go_home("Every app was looked into; look closer for ");
    if (move) move->explores = {std::string{every_app}};
    return move;
  }

  std::optional<Move> look_at_all_apps_again() const {
    if (!now_.offers("swipe")) return std::nullopt;
    return swipe_on(now_, std::nullopt, "up", "Look for more apps for " + quest_.called, "The list of apps is shown");
  }

  // --- leaving a dead end ---

  /// Back to the beginning of a list whose end was explored.
  std::optional<Move> scroll_back() const {
    const auto scrolling = now_.memory.scrolling_of(now_.view.base_page());
    if (scrolling.down == 0 || scrolling.returns >= most_scrolls || list_index(now_) < 0 || !now_.offers("swipe")) {
      return std::nullopt;
    }
    if (now_.view.launcher) return std::nullopt;
    return swipe_on(now_, now_.at(list_index(now_)).element->id, "down", "Go back up the list to look at the rest",
                    "The list shows what is further up");
  }

  std::optional<Move> leave() const {
    if (now_.view.launcher) return std::nullopt;
    const bool enough = quest_.app.empty() && looks_into_this_app() >= most_looks_into_an_app;
    if (!enough && (now_.memory.depth() > 0 || now_.view.dialog || has_way_up(now_.view))) {
      if (auto back = go_back(now_, "Leave this dead end and try another way to " + quest_.called)) return back;
    }
    if (auto move = launch_usual_app(now_, quest_)) return move;
    const bool other_apps_may_help = quest_.app.empty() || !in_right_app(now_, quest_);
    if (other_apps_may_help) return go_home("Go to the home screen to find an app for ");
    return std::nullopt;
  }

  const Situation& now_;
  const Quest& quest_;
};

}  // namespace

std::optional<Move> explore(const Situation& now, const Quest& quest) { return Explorer{now, quest}.next(); }

bool is_spent(const Situation& now, const SeenElement& seen) {
  return now.tapped(seen) || now.memory.was_in_vain(seen.name);
}

bool is_way_back(const SeenElement& seen) {
  return seen.terms.size() <= 2 && (contains(seen.terms, meaning("back")) || contains(seen.terms, meaning("cancel")));
}

bool leads_somewhere(const SeenElement& seen) {
  return seen.row_switch < 0 && !seen.is_field() && !is_switch(*seen.element) && seen.element->role != Role::slider;
}

bool enough_for_a_first_look(const Situation& now) {
  return looks_into_app(now) && now.memory.scrolling_of(now.view.base_page()).down >= scrolls_of_a_first_look;
}

int list_index(const Situation& now) {
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    if (now.view.elements[i].element->scrollable) return static_cast<int>(i);
  }
  return -1;
}

bool can_scroll(const Situation& now) {
  const auto scrolling = now.memory.scrolling_of(now.view.base_page());
  return list_index(now) >= 0 && now.offers("swipe") && !scrolling.at_end && scrolling.returns == 0 &&
         scrolling.down < most_scrolls;
}

}  // namespace drover::providers::scripted
