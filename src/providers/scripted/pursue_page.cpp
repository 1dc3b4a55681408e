#include <algorithm>
#include <array>

#include "providers/scripted/forms.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/risks.hpp"
#include "providers/scripted/seeking.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

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
  auto around = now.view.title;
  const auto trail = trail_of(now);
  around.insert(around.end(), trail.begin(), trail.end());
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.is_field() && seen.element->value.empty()) continue;
    Terms words = seen.terms;
    words.insert(words.end(), seen.row.begin(), seen.row.end());
    if (price && names_money(seen.element->label)) {
      if (object.empty() || coverage(object, words, around) >= the_thing) return seen.element->label;
      continue;
    }
    // "Sold out" on the page of the gloves: the page and the way here say of what.
    const bool on_page = !seen.element->clickable && coverage(object, seen.terms) >= 0.3 && !seen.terms.empty() &&
                         coverage(object, seen.terms, around) >= the_thing && coverage(object, around) < the_thing;
    if (on_page) return seen.element->label;
    if (object.empty() || coverage(object, seen.terms) < the_thing) continue;
    if (!seen.element->value.empty()) return seen.element->label + " " + seen.element->value;
    if (seen.row_switch >= 0) {
      const bool on = now.at(seen.row_switch).element->checked;
      return seen.element->label + (on ? " is on" : " is off");
    }
    const bool says_more =
        seen.terms.size() > object.size() && (!(amount || seen.element->clickable) || has_digit(seen.element->label));
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
      if (seen.element->role == Role::text && has_digit(seen.element->label) &&
          (!price || names_money(seen.element->label))) {
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

bool says_nothing_found(const ScreenView& view) {
  return std::any_of(view.elements.begin(), view.elements.end(), [](const SeenElement& seen) {
    return !seen.element->clickable &&
           (contains(seen.terms, meaning("noth")) ||
            (contains(seen.terms, meaning("no")) && contains(seen.terms, meaning("result"))));
  });
}

/// A goal that is only about one word has no other wording to try.
int searches_left(const Situation& now) { return now.part().object.size() <= 1 ? 0 : 1; }

bool goal_says_search(const Situation& now) {
  const auto words = split_words(now.part().text);
  return !words.empty() && (words.front().lower == "search" || words.front().lower == "look");
}

// --- what is in the basket ---

/// Goods that are asked for as in the basket are on many pages, and in it on one.
bool is_outside_basket(const Situation& now) {
  return contains(now.part().place, meaning("basket")) && !is_basket_page(now.view);
}

Pursuit go_to_basket(const Situation& now) {
  auto quest = quest_of(now);
  quest.wanted = now.part().place;
  quest.app = "shop";
  return seek(now, quest);
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
  const bool all_apps = contains(part.object, meaning("all_apps"));
  if (all_apps && now.view.launcher && now.done_in_part("Look at all apps") > 0) {
    return PartDone{"the list of all apps is shown"};
  }
  if (all_apps && !now.view.launcher && now.offers("press_key")) {
    return press("home", "Go to the home screen", "The home screen is shown");
  }
  if (all_apps && now.offers("swipe")) {
    return swipe_on(now, std::nullopt, "up", "Look at all apps", "The list of apps is shown");
  }
  const bool vague =
      std::all_of(part.object.begin(), part.object.end(), [](const Term& term) { return term.weight < 1; }) ||
      contains(part.object, meaning("result"));
  const bool described = part.pick == Pick::any && part.object.size() > 1 && !now.view.launcher;
  const auto meant = described ? thing_on_screen(now, part.object, Pick::any) : -1;
  if (meant >= 0 && now.at(meant).element->role == Role::item && now.at(meant).row_switch < 0 &&
      !now.tapped(now.at(meant)) && coverage(part.object, now.at(meant).head) < the_thing) {
    return tap(now, meant, "Open the one that is meant, " + in_quotes(now.at(meant).name), "Its page is shown");
  }
  const auto thing = part.pick == Pick::any ? -1 : thing_on_screen(now, vague ? Terms{} : part.object, part.pick);
  if (thing >= 0) {
    return tap(now, thing, "Open the one that is meant, " + in_quotes(now.at(thing).name), "Its page is shown");
  }
  // A tab or a fold-out of the same page shows the thing without another page name.
  const auto* last = now.last_of_part();
  if (last != nullptr && last->step->tool == "tap" && last->had_effect && !now.view.launcher &&
      coverage(part.object, read_identifier(head_of(last->step->on))) >= the_thing) {
    return PartDone{in_quotes(last->step->on) + " was opened"};
  }
  const auto first_word = split_words(part.text);
  const bool shows =
      !first_word.empty() && (first_word.front().lower == "show" || first_word.front().lower == "display");
  if (shows && !now.view.launcher) {
    if (auto step = set_shown_switch(now, part.object, true, true)) return *std::move(step);
  }
  // The page is the right one, and what the goal names has to be put on it.
  const auto on_page = coverage(part.object, now.view.title);
  if (part.object.size() > 1 && on_page >= 0.4 && on_page < the_thing && !now.view.launcher) {
    Terms rest;
    for (const auto& term : part.object) {
      if (!contains(now.view.title, term.meaning)) rest.push_back(term);
    }
    const bool added = now.done_in_part("Add what") > 0;
    if (added && is_shown(now, rest) && !now.view.dialog) return PartDone{"it is on the page"};
    if (const auto add = stage_button(now, {"add"}); add >= 0 && now.done_in_part("Add what") == 0) {
      return tap(now, add, "Add what the page does not show yet", "A way to add it is shown");
    }
  }
  auto quest = quest_of(now);
  if (now.done_in_part("Add what") > 0) {
    quest.search_text.clear();
    for (const auto& term : part.object) {
      if (!contains(now.view.page_words, term.meaning) && term.stems.empty()) quest.search_text = term.stem;
    }
  }
  if (quest.app == "shop" && !contains(part.object, meaning("shop"))) {
    const bool a_place = usual_app(part.object) == "shop";
    if (!a_place) quest.search_text = part.object_text;
  }
  return seek(now, quest);
}

Pursuit pursue_find(const Situation& now) {
  const auto& part = now.part();
  if (is_outside_basket(now)) return go_to_basket(now);
  const bool nothing_found = searched(now) && goal_says_search(now) && says_nothing_found(now.view);
  if (nothing_found && searches_left(now) == 0) return PartDone{"the search was made and found nothing"};
  const bool must_search = goal_says_search(now) && search_field(now.view) >= 0 && !searched(now);
  if (!must_search && is_shown(now, part.object)) {
    const auto thing = thing_on_screen(now, part.object, part.pick);
    const bool opened = came_by_tapping(now, part.object) || is_page_about(now.view, part.object);
    const bool open_it = thing >= 0 && !goal_says_search(now) && !opened && now.is_last_part() &&
                         now.at(thing).row_switch < 0 && !is_risky(now.at(thing)) && !now.tapped(now.at(thing));
    if (open_it) {
      return tap(now, thing, "Open " + in_quotes(now.at(thing).name) + ", which is what is looked for",
                 "Its page is shown");
    }
    return PartDone{"it is on the screen"};
  }
  if (came_by_tapping(now, part.object)) return PartDone{"its page is open"};
  auto quest = quest_of(now);
  quest.search_text = part.value;
  if (quest.app.empty()) quest.app = usual_app(read_terms(part.text));
  return seek(now, quest);
}

Pursuit pursue_read(const Situation& now) {
  if (is_outside_basket(now)) return go_to_basket(now);
  if (!now.view.launcher) {
    // A row that only sums up leads to the page that tells.
    for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
      const auto& seen = now.view.elements[i];
      const bool leads =
          seen.element->role == Role::item && now.can_tap(seen) && seen.row_switch < 0 && !now.tapped(seen);
      if (!leads || is_choice(now.view, i) || coverage(without_price(now.part().object), seen.terms) < the_thing) {
        continue;
      }
      return tap(now, static_cast<int>(i), "Open " + in_quotes(seen.name) + " to read it", "Its page is shown");
    }
    if (const auto answer = find_answer(now); !answer.empty()) return PartDone{answer};
  }
  auto quest = quest_of(now);
  if (quest.app == "shop") {
    for (const auto& term : without_price(now.part().object)) {
      if (usual_app({term}) != "shop") quest.search_text += (quest.search_text.empty() ? "" : " ") + term.stem;
    }
  }
  if (contains(now.part().object, meaning("price"))) {
    quest.wanted = without_price(quest.wanted);
    quest.app = "shop";
    const auto thing = thing_on_screen(now, quest.wanted, now.part().pick);
    if (thing >= 0 && !now.tapped(now.at(thing))) {
      return tap(now, thing, "Open " + in_quotes(now.at(thing).name) + " to read it", "Its page is shown");
    }
  }
  return seek(now, quest);
}

}  // namespace drover::providers::scripted
