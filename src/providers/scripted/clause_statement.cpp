#include "providers/scripted/clause_statement.hpp"

#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/clause_switch.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

bool read_statement(const ClauseWords& clause, Goal& goal) {
  if (begins_clause(clause.tokens, clause.begin) || clause.is(clause.begin, verbs::telling)) return false;
  const auto should = clause.find_word("should must needs", clause.begin + 1);
  if (should < clause.end && contains(clause.terms_between(should, clause.end), meaning("pin_top"))) {
    auto part = make_part(clause, PartKind::operate, clause.begin, should);
    const auto verb = read_terms("pin note");
    part.object.insert(part.object.begin(), verb.begin(), verb.end());
    return append(goal, std::move(part));
  }
  if (should < clause.end && clause.is(clause.end - 1, "ring work run active go")) {
    return append_switches(clause, true, clause.begin, should, goal);
  }
  // "The speaker was given away; the phone should forget it."
  if (should < clause.end && is_one_of(clause.word(should + 1), "forget lose drop delete remove")) {
    auto part = make_part(clause, PartKind::remove, should + 2, clause.end);
    return append(goal, std::move(part));
  }
  const auto fact = clause.find_word("was is were has have are", clause.begin + 1);
  if (should < clause.end || fact >= clause.end || clause.ensure || clause.end == clause.tokens.size() ||
      clause.is(clause.end - 1, "on off enabled disabled")) {
    return false;
  }
  // A fact that something later refers to.
  GoalPart part;
  part.kind = PartKind::read;
  read_object(clause, clause.begin, fact, part);
  goal.context = part.object;
  return true;
}

}  // namespace drover::providers::scripted
