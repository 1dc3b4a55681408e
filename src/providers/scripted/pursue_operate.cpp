#include <algorithm>

#include "core/text.hpp"
#include "providers/scripted/forms.hpp"
#include "providers/scripted/obstacles.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/risks.hpp"
#include "providers/scripted/seeking.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

/// The control that does it: its own words hold the verb, and together with its
/// row, the page and the way here they hold the rest.
int control_for(const Situation& now, const Terms& object) {
  Terms around = now.view.title;
  around.insert(around.end(), now.view.page_words.begin(), now.view.page_words.end());
  const auto trail = trail_of(now);
  around.insert(around.end(), trail.begin(), trail.end());
  const double enough = object.size() >= 3 ? 0.7 : the_thing;
  int best = -1;
  double best_own = 0;
  for (std::size_t i = 0; i < now.view.elements.size() && !now.view.launcher; ++i) {
    const auto& seen = now.view.elements[i];
    // "Show all results for …" repeats what was typed.
    if (!now.can_tap(seen) || seen.is_field() || contains(seen.terms, meaning("result"))) continue;
    // "Add the mug to my calendar" is nothing for "Add to basket".
    if (contains(seen.terms, meaning("basket")) && !contains(object, meaning("basket"))) continue;
    const auto own = coverage(object, seen.terms);
    const bool verb = coverage(Terms{object.front()}, seen.terms) >= 0.8;
    // What only names the topic of the page leads to it and does nothing more.
    if (own < the_thing && !verb) continue;
    Terms near = around;
    near.insert(near.end(), seen.row.begin(), seen.row.end());
    if (coverage(object, seen.terms, near) < enough) continue;
    const auto score = own + (verb ? 0.2 : 0) - 0.01 * static_cast<double>(seen.terms.size());
    if (score > best_own) {
      best = static_cast<int>(i);
      best_own = score;
    }
  }
  return best;
}

/// A row that holds words of the goal which neither the control for it nor the page
/// has: "Start the green tea" beside "Green" and "Start". -1 where there is none.
int row_to_choose_first(const Situation& now, const Terms& object) {
  const auto control = control_for(now, object);
  if (control < 0) return -1;
  Terms rest = object;
  std::erase_if(rest, [&](const Term& term) {
    return term.weight < 1 || contains(now.at(control).terms, term.meaning) ||
           contains(now.at(control).row, term.meaning) || contains(now.view.title, term.meaning) ||
           contains(now.view.page_words, term.meaning) || contains(trail_of(now), term.meaning);
  });
  if (rest.empty()) return -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.element->role != Role::item || static_cast<int>(i) == control || seen.row_switch >= 0) continue;
    if (now.can_tap(seen) && !now.tapped(seen) && coverage(rest, seen.terms) >= the_thing) return static_cast<int>(i);
  }
  return -1;
}

/// The row of the thing that something is to be done with.
int subject_of(const Situation& now, const Terms& nouns) {
  if (nouns.empty() || now.view.launcher) return -1;
  int best = -1;
  double best_score = 0;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!seen.tappable() || seen.is_field() || seen.row_switch >= 0 || is_risky(seen)) continue;
    const auto own = coverage(nouns, seen.terms);
    if (own < 0.4 || coverage(nouns, seen.terms, now.view.page_words) < the_thing) continue;
    if (own > best_score) {
      best = static_cast<int>(i);
      best_score = own;
    }
  }
  return best;
}

/// The labels that came with a step, as a history lists them.
std::vector<std::string> new_labels_of(std::string_view observed) {
  std::vector<std::string> labels;
  const auto news = observed.find("; new: \"");
  if (news == std::string_view::npos) return labels;
  auto rest = observed.substr(news + 8);
  for (auto next = rest.find("\", \""); next != std::string_view::npos; next = rest.find("\", \"")) {
    labels.emplace_back(rest.substr(0, next));
    rest.remove_prefix(next + 4);
  }
  if (rest.ends_with('"')) rest.remove_suffix(1);
  labels.emplace_back(rest);
  return labels;
}

/// Whether a message says no: in whole phrases, since "reports you need are kept" does not.
bool says_no(std::string_view message) {
  std::string words = " ";
  for (const auto& word : split_words(message)) words += word.lower + " ";
  for (const std::string_view excuse : {" no need ", " cant be undone ", " cannot be undone "}) {
    if (const auto at = words.find(excuse); at != std::string::npos) words.erase(at, excuse.size() - 1);
  }
  for (const std::string_view no :
       {" need a ",        " need an ",    " needs a ",       " needs an ",    " need to ",      " needs to ",
        " need your ",     " needs your ", " cant ",          " cannot ",      " could not ",    " couldnt ",
        " unable to ",     " failed to ",  " not available ", " unavailable ", " not possible ", " not allowed ",
        " not supported ", " nothing to ", " only be ",       " coming soon "}) {
    if (words.find(no) != std::string::npos) return true;
  }
  // "Upload failed", but not "0 reports failed".
  return words.ends_with(" failed ") && !words.starts_with(" 0 ") && !words.starts_with(" no ") &&
         !words.starts_with(" none ");
}

