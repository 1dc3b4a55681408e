#include <algorithm>
#include <array>

#include "providers/scripted/forms.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/seeking.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

const SeenElement& at(const Situation& now, int index) {
  return now.view.elements[static_cast<std::size_t>(index)];
}

bool wants_amount(const GoalPart& part) {
  for (const auto name : {"price", "battery", "version", "total", "quantity", "storage", "volume", "brightness"}) {
    if (contains(part.object, meaning(name))) return true;
  }
  return false;
}

bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool names_money(std::string_view text) {
  return text.find("$") != std::string_view::npos || text.find("\xE2\x82\xAC") != std::string_view::npos ||
         text.find("\xC2\xA3") != std::string_view::npos || text.find("EUR") != std::string_view::npos;
}

/// The object without meanings that a value shows by its form: a price by its sign.
Terms without_price(const Terms& object) {
  Terms rest = object;
  std::erase_if(rest, [](const Term& term) { return term.meaning == meaning("price"); });
  return rest;
}

/// The next text after an element in the same container: the value beside a caption.
std::string text_beside(const Situation& now, std::size_t index) {
  const auto& caption = now.view.elements[index];
  for (auto i = index + 1; i < now.view.elements.size() && i < index + 4; ++i) {
    const auto& next = now.view.elements[i];
    if (next.element->role != Role::text || next.element->label.empty()) {
      if (next.parent == caption.parent) break;
      continue;
    }
    return next.element->label;
  }
  return {};
}

/// The words of a question that its answer is made of on this screen; empty where it is not there.
std::string find_answer(const Situation& now) {
  const auto& part = now.part();
  const bool amount = wants_amount(part);
  const bool price = contains(part.object, meaning("price"));
  const auto object = without_price(part.object);
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.is_field() && seen.element->value.empty()) continue;
    Terms words = seen.terms;
    words.insert(words.end(), seen.row.begin(), seen.row.end());
    if (price && names_money(seen.element->label)) {
      if (object.empty() || coverage(object, words, now.view.title) >= the_thing) return seen.element->label;
      continue;
    }
    if (object.empty() || coverage(object, seen.terms) < the_thing) continue;
    if (!seen.element->value.empty()) return seen.element->label + " " + seen.element->value;
    if (seen.row_switch >= 0) {
      const bool on = at(now, seen.row_switch).element->checked;
      return seen.element->label + (on ? " is on" : " is off");
    }
    const bool says_more = seen.terms.size() > object.size() && (!(amount || seen.element->clickable) || has_digit(seen.element->label));
    if (says_more && !price) return seen.element->label;
    if (seen.element->clickable) continue;
    const auto beside = text_beside(now, i);
    if (!beside.empty() && (!amount || has_digit(beside)) && seen.terms.size() <= object.size() + 1) {
      return seen.element->label + ": " + beside;
    }
  }
  // The page is about it and shows one telling figure.
  if (amount && is_page_about(now.view, object)) {
    for (const auto& seen : now.view.elements) {
      if (seen.element->role == Role::text && has_digit(seen.element->label) && (!price || names_money(seen.element->label))) {
        return seen.element->label;
      }
    }
  }
  return {};
}

bool is_shown(const Situation& now, const Terms& wanted) {
  return std::any_of(now.view.elements.begin(), now.view.elements.end(), [&](const SeenElement& seen) {
    return !seen.is_field() && coverage(wanted, seen.terms) >= the_thing;
  });
}

bool searched(const Situation& now) {
  return std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == now.index && deed.step->tool == "input_text" && deed.had_effect;
  });
}

bool goal_says_search(const Situation& now) {
  const auto words = split_words(now.part().text);
  return !words.empty() && (words.front().lower == "search" || words.front().lower == "look");
}

}  // namespace

