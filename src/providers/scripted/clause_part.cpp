#include "providers/scripted/clause_part.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "providers/scripted/goal_verbs.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view place_words =
    "settings setting menu page app screen section tab list category basket cart shop store account launcher folder "
    "drawer preferences phone device smartphone handset mobile";

}  // namespace

GoalPart make_part(const ClauseWords& clause, PartKind kind, std::size_t begin, std::size_t end) {
  GoalPart part;
  part.kind = kind;
  part.text = clause.original(clause.begin, clause.end);
  end = std::min(end, clause.find_word("when whenever while because if so since until", begin + 1));
  std::size_t object_end = end;
  for (auto i = begin + 1; i + 1 < end; ++i) {
    if (!clause.is(i, "in on under inside within from at of for to into")) continue;
    const auto rest = clause.terms_between(i + 1, end);
    const bool named = std::any_of(clause.tokens.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                   clause.tokens.begin() + static_cast<std::ptrdiff_t>(end),
                                   [](const GoalToken& token) { return is_one_of(token.lower, place_words); });
    const bool close = end - i <= 4;
    if (!named || !close || (clause.is(i, "of for to into") && !clause.is(end - 1, "phone device smartphone app"))) {
      continue;
    }
    if (!clause.device_only(i + 1, end)) part.place = rest;
    object_end = i;
    break;
  }
  read_object(clause, begin, object_end, part);
  return part;
}

void read_object(const ClauseWords& clause, std::size_t begin, std::size_t end, GoalPart& part) {
  std::string rest;
  for (auto i = begin; i < end; ++i) {
    if (clause.tokens[i].used) continue;
    const auto w = clause.word(i);
    if (is_one_of(w, "cheapest")) {
      part.pick = Pick::cheapest;
    } else if (w == "most" && clause.is(i + 1, "expensive")) {
      part.pick = Pick::dearest;
      ++i;
    } else if (w == "least" && clause.is(i + 1, "expensive")) {
      part.pick = Pick::cheapest;
      ++i;
    } else if (is_one_of(w, "dearest priciest")) {
      part.pick = Pick::dearest;
    } else if (w == "most" && clause.is(i + 1, "recent")) {
      part.pick = Pick::first;
      ++i;
    } else if (is_one_of(w, "first top newest latest topmost") && part.pick == Pick::any && i + 1 < end) {
      part.pick = Pick::first;
    } else if (w == "last" && i + 1 < end) {
      part.pick = Pick::last;
    } else if (rest.empty() && is_one_of(w, "page screen product details view settings part section") &&
               clause.is(i + 1, "of for page about") && i + 2 < end) {
      if (clause.is(i + 1, "page")) ++i;
      ++i;
    } else if (part.kind == PartKind::add && is_one_of(w, "twice")) {
      part.quantity = 2;
    } else if (part.kind == PartKind::add && w == "couple") {
      part.quantity = 2;
    } else if (part.kind == PartKind::add && is_one_of(w, "pair pairs piece pieces times copies unit units x")) {
      continue;
    } else if (part.kind == PartKind::add && rest.empty() && count_of(w) > 0) {
      part.quantity = std::clamp(count_of(w), 1, 50);
    } else {
      if (!rest.empty()) rest += ' ';
      rest += clause.tokens[i].is_quoted ? clause.tokens[i].quoted : clause.tokens[i].lower;
    }
  }
  take_object(rest, read_terms(rest), part);
}

void take_object(std::string_view text, Terms terms, GoalPart& part) {
  part.object_text =
      terms.empty() ? std::string_view{} : text.substr(terms.front().begin, terms.back().end - terms.front().begin);
  const bool meaty = std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.weight >= 1; });
  if (meaty) std::erase_if(terms, [](const Term& term) { return term.weight < 1; });
  part.object = std::move(terms);
}

int count_of(std::string_view word) {
  if (word.size() > 1 && word.back() == 'x' && is_number(word)) word.remove_suffix(1);
  return small_number(word);
}

bool append(Goal& goal, GoalPart part) {
  goal.parts.push_back(std::move(part));
  return true;
}

}  // namespace drover::providers::scripted
