#include "providers/scripted/clause_operate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "providers/scripted/clause_part.hpp"

namespace drover::providers::scripted {

namespace {

/// For a search box, where the clause's own words hold the mark, too.
std::string stems_of(const Terms& terms) {
  std::string text;
  for (const auto& term : terms) text += (text.empty() ? "" : " ") + term.stem;
  return text;
}

}  // namespace

bool read_marking(const ClauseWords& clause, Goal& goal) {
  if (!contains(clause.terms, meaning("favourite")) ||
      !clause.is(clause.begin, "mark save add keep put remember make set")) {
    return false;
  }
  auto part = make_part(clause, PartKind::operate, clause.begin + (clause.is(clause.begin, "remember") ? 0 : 1),
                        std::min(clause.end, clause.find_word("without", clause.begin)));
  std::erase_if(part.object, [](const Term& term) { return term.meaning == meaning("favourite"); });
  const auto mark = read_terms("favourite");
  part.object_text = part.object.empty() ? std::string{} : stems_of(part.object);
  part.object.insert(part.object.begin(), mark.begin(), mark.end());
  return append(goal, std::move(part));
}

bool read_putting_away(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, "put stow move")) return false;
  const auto away = clause.find_word("away", clause.begin + 1);
  if (away >= clause.end) return false;
  auto part = make_part(clause, PartKind::operate, clause.begin + 1, away);
  const auto verb = read_terms("archive");
  part.object.insert(part.object.begin(), verb.begin(), verb.end());
  return append(goal, std::move(part));
}

bool read_removal(const ClauseWords& clause, Goal& goal) {
  const bool rid = clause.is(clause.begin, "get") && clause.is(clause.begin + 1, "rid");
  if (!rid &&
      !clause.is(clause.begin, "remove delete eliminate clear empty erase cancel discard take throw drop forget")) {
    return false;
  }
  if (clause.is(clause.begin, "take throw drop") && clause.find_word("out from away", clause.begin) == clause.end) {
    return false;
  }
  const auto end = clause.is(clause.end - 1, "away out") ? clause.end - 1 : clause.end;
  auto from = clause.begin + (rid ? 2 : 1);
  if (rid && clause.is(from, "of")) ++from;
  auto part = make_part(clause, PartKind::remove, from, end);
  if (part.object.empty()) part.object = clause.terms;
  if (clause.is(clause.begin, "empty clear")) part.value = "all";
  return append(goal, std::move(part));
}

}  // namespace drover::providers::scripted