/// What the screen said after the last step where that was a no: "Calls need a SIM
/// card". Of what is new, only a message tells of the step: what stands in a dialog
/// or a short-lived notice, or the one label that came.
std::string refusal_of(const Situation& now) {
  const auto* last = now.last_of_part();
  if (last == nullptr || !last->had_effect) return {};
  const auto labels = new_labels_of(last->step->observed);
  for (const auto& label : labels) {
    const bool is_message =
        labels.size() == 1 || std::any_of(now.view.elements.begin(), now.view.elements.end(), [&](const auto& seen) {
          const auto id = to_lower_ascii(seen.element->resource_id);
          const bool notice = id.find("snackbar") != std::string::npos || id.find("toast") != std::string::npos;
          return (now.view.dialog || notice) && !seen.element->clickable && same_name(label, seen.element->label);
        });
    if (!is_message || !says_no(label)) continue;
    auto text = label;
    while (text.ends_with('.') || text.ends_with('!')) text.pop_back();
    return text;
  }
  return {};
}

}  // namespace

Pursuit pursue_operate(const Situation& now) {
  const auto& part = now.part();
  if (part.forbidden) return Stuck{in_quotes(part.text) + " says what is not to be, and no step makes that so."};
  if (contains(part.object, meaning("back")) && part.object.size() == 1) {
    if (now.done_in_part("Go back") > 0) return PartDone{"the page before is shown"};
    if (auto back = go_back(now, "Go back as asked")) return *std::move(back);
  }
  if (now.done_in_part("Use ") > 0) {
    if (const auto refusal = refusal_of(now); !refusal.empty())
      return Stuck{"It is refused: " + in_quotes(refusal) + "."};
  }
  if (now.done_in_part("Use ") > 0 && is_answer_to_own_act(now)) {
    if (const auto complaint = complaint_on(now.view); !complaint.empty()) return Stuck{in_quotes(complaint) + "."};
    return PartDone{"the app answers"};
  }
  if (now.done_in_part("Use ") > 0 && !now.view.dialog) return PartDone{"it was done"};
  if (part.object.empty()) return Stuck{"The goal does not say what is to be done."};
  if (!now.view.launcher) {
    if (auto step = set_shown_switch(now, part.object, true, true)) return *std::move(step);
  }
  if (const auto row = row_to_choose_first(now, part.object); row >= 0) {
    return tap(now, row, "Choose " + in_quotes(now.at(row).name) + ", which the goal names", "It is chosen");
  }
  if (const auto control = control_for(now, part.object); control >= 0) {
    return tap(now, control, "Use " + in_quotes(now.at(control).name) + " to " + in_quotes(part.text), "It is done");
  }
  if (asks_password(now.view)) {
    if (auto move = fill_fields(now)) return *std::move(move);
    if (const auto button = stage_button(now, {"connect", "ok", "save", "continue"}); button >= 0) {
      return tap(now, button, "Use " + in_quotes(now.at(button).name) + " to go on", "It is done");
    }
  }
  const Terms nouns(part.object.begin() + 1, part.object.end());
  if (const auto subject = subject_of(now, nouns); subject >= 0) {
    const auto& seen = now.at(subject);
    if (!now.tapped(seen) && now.can_tap(seen)) {
      return tap(now, subject, "Open " + in_quotes(seen.name) + " to " + in_quotes(part.text), "Its page is shown");
    }
    if (now.offers("long_press") && !now.memory.is_dead("long_press", now.view.base_page(), seen.name) &&
        now.memory.times_in_part("long_press", now.view.base_page(), seen.name, true, now.index) == 0) {
      return long_press(now, subject, "Hold " + in_quotes(seen.name) + " to get its menu", "A menu is shown");
    }
  }
  // The page of the thing does not offer it: its menu may, else the row itself when it is held.
  const auto trail = trail_of(now);
  if (!nouns.empty() && coverage(nouns, trail, now.view.page_words) >= 0.5) {
    if (const auto more = stage_button(now, {"more"}); more >= 0) {
      return tap(now, more, "Open the menu of the page", "A menu is shown");
    }
    const bool held = std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
      return deed.part == now.index && deed.step->tool == "long_press";
    });
    if (!held && now.offers("long_press") && has_way_up(now.view)) {
      if (auto back = go_back(now, "Go back to hold the row instead")) return *std::move(back);
    }
  }
  if (auto move = fill_fields(now)) return *std::move(move);
  auto quest = quest_of(now);
  if (!nouns.empty() && contains(part.object, meaning("favourite"))) {
    quest.wanted = nouns;
    quest.app = "shop";
    quest.search_text = part.object_text;
  }
  return seek(now, quest);
}

}  // namespace drover::providers::scripted
