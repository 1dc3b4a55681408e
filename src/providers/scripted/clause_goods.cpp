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

}  // namespace

bool read_goods(const ClauseWords& clause, Goal& goal) {
  const auto w = clause.word(clause.begin);
  const bool buying = is_one_of(w, "buy purchase order");
  const bool adding = is_one_of(w, "add put place drop get throw") && !clause.is(clause.begin + 1, "rid");
  if (!buying && !adding) return false;
  if (adding && !contains(clause.terms, meaning("basket")) && w != "add") return false;
  auto until = clause.end;
  if (contains(clause.terms, meaning("basket"))) {
    for (auto i = clause.begin + 1; i + 1 < clause.end; ++i) {
      if (clause.is(i, "to in into") &&
          contains(clause.terms_between(i + 1, std::min(clause.end, i + 4)), meaning("basket"))) {
        until = i;
        break;
      }
    }
  }
  read_wanted_goods(clause, clause.begin + 1, until, goal);
  if (buying) {
    GoalPart part;
    part.kind = PartKind::check_out;
    part.text = clause.original(clause.begin, clause.end);
    goal.parts.push_back(std::move(part));
  }
  return true;
}

void read_wanted_goods(const ClauseWords& clause, std::size_t begin, std::size_t end, Goal& goal) {
  auto from = begin;
  for (auto i = begin + 1; i <= end; ++i) {
    const bool again = i < end && (clause.is(i, "and") ? starts_goods(clause, i + 1)
                                                       : clause.tokens[i].comma_before && starts_goods(clause, i));
    if (i < end && !again) continue;
    auto part = make_part(clause, PartKind::add, from,
                          std::min(i, clause.find_word("as delivered for with using paying by to", from)));
    if (!part.object.empty() || part.pick != Pick::any || !goal.parts.empty()) goal.parts.push_back(std::move(part));
    from = i < end && clause.is(i, "and") ? i + 1 : i;
  }
}

bool read_check_out(const ClauseWords& clause, Goal& goal) {
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
