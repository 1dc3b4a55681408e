#include "providers/scripted/clause_goods.hpp"

#include <algorithm>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

bool starts_goods(const ClauseWords& clause, std::size_t at) {
  return at < clause.end &&
         (clause.is(at, "a an the one some another") || count_of(clause.word(at)) > 0 || clause.tokens[at].is_quoted);
}

constexpr std::string_view pronouns = "it them this that these those both";

/// Where "into the basket" begins; the end where the clause says no such thing.
std::size_t place_of_basket(const ClauseWords& clause) {
  for (auto i = clause.begin + 1; i + 1 < clause.end; ++i) {
    if (clause.is(i, "to in into onto inside") &&
        contains(clause.terms_between(i + 1, std::min(clause.end, i + 4)), meaning("basket"))) {
      return i;
    }
  }
  return clause.end;
}

/// "Drop the mug from the basket": it is taken out.
bool leaves_basket(const ClauseWords& clause) {
  for (auto i = clause.begin + 1; i < clause.end; ++i) {
    if (clause.is(i, "out off away")) return true;
    if (clause.is(i, "from") && contains(clause.terms_between(i + 1, std::min(clause.end, i + 4)), meaning("basket"))) {
      return true;
    }
  }
  return false;
}

/// "Add a mug to my calendar": it goes somewhere that is no basket.
bool goes_elsewhere(const ClauseWords& clause) {
  const auto to = clause.find_last("to into onto", clause.begin + 1);
  if (to + 1 >= clause.end) return false;
  const auto where = clause.terms_between(to + 1, clause.end);
  return !where.empty() && !contains(where, meaning("basket")) && !contains(where, meaning("shop")) &&
         !contains(where, meaning("order"));
}

/// "Put a mug into the basket"; with a verb that is not known, too, where nothing
/// else can be meant: "haul a mug into the basket".
bool puts_into_basket(const ClauseWords& clause, std::size_t basket) {
  if (clause.is(clause.begin, "add")) return !goes_elsewhere(clause);
  if (clause.is(clause.begin,
                "put place drop get throw lay stick toss pop pack load slip set bring grab fetch stash tuck stuff")) {
    return contains(clause.terms, meaning("basket")) && !clause.is(clause.begin + 1, "rid") && !leaves_basket(clause);
  }
  // "Weigh the mug in the basket": what is in there already goes nowhere.
  return basket < clause.end && clause.is(basket, "to into onto inside") &&
         !begins_clause(clause.tokens, clause.begin) && starts_goods(clause, clause.begin + 1);
}

/// Whether it may be goods: nothing that a phone has an app for.
bool may_be_goods(const ClauseWords& clause, std::size_t at) {
  if (!starts_goods(clause, at) || clause.is(at, "the") || clause.tokens[at].is_quoted) return false;
  const auto app = usual_app(clause.terms_between(at, clause.end));
  return app.empty() || app == "shop";
}

/// "Get me a mug", "grab a mug".
bool fetches(const ClauseWords& clause) {
  if (!clause.is(clause.begin, "get grab fetch bring")) return false;
  const bool for_whom = clause.is(clause.begin + 1, "me us");
  return (for_whom || clause.is(clause.begin, "grab fetch")) && may_be_goods(clause, clause.begin + (for_whom ? 2 : 1));
}

/// "I'd like a mug" in a goal that names the shop or its basket: not all that one needs is goods.
bool is_wished_for(const ClauseWords& clause, const Goal& goal) {
  if (!contains(goal.words, meaning("basket")) && !contains(goal.words, meaning("shop"))) return false;
  return clause.begin > 0 && is_one_of(clause.tokens[clause.begin - 1].lower, "want need like love") &&
         may_be_goods(clause, clause.begin);
}

/// Also without its mark: "is a mug in my basket".
bool is_question(const ClauseWords& clause) {
  return clause.slice(clause.begin, clause.clause_end).ends_with('?') ||
         clause.is(clause.begin, "is are am was were do does did has what which how whether");
}

/// "Verify that …", "check whether …": nothing is to be changed.
bool is_only_checked(const ClauseWords& clause) {
  if (!clause.ensure) return false;
  const auto said = [&](std::size_t back) {
    return clause.begin >= back && is_one_of(clause.tokens[clause.begin - back].lower, "check verify confirm");
  };
  return said(1) || said(2) || said(3);
}

bool goal_puts_goods_last(const Goal& goal) {
  const auto last = std::find_if(goal.parts.rbegin(), goal.parts.rend(),
                                 [](const GoalPart& part) { return part.kind != PartKind::check_out; });
  return last != goal.parts.rend() && last->kind == PartKind::add;
}

}  // namespace

