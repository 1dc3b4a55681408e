#include <algorithm>

#include "providers/scripted/exploring.hpp"
#include "providers/scripted/forms.hpp"
#include "providers/scripted/obstacles.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/risks.hpp"
#include "providers/scripted/seeking.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view putting = "Add to the basket";
constexpr std::string_view removing = "Take away";

bool is_number_term(const Term& term) { return !term.stem.empty() && term.stem[0] >= '0' && term.stem[0] <= '9'; }

bool adds_to_basket(const SeenElement& seen) {
  if (seen.is_field() || is_switch(*seen.element)) return false;
  const bool add =
      contains(seen.terms, meaning("add")) || contains(seen.terms, meaning("buy")) ||
      (contains(seen.terms, meaning("basket")) && seen.terms.size() >= 2 && contains(seen.terms, meaning("put")));
  if (!add || contains(seen.terms, meaning("favourite"))) return false;
  return contains(seen.terms, meaning("basket")) || seen.terms.size() <= 2;
}

/// Whether a step changed a page so that it tells of goods in the basket: the button may be called anything.
bool filled_the_basket(const Deed& deed) {
  if (deed.step->tool != "tap" || !deed.had_effect || deed.doubtful || deed.page != deed.next_page) return false;
  auto news = std::string_view{deed.step->observed};
  const auto begin = news.find("; new: ");
  if (begin == std::string_view::npos) return false;
  for (auto open = news.find('"', begin); open != std::string_view::npos; open = news.find('"', open)) {
    const auto close = news.find('"', open + 1);
    if (close == std::string_view::npos) return false;
    const auto name = news.substr(open + 1, close - open - 1);
    const auto terms = read_terms(name);
    open = close + 1;
    if (contains(terms, meaning("basket")) && !contains(terms, meaning("add")) && amount_in(name) >= 1) return true;
  }
  return false;
}

bool says_putting(const Deed& deed) {
  return without_part_mark(deed.step->purpose).substr(0, putting.size()) == putting;
}

/// Whether the element puts things into the basket, by its name or by what came of it.
bool is_add_button(const Situation& now, const SeenElement& seen) {
  if (adds_to_basket(seen)) return true;
  if (seen.is_field() || is_switch(*seen.element)) return false;
  return std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.page == now.view.base_page() && filled_the_basket(deed) && same_name(deed.step->on, seen.name);
  });
}

/// Whether the page shows the product itself rather than a list of products.
bool is_product_page(const Situation& now, const Terms& object) {
  if (is_basket_page(now.view)) return false;
  if (is_page_about(now.view, object) || came_by_tapping(now, object)) return true;
  return now.done_in_part("Look at") > 0 && now.last_of_part() != nullptr &&
         now.last_of_part()->step->tool != "press_key" && object.empty();
}

/// "To the basket" beside "Basket, 2 items": of two buttons the one without a number puts things in.
bool is_second_basket_button(const Situation& now, const SeenElement& seen) {
  const auto is_of_basket = [](const SeenElement& one) {
    return one.element->clickable && contains(one.terms, meaning("basket"));
  };
  return is_of_basket(seen) && seen.element->role == Role::button && amount_in(seen.element->label) < 0 &&
         std::any_of(now.view.elements.begin(), now.view.elements.end(), [&](const SeenElement& other) {
           return &other != &seen && is_of_basket(other) && amount_in(other.element->label) >= 0;
         });
}

int add_button(const Situation& now, const Terms& object) {
  const bool product_page = is_product_page(now, object);
  int best = -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    const bool second = product_page && is_second_basket_button(now, seen);
    if ((!second && !is_add_button(now, seen)) || !now.can_tap(seen)) continue;
    const bool in_its_row = !object.empty() && coverage(object, seen.terms, seen.row) >= the_thing;
    if (in_its_row) return static_cast<int>(i);
    if (product_page && (best < 0 || contains(seen.terms, meaning("basket")))) best = static_cast<int>(i);
  }
  return best;
}

bool says_ordered(const ScreenView& view) {
  for (const auto& seen : view.elements) {
    if (seen.element->clickable) continue;
    const bool thanks = contains(seen.terms, meaning("thank")) || contains(seen.terms, meaning("order_done"));
    if (thanks) return true;
    if (contains(seen.terms, meaning("order")) &&
        (contains(seen.terms, meaning("plac")) || contains(seen.terms, meaning("confirm")) ||
         contains(seen.terms, meaning("receiv")) || contains(seen.terms, meaning("complet")) ||
         contains(seen.terms, meaning("success")))) {
      return true;
    }
  }
  return false;
}

