#include "providers/scripted/clause_sign_in.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

bool read_signing(const ClauseWords& clause, Goal& goal) {
  if (clause.is(clause.begin, verbs::reaching) || clause.ensure) return false;
  const auto early =
      Terms(clause.terms.begin(),
            clause.terms.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(clause.terms.size())));
  if (contains(early, meaning("sign_out"))) {
    return append(goal, make_part(clause, PartKind::sign_out, clause.begin, clause.end));
  }
  if (!contains(early, meaning("sign_in"))) return false;
  auto part = make_part(clause, PartKind::sign_in, clause.begin, clause.end);
  part.refusal_expected = clause.find_word("refused fail fails rejected denied impossible", clause.begin) < clause.end;
  return append(goal, std::move(part));
}

}  // namespace drover::providers::scripted