bool read_goods(const ClauseWords& clause, Goal& goal) {
  if (clause.is_negated()) return false;
  const auto basket = place_of_basket(clause);
  const bool buying = clause.is(clause.begin, "buy purchase order");
  if (!buying && !puts_into_basket(clause, basket) && !fetches(clause) && !is_wished_for(clause, goal)) return false;
  if (!buying && clause.is(clause.begin + 1, pronouns) && goal_puts_goods_last(goal)) {
    if (clause.begin + 2 < clause.end && !contains(clause.terms, meaning("basket"))) return false;
    // "I want to buy a lamp, lay it in my basket": said again, and no further than into the basket.
    if (goal.parts.back().kind == PartKind::check_out) goal.parts.pop_back();
    return true;
  }
  read_wanted_goods(clause, clause.begin + (starts_goods(clause, clause.begin) ? 0 : 1), basket, goal);
  if (buying) {
    GoalPart part;
    part.kind = PartKind::check_out;
    part.text = clause.original(clause.begin, clause.end);
    goal.parts.push_back(std::move(part));
  }
  return true;
}

bool read_basket_state(const ClauseWords& clause, Goal& goal) {
  if (!contains(clause.terms, meaning("basket")) || is_question(clause)) return false;
  if (clause.is_negated() || clause.is_without_thing()) return false;
  if (begins_clause(clause.tokens, clause.begin) || clause.find_word("was were had", clause.begin) < clause.end) {
    return false;
  }
  auto until = place_of_basket(clause);
  auto from = clause.begin;
  if (until < clause.end) {
    while (from < until && clause.is(from, "there should must needs need is are be to have see")) ++from;
    if (!starts_goods(clause, from) && starts_goods(clause, from + 1)) return false;
    until = std::min(until, clause.find_word("should must needs need is are be", from));
  } else {
    const auto holds = clause.find_word("contain contains hold holds have has include includes", clause.begin + 1);
    const bool about_basket = contains(clause.terms_between(clause.begin, holds), meaning("basket"));
    if (holds >= clause.end || !about_basket) return false;
    from = holds + 1;
  }
  if (from >= until) return false;
  if (is_only_checked(clause)) {
    auto part = make_part(clause, PartKind::find, from, until);
    part.place = read_terms("basket");
    part.value = part.object_text;
    return append(goal, std::move(part));
  }
  const auto before = goal.parts.size();
  read_wanted_goods(clause, from, until, goal);
  // What the basket should hold is to be seen there.
  const bool seen_there = clause.find_word("should must needs", clause.begin) < clause.end;
  for (auto i = before; seen_there && i < goal.parts.size(); ++i) goal.parts[i].place = read_terms("basket");
  return goal.parts.size() > before;
}

void read_wanted_goods(const ClauseWords& clause, std::size_t begin, std::size_t end, Goal& goal) {
  auto from = begin;
  for (auto i = begin + 1; i <= end; ++i) {
    const bool again = i < end && (clause.is(i, "and") ? starts_goods(clause, i + 1)
                                                       : clause.tokens[i].comma_before && starts_goods(clause, i));
    if (i < end && !again) continue;
    auto part = make_part(clause, PartKind::add, from,
                          std::min(i, clause.find_word("as delivered for with using paying by to", from)));
    // "The cheapest product of the brand": what all goods are says nothing of the one.
    if (part.object.size() > 1) {
      std::erase_if(part.object, [](const Term& term) { return term.meaning == meaning("product"); });
    }
    if (!part.object.empty() || part.pick != Pick::any || !goal.parts.empty()) goal.parts.push_back(std::move(part));
    from = i < end && clause.is(i, "and") ? i + 1 : i;
  }
}

bool read_check_out(const ClauseWords& clause, Goal& goal) {
  if (clause.is_prohibition()) {
    // "…, but do not buy it": as far as the basket is what the part before says.
    return clause.find_word("buy order purchase pay check checkout", clause.begin) < clause.end &&
           !goal.parts.empty() && goal.parts.back().kind == PartKind::add;
  }
  if (clause.is_negated()) return false;
  if (clause.is(clause.begin, verbs::reaching) && !contains(clause.terms, meaning("place_order"))) return false;
  const bool pronoun = clause.is(clause.begin + 1, "it them that this everything these those all");
  const bool ordering =
      clause.is(clause.begin, "buy order purchase") && (pronoun || contains(clause.terms, meaning("basket")));
  const bool names_it = contains(clause.terms, meaning("checkout")) || contains(clause.terms, meaning("place_order")) ||
                        (clause.is(clause.begin, "pay") && clause.end - clause.begin <= 8) ||
                        (clause.is(clause.begin, "complete finish") && contains(clause.terms, meaning("order")));
  if (!ordering && !names_it) return false;
  if (clause.is(clause.begin, "check") && clause.is(clause.begin + 1, "out") && clause.is(clause.begin + 2, "the") &&
      !contains(clause.terms, meaning("basket"))) {
    return append(goal, make_part(clause, PartKind::reach, clause.begin + 2, clause.end));
  }
  return append(goal, make_part(clause, PartKind::check_out, clause.begin, clause.end));
}

}  // namespace drover::providers::scripted