bool says_empty(const ScreenView& view) {
  return std::any_of(view.elements.begin(), view.elements.end(), [](const SeenElement& seen) {
    return !seen.element->clickable &&
           (contains(seen.terms, meaning("empty")) || contains(seen.terms, meaning("noth")));
  });
}

/// A choice that the goal names in passing: "delivered tomorrow" where express is offered.
std::optional<Move> choose_named_option(const Situation& now) {
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.element->role != Role::radio || seen.element->checked || seen.element->selected || !now.can_tap(seen) ||
        now.tapped(seen)) {
      continue;
    }
    const bool named = std::any_of(seen.terms.begin(), seen.terms.end(), [&](const Term& term) {
      return term.weight >= 1 && !is_number_term(term) && term.meaning != meaning("shop") &&
             contains(now.goal.words, term.meaning);
    });
    if (named) {
      return tap(now, static_cast<int>(i), "Choose " + in_quotes(seen.name) + ", which the goal names",
                 in_quotes(seen.name) + " is chosen");
    }
  }
  return std::nullopt;
}

/// An option that the product wants chosen first: the first one not chosen yet.
std::optional<Move> choose_option(const Situation& now) {
  const bool chosen = std::any_of(now.view.elements.begin(), now.view.elements.end(), [](const SeenElement& seen) {
    return seen.element->role == Role::radio && (seen.element->checked || seen.element->selected);
  });
  if (chosen) return std::nullopt;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.element->role != Role::radio || !now.can_tap(seen)) continue;
    return tap(now, static_cast<int>(i), "Choose " + in_quotes(seen.name) + " since one has to be chosen",
               in_quotes(seen.name) + " is chosen");
  }
  return std::nullopt;
}

/// "Basket, 2 items": how many things the page itself says are in it; -1 where it does not tell.
int counter_on(const Situation& now) {
  for (const auto& seen : now.view.elements) {
    if (!contains(seen.terms, meaning("basket")) || is_add_button(now, seen)) continue;
    if (const auto amount = amount_in(seen.element->label); amount >= 0) return static_cast<int>(amount);
  }
  return is_basket_page(now.view) && says_empty(now.view) ? 0 : -1;
}

/// How often something went into the basket for a part, as far as it was seen. A
/// button that only names the basket may lead to it instead.
int seen_to_go_in(const Situation& now, std::size_t part) {
  Situation then = now;
  then.index = part;
  const auto& deeds = now.memory.deeds();
  const auto unplanned = std::count_if(deeds.begin(), deeds.end(), [&](const Deed& deed) {
    return deed.part == part && !says_putting(deed) && filled_the_basket(deed);
  });
  const auto only_looked = std::count_if(deeds.begin(), deeds.end(), [&](const Deed& deed) {
    return deed.part == part && deed.had_effect && !deed.doubtful && says_putting(deed) &&
           read_terms(deed.step->on) == read_terms("basket") &&
           contains(read_identifier(deed.next_page), meaning("basket"));
  });
  return then.done_in_part(putting) + static_cast<int>(unplanned - only_looked);
}

/// How often it was put into the basket. A tap whose effect nobody saw counts where
/// the page itself says so, and none does where the page says that nothing is in it.
int put_into_basket(const Situation& now) {
  const auto counter = counter_on(now);
  if (counter == 0) return 0;
  const auto seen = seen_to_go_in(now, now.index);
  const bool hidden = std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == now.index && (deed.covered || deed.doubtful) && deed.step->tool == "tap" &&
           (says_putting(deed) || deed.page == now.view.base_page());
  });
  int all = 0;
  for (std::size_t part = 0; part <= now.index; ++part) all += seen_to_go_in(now, part);
  return hidden && counter > all ? seen + 1 : seen;
}

Pursuit look_into_basket(const Situation& now, std::string evidence) {
  const bool asked_for = contains(now.part().place, meaning("basket"));
  if (!asked_for && counter_on(now) >= now.part().quantity) return PartDone{std::move(evidence)};
  if (!now.is_last_part() || is_basket_page(now.view)) return PartDone{std::move(evidence)};
  const auto basket = stage_button(now, {"basket"});
  if (basket < 0 || is_add_button(now, now.at(basket)) || now.done_in_part("Look into the basket") > 0) {
    return PartDone{std::move(evidence)};
  }
  return tap(now, basket, "Look into the basket to check what is in it", "The basket shows what was added");
}

}  // namespace

bool picks_by_price(const GoalPart& part) { return part.pick == Pick::cheapest || part.pick == Pick::dearest; }

