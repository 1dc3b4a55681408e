#include <algorithm>
#include <array>

#include "providers/scripted/forms.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/seeking.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr int most_taps_on_a_switch = 3;

enum class Shown { on, off, unknown };

struct Candidate {
  int index = -1;  ///< What to tap.
  Shown shown = Shown::unknown;
  double score = 0;
};

/// "Airplane mode, Off" as a text.
Shown state_in_words(std::string_view label) {
  Shown state = Shown::unknown;
  for (const auto& word : split_words(label)) {
    if (word.lower == "on" || word.lower == "enabled") state = Shown::on;
    if (word.lower == "off" || word.lower == "disabled") state = Shown::off;
  }
  return state;
}

bool says_little(const SeenElement& seen) {
  return std::all_of(seen.terms.begin(), seen.terms.end(), [](const Term& term) {
    return term.weight < 1 || term.meaning == meaning("turn_on") || term.meaning == meaning("turn_off") ||
           term.meaning == meaning("us");
  });
}

/// "Share the connection by Wi-Fi hotspot" says more than the switch "Wi-Fi
/// hotspot": every word of the title stands in the goal, the last one of the goal among them.
bool names_it(const Terms& object, const Terms& title) {
  if (object.size() < 2 || title.empty() || !contains(title, object.back().meaning)) return false;
  return coverage(title, object) >= 0.9 && coverage(object, title) >= 0.3;
}

double score_of(const Situation& now, const Terms& object, const SeenElement& seen) {
  const auto own =
      std::max(coverage(object, seen.head), names_it(object, seen.head) ? 0.96 : 0.98 * coverage(object, seen.terms));
  const auto with_row = coverage(object, seen.terms, seen.row);
  double score = std::max(own, 0.98 * with_row);
  // "notifications of the shop": the page supplies what the switch does not say.
  if (score > 0 && score < the_thing) {
    Terms around = now.view.title;
    around.insert(around.end(), seen.row.begin(), seen.row.end());
    around.insert(around.end(), now.view.page_words.begin(), now.view.page_words.end());
    score = std::max(score, 0.96 * coverage(object, seen.terms, around));
  }
  if (score < the_thing && says_little(seen) && (is_page_about(now.view, object) || came_by_tapping(now, object))) {
    score = 0.96;
  }
  return score;
}

/// "Wi-Fi hotspot" is not Wi-Fi: the title names a neighbour of the thing besides. A
/// broader topic, which is closer, only says where the thing belongs ("Wi-Fi network").
bool is_another_thing(const Terms& object, const SeenElement& seen) {
  return std::any_of(seen.head.begin(), seen.head.end(), [&](const Term& term) {
    const auto closeness = relatedness(object, {term});
    return term.weight >= 1 && !contains(object, term.meaning) && coverage({term}, object) < 0.5 && closeness >= 0.4 &&
           closeness < 0.5;
  });
}

Candidate find_switch(const Situation& now, const Terms& object, bool by_title) {
  Candidate best;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.is_field()) continue;
    const bool is_one = seen.row_switch >= 0;
    const bool is_button = contains(seen.terms, meaning("turn_on")) || contains(seen.terms, meaning("turn_off"));
    const auto worded =
        seen.element->clickable && !is_one && !is_button ? state_in_words(seen.element->label) : Shown::unknown;
    if (!is_one && worded == Shown::unknown) continue;
    if (by_title && coverage(object, seen.head) < the_thing && !names_it(object, seen.head)) continue;
    if (is_another_thing(object, seen)) continue;
    const auto score = score_of(now, object, seen) - 0.002 * static_cast<double>(seen.terms.size());
    if (score < the_thing - 0.03 || score <= best.score) continue;
    best.score = score;
    if (is_one) {
      const auto& the_switch = now.at(seen.row_switch);
      best.shown = the_switch.element->checked ? Shown::on : Shown::off;
      best.index = the_switch.tappable() ? seen.row_switch : static_cast<int>(i);
    } else {
      best.shown = worded;
      best.index = static_cast<int>(i);
    }
  }
  return best;
}

/// For "off" among exclusive choices, the choice that stands for off.
int opposite_choice(const Situation& now) {
  constexpr std::array<std::string_view, 3> opposites{"light_mode", "no", "turn_off"};
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!now.can_tap(seen)) continue;
    const bool off = state_in_words(seen.element->label) == Shown::off || contains(seen.terms, meaning("light")) ||
                     contains(seen.terms, meaning("none")) || contains(seen.terms, meaning("default"));
    if (off || std::any_of(opposites.begin(), opposites.end(),
                           [&](std::string_view name) { return contains(seen.terms, meaning(name)); })) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::string state_word(bool on) { return on ? "on" : "off"; }

}  // namespace

std::optional<Pursuit> set_shown_switch(const Situation& now, const Terms& object, bool on, bool by_title) {
  const auto found = find_switch(now, object, by_title);
  if (found.index < 0) return std::nullopt;
  const auto& seen = now.at(found.index);
  const bool is_on = found.shown == Shown::on;
  if (is_on == on) return PartDone{in_quotes(seen.name) + " is " + state_word(on)};
  int index = found.index;
  if (!on && seen.element->role == Role::radio) {
    index = opposite_choice(now);
    if (index < 0) return Stuck{in_quotes(seen.name) + " is chosen and there is no other choice."};
  }
  const auto& target = now.at(index);
  const auto page = now.view.base_page();
  const auto taps = now.memory.times_in_part("tap", page, target.name, true, now.index) +
                    now.memory.times_in_part("tap", page, target.name, false, now.index);
  if (!target.tappable()) {
    if (target.element->enabled) return Stuck{in_quotes(target.name) + " can't be tapped."};
    return Stuck{in_quotes(target.name) + " is greyed out and can't be switched."};
  }
  if (now.memory.is_dead("tap", page, target.name) || taps >= most_taps_on_a_switch) {
    return Stuck{in_quotes(target.name) + " stays " + state_word(!on) + " although it was tapped."};
  }
  auto move = tap(now, index, "Switch " + in_quotes(target.name) + " " + state_word(on),
                  in_quotes(target.name) + " is " + state_word(on));
  if (found.shown != Shown::unknown) move.remark = in_quotes(target.name) + " is " + state_word(!on) + " now.";
  return move;
}

Pursuit pursue_switch(const Situation& now) {
  const auto& part = now.part();
  // A button in place of a switch, in the row of the thing or on its page.
  const bool on_its_page = is_page_about(now.view, part.object) || came_by_tapping(now, part.object);
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    const bool turns_on = contains(seen.terms, meaning("turn_on"));
    const bool turns_off = contains(seen.terms, meaning("turn_off"));
    if (turns_on == turns_off || !seen.tappable() || seen.row_switch >= 0 || now.view.dialog) continue;
    if (!on_its_page && coverage(part.object, seen.terms, seen.row) < the_thing) continue;
    if (turns_off == part.on) return PartDone{in_quotes(seen.name) + " is offered, so it is " + state_word(part.on)};
    if (!now.can_tap(seen)) return Stuck{in_quotes(seen.name) + " has no effect."};
    return tap(now, static_cast<int>(i), "Turn it " + state_word(part.on) + " with " + in_quotes(seen.name),
               "It is " + state_word(part.on));
  }
  if (auto step = set_shown_switch(now, part.object, part.on, false)) return *std::move(step);
  return seek(now, quest_of(now));
}

}  // namespace drover::providers::scripted
