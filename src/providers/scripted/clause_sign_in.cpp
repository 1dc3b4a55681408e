#include "providers/scripted/clause_sign_in.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view refusals =
    "refuse refuses refused refusing refusal reject rejects rejected rejecting rejection deny denies denied denying "
    "denial decline declines declined fail fails failed failing failure impossible unsuccessful unsuccessfully";
constexpr std::string_view successes =
    "work works working accept accepts accepted succeed succeeds successful possible allowed let lets";
constexpr std::string_view negations =
    "not no never dont doesnt didnt isnt wasnt cant cannot wont shouldnt mustnt couldnt wouldnt without";

/// What a clause about the outcome of a sign-in says besides the outcome.
constexpr std::string_view words_around =
    "see check verify confirm make sure ensure find out look watch observe notice expect expects expected expecting "
    "show "
    "that this it he she they one which how what and but then is are was be being been gets get got should must will "
    "would has have had "
    "does do can could to of the a an my with by as him her them me in on app shop store service site server sign "
    "signs "
    "signing log logs logging login signin attempt try tries access entry credentials account user name wrong password";

/// Whether the clause says that something is refused or does not succeed. "If it
/// fails" and "must not fail" say something else.
bool says_refused(const ClauseWords& clause) {
  if (clause.find_word("if unless until", clause.begin) < clause.end) return false;
  const auto negation = clause.find_word(negations, clause.begin);
  if (const auto refusal = clause.find_word(refusals, clause.begin); refusal < clause.end) return negation > refusal;
  if (negation >= clause.end) return false;
  return clause.find_word(successes, negation + 1) < clause.end ||
         (clause.is(negation, "cant cannot couldnt") && clause.is(negation + 1, "sign log get"));
}

}  // namespace

bool read_signing(const ClauseWords& clause, Goal& goal) {
  const bool refused = says_refused(clause);
  // "See the sign-in refused" asks for one, "show the refused sign-ins" does not.
  const bool sees_it = refused && clause.is(clause.begin, "see") && clause.is(clause.end - 1, refusals);
  if (clause.is(clause.begin, verbs::reaching) && !sees_it) return false;
  if (clause.ensure && !refused) return false;
  const auto early =
      Terms(clause.terms.begin(),
            clause.terms.begin() + std::min<std::ptrdiff_t>(2, static_cast<std::ptrdiff_t>(clause.terms.size())));
  if (contains(early, meaning("sign_out"))) {
    return append(goal, make_part(clause, PartKind::sign_out, clause.begin, clause.end));
  }
  if (!contains(early, meaning("sign_in"))) return false;
  auto part = make_part(clause, PartKind::sign_in, clause.begin, clause.end);
  part.refusal_expected = refused;
  return append(goal, std::move(part));
}

bool read_sign_in_refusal(const ClauseWords& clause, Goal& goal) {
  if (goal.parts.empty() || goal.parts.back().kind != PartKind::sign_in || !says_refused(clause)) return false;
  for (auto i = clause.begin; i < clause.end; ++i) {
    const bool named = std::any_of(goal.texts.begin(), goal.texts.end(),
                                   [&](const FieldText& text) { return text.text == clause.tokens[i].raw; });
    const bool said = clause.tokens[i].used || named || clause.is(i, refusals) || clause.is(i, successes) ||
                      clause.is(i, negations) || clause.is(i, words_around);
    if (!said) return false;
  }
  goal.parts.back().refusal_expected = true;
  return true;
}

}  // namespace drover::providers::scripted