/// Of a list that goes on below the screen nobody knows the cheapest before it is
/// sorted: the step towards that; nothing where it is, or can't be.
std::optional<Move> sort_by_price(const Situation& now) {
  const auto wanted = read_terms(now.part().pick == Pick::cheapest ? "lowest" : "highest");
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!now.view.dialog || !now.can_tap(seen) || coverage(wanted, seen.terms) < 0.8) continue;
    return tap(now, static_cast<int>(i), "Sort the list by " + in_quotes(seen.name), "The list is sorted");
  }
  const auto button = now.view.launcher || list_index(now) < 0 ? -1 : stage_button(now, {"filter"});
  if (button < 0 || now.done_in_part("Sort the list") > 0) return std::nullopt;
  return tap(now, button, "Open what sorts the list", "Ways to sort are shown");
}

/// Whether the page is the one that was picked, and none that was opened on the way.
bool came_by_picking(const Situation& now) {
  const auto& deeds = now.memory.deeds();
  const auto entry = std::find_if(deeds.rbegin(), deeds.rend(), [&](const Deed& deed) {
    return !deed.cleared && deed.page != deed.next_page && deed.next_page == now.view.base_page();
  });
  return entry != deeds.rend() && without_part_mark(entry->step->purpose).starts_with("Look at");
}

/// Whether what the part picks can be told on this screen.
bool can_pick(const Situation& now) {
  return !picks_by_price(now.part()) || now.done_in_part("Sort the list") > 0 || !can_scroll(now);
}

Pursuit pursue_add(const Situation& now) {
  const auto& part = now.part();
  const auto added = put_into_basket(now);
  if (added >= part.quantity) {
    return look_into_basket(now, std::to_string(added) + " × " + in_quotes(part.text) + " went into the basket");
  }
  if (added == 0 && seen_to_go_in(now, now.index) > part.quantity) {
    return Stuck{"The basket stays empty, whatever is put into it."};
  }
  if (!can_pick(now) || now.view.dialog) {
    if (auto move = picks_by_price(part) ? sort_by_price(now) : std::nullopt) return *std::move(move);
  }
  const bool picked = !picks_by_price(part) || came_by_picking(now);
  const auto button = picked ? add_button(now, part.object) : -1;
  if (button >= 0) {
    auto move = tap(now, button,
                    std::string{putting} + ", " + std::to_string(added + 1) + " of " + std::to_string(part.quantity),
                    "The basket holds one more");
    return move;
  }
  if (is_product_page(now, part.object)) {
    if (auto option = choose_option(now)) return *std::move(option);
  }
  const auto thing = can_pick(now) ? thing_on_screen(now, part.object, part.pick) : -1;
  if (thing >= 0 && !is_basket_page(now.view) && !now.view.launcher && !is_add_button(now, now.at(thing)) &&
      now.at(thing).row_switch < 0 &&
      now.memory.times_in_part("tap", now.view.base_page(), now.at(thing).name, true, now.index) < 2) {
    return tap(now, thing, "Look at " + in_quotes(now.at(thing).name), "Its page is shown");
  }
  auto quest = quest_of(now);
  quest.search_text = part.object_text;
  return seek(now, quest);
}

Pursuit pursue_check_out(const Situation& now) {
  const auto committed = now.done_in_part("Place the order");
  if (committed > 0 && says_ordered(now.view)) return PartDone{"the shop confirms the order"};
  if (auto move = fill_fields(now)) return *std::move(move);
  if (now.done_in_part("Go on to the checkout") > 0) {
    if (auto option = choose_named_option(now)) return *std::move(option);
  }
  const bool gives_address = std::any_of(now.goal.texts.begin(), now.goal.texts.end(), [](const FieldText& text) {
    return contains(text.field, meaning("address"));
  });
  if (committed > 0 && gives_address) {
    // What the order still needs, such as an address, has its own form.
    if (const auto button = stage_button(now, {"save", "add"}); button >= 0 && !adds_to_basket(now.at(button))) {
      return tap(now, button, "Give what the order still needs with " + in_quotes(now.at(button).name),
                 "The order can go on");
    }
  }
  if (asks_password(now.view)) {
    if (const auto button = stage_button(now, {"sign_in", "continue", "ok"}); button >= 0 && !now.goal.texts.empty()) {
      return tap(now, button, "Sign in, which the shop asks for first", "The checkout goes on");
    }
  }
  if (const auto button = stage_button(now, {"place_order", "pay"}); button >= 0) {
    return tap(now, button, "Place the order with " + in_quotes(now.at(button).name), "The shop confirms the order");
  }
  if (committed > 0 && !now.view.dialog) {
    if (const auto complaint = complaint_on(now.view); !complaint.empty()) {
      return Stuck{"The order was not taken: " + in_quotes(complaint) + "."};
    }
    const bool asks_more = std::any_of(now.view.elements.begin(), now.view.elements.end(), [](const SeenElement& seen) {
      return seen.is_field() && seen.element->value.empty() && !contains(seen.terms, meaning("search"));
    });
    if (asks_more) return Stuck{"The order asks for something that the goal does not give."};
  }
  if (is_basket_page(now.view) && says_empty(now.view)) {
    return Stuck{"The basket is empty, so there is nothing to order."};
  }
  if (committed > 0 && now.view.dialog) {
    return Stuck{"The shop asks for something before it takes the order, and the goal does not give it."};
  }
  const bool begun = now.done_in_part("Go on to the checkout") > 0;
  if (const auto button = stage_button(now, {"checkout"}); button >= 0) {
    return tap(now, button, "Go on to the checkout", "The checkout is shown");
  }
  if (begun) {
    if (const auto button = stage_button(now, {"buy", "confirm", "continue", "order", "save", "ok"}); button >= 0) {
      const auto purpose =
          contains(now.at(button).terms, meaning("continue")) ? "Go on with the checkout" : "Place the order";
      return tap(now, button, purpose, "The next step of the checkout is shown");
    }
    if (auto option = choose_option(now)) return *std::move(option);
    if (const auto complaint = complaint_on(now.view); !complaint.empty()) {
      return Stuck{"The checkout says " + in_quotes(complaint) + "."};
    }
  }
  if (const auto basket = stage_button(now, {"basket"}); basket >= 0 && !is_add_button(now, now.at(basket))) {
    return tap(now, basket, "Go to the basket to order what is in it", "The basket is shown");
  }
  auto quest = quest_of(now);
  quest.wanted = read_terms("checkout");
  quest.near = read_terms("basket");
  return seek(now, quest);
}