Pursuit pursue_reach(const Situation& now) {
  const auto& part = now.part();
  const bool means_home = part.object.size() == 1 && contains(part.object, meaning("home"));
  if (means_home && now.view.launcher) return PartDone{"the home screen is shown"};
  if (means_home && now.offers("press_key") && !now.memory.is_dead("press_key", now.view.base_page(), "")) {
    return press("home", "Go to the home screen", "The home screen is shown");
  }
  if (!now.view.launcher && part.pick == Pick::any && is_page_about(now.view, part.object)) {
    return PartDone{"the page is " + std::string{now.view.page()}};
  }
  if (part.pick == Pick::any && came_by_tapping(now, part.object)) return PartDone{"its page is open"};
  if (now.done_in_part("Open the one that is meant") > 0) return PartDone{"it is open"};
  const bool vague = std::all_of(part.object.begin(), part.object.end(), [](const Term& term) { return term.weight < 1; }) ||
                     contains(part.object, meaning("result"));
  const auto thing = part.pick == Pick::any ? -1 : thing_on_screen(now, vague ? Terms{} : part.object, part.pick);
  if (thing >= 0) {
    return tap(now, thing, "Open the one that is meant, " + in_quotes(at(now, thing).name), "Its page is shown");
  }
  // A tab or a fold-out of the same page shows the thing without another page name.
  const auto* last = now.last_of_part();
  if (last != nullptr && last->step->tool == "tap" && last->had_effect && !now.view.launcher &&
      coverage(part.object, read_identifier(last->step->on)) >= the_thing) {
    return PartDone{in_quotes(last->step->on) + " was opened"};
  }
  auto quest = quest_of(now);
  if (quest.app == "shop" && !contains(part.object, meaning("shop"))) {
    const bool a_place = usual_app(part.object) == "shop";
    if (!a_place) quest.search_text = part.object_text;
  }
  return seek(now, quest);
}

Pursuit pursue_find(const Situation& now) {
  const auto& part = now.part();
  const bool must_search = goal_says_search(now) && search_field(now.view) >= 0 && !searched(now);
  if (!must_search && is_shown(now, part.object)) {
    const auto thing = thing_on_screen(now, part.object, part.pick);
    const bool opened = came_by_tapping(now, part.object) || is_page_about(now.view, part.object);
    const bool open_it = thing >= 0 && !goal_says_search(now) && !opened && now.is_last_part() &&
                         at(now, thing).row_switch < 0 && !is_risky(at(now, thing)) && !now.tapped(at(now, thing));
    if (open_it) return tap(now, thing, "Open " + in_quotes(at(now, thing).name) + ", which is what is looked for", "Its page is shown");
    return PartDone{"it is on the screen"};
  }
  if (came_by_tapping(now, part.object)) return PartDone{"its page is open"};
  auto quest = quest_of(now);
  quest.search_text = part.value;
  if (quest.app.empty()) quest.app = usual_app(read_terms(part.text));
  return seek(now, quest);
}

Pursuit pursue_read(const Situation& now) {
  if (!now.view.launcher) {
    if (const auto answer = find_answer(now); !answer.empty()) return PartDone{answer};
  }
  auto quest = quest_of(now);
  if (contains(now.part().object, meaning("price"))) {
    quest.wanted = without_price(quest.wanted);
    quest.app = "shop";
    const auto thing = thing_on_screen(now, quest.wanted, now.part().pick);
    if (thing >= 0 && !now.tapped(at(now, thing))) {
      return tap(now, thing, "Open " + in_quotes(at(now, thing).name) + " to read it", "Its page is shown");
    }
  }
  return seek(now, quest);
}

Pursuit pursue_operate(const Situation& now) {
  const auto& part = now.part();
  if (contains(part.object, meaning("back")) && part.object.size() == 1) {
    if (now.done_in_part("Go back") > 0) return PartDone{"the page before is shown"};
    if (auto back = go_back(now, "Go back as asked")) return *std::move(back);
  }
  if (now.done_in_part("Use ") > 0) return PartDone{"it was done"};
  Terms around = now.view.title;
  around.insert(around.end(), now.view.page_words.begin(), now.view.page_words.end());
  int best = -1;
  double best_own = 0;
  for (std::size_t i = 0; i < now.view.elements.size() && !now.view.launcher; ++i) {
    const auto& seen = now.view.elements[i];
    if (!now.can_tap(seen) || seen.is_field()) continue;
    const auto own = coverage(part.object, seen.terms);
    Terms near = around;
    near.insert(near.end(), seen.row.begin(), seen.row.end());
    if (own < 0.3 || coverage(part.object, seen.terms, near) < the_thing) continue;
    // What only names the topic of the page leads to it and does nothing more.
    if (own < the_thing && part.object.size() > 1 && !contains(seen.terms, part.object.front().meaning)) continue;
    if (own > best_own) {
      best = static_cast<int>(i);
      best_own = own;
    }
  }
  if (best >= 0) {
    return tap(now, best, "Use " + in_quotes(at(now, best).name) + " to " + in_quotes(part.text), "It is done");
  }
  if (auto move = fill_fields(now)) return *std::move(move);
  return seek(now, quest_of(now));
}

}  // namespace drover::providers::scripted