Pursuit pursue_remove(const Situation& now) {
  const auto& part = now.part();
  const auto removed = now.done_in_part(removing);
  const auto thing = thing_on_screen(now, part.object, part.pick);
  const bool all = part.value == "all";
  const bool visible = std::any_of(now.view.elements.begin(), now.view.elements.end(), [&](const SeenElement& seen) {
    return coverage(part.object, seen.terms) >= the_thing && !is_risky(seen);
  });
  if (removed > 0 && !all && !visible && !now.view.dialog) return PartDone{"it is gone"};
  if (all && (is_page_about(now.view, part.object) || removed > 0) && says_empty(now.view)) {
    return PartDone{"it is empty"};
  }
  if (all && is_page_about(now.view, part.object)) {
    if (const auto button = stage_button(now, {"empty"}); button >= 0) {
      return tap(now, button, std::string{removing} + " everything with " + in_quotes(now.at(button).name),
                 "Nothing is left");
    }
  }
  const auto place_reached = part.place.empty() || is_page_about(now.view, part.place);
  int button = -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!(contains(seen.terms, meaning("delete")) || contains(seen.terms, meaning("forget"))) ||
        !seen.element->clickable) {
      continue;
    }
    if (!seen.tappable() || now.memory.is_dead("tap", now.view.base_page(), seen.name)) continue;
    const bool in_its_row = coverage(part.object, seen.terms, seen.row) >= the_thing;
    const bool on_its_page = came_by_tapping(now, part.object) || is_page_about(now.view, part.object);
    const bool any_will_do =
        (all && is_page_about(now.view, part.object)) ||
        (place_reached && !part.place.empty() &&
         std::all_of(part.object.begin(), part.object.end(), [](const Term& term) { return term.weight < 1; }));
    if (in_its_row || on_its_page || any_will_do) {
      button = static_cast<int>(i);
      break;
    }
  }
  if (button >= 0) {
    return tap(now, button, std::string{removing} + " with " + in_quotes(now.at(button).name),
               "It is gone, or a question asks to confirm");
  }
  if (removed > 0 && all && is_page_about(now.view, part.object)) return PartDone{"nothing is left to take away"};
  if (thing >= 0 && place_reached && !now.view.launcher && now.at(thing).row_switch < 0) {
    if (!now.tapped(now.at(thing))) {
      return tap(now, thing, "Open " + in_quotes(now.at(thing).name) + " to take it away", "Its page is shown");
    }
    const auto pressed =
        now.memory.times_in_part("long_press", now.view.base_page(), now.at(thing).name, true, now.index);
    if (pressed == 0 && now.offers("long_press") &&
        !now.memory.is_dead("long_press", now.view.base_page(), now.at(thing).name)) {
      return long_press(now, thing, "Hold " + in_quotes(now.at(thing).name) + " to get its menu",
                        "A menu or a selection is shown");
    }
  }
  auto quest = quest_of(now);
  if (!part.place.empty() && !place_reached) quest.wanted = part.place;
  auto step = seek(now, quest);
  if (removed > 0 && std::holds_alternative<Stuck>(step)) return PartDone{"it was taken away and is no longer shown"};
  return step;
}

}  // namespace drover::providers::scripted
