#include "providers/scripted/clause_page.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

/// What a question says besides the thing that it asks about.
constexpr std::string_view asking_words =
    "what how tell read report which whats when who where say give count much many find check see look left currently "
    "there does out answer whether right lets me us called set installed used running runs run sent been is has have "
    "did do been up full big long old far";

}  // namespace

bool read_question(const ClauseWords& clause, Goal& goal) {
  const bool finding_out = clause.is(clause.begin, "find") && clause.is(clause.begin + 1, "out");
  const auto asking = clause.find_word("what how which whether if much many when", clause.begin + 1);
  const bool checking =
      clause.is(clause.begin, "check see look find") && asking < clause.end && asking < clause.begin + 3;
  const bool do_i = clause.is(clause.begin, "do") && clause.is(clause.begin + 1, "i we you they");
  if (!finding_out && !checking && !do_i && !clause.is(clause.begin, verbs::telling)) return false;
  if (clause.is(clause.begin, "give read") && clause.is(clause.begin + 1, "me") && clause.end - clause.begin < 3) {
    return false;
  }
  std::string rest;
  for (auto i = clause.begin; i < clause.end; ++i) {
    if (clause.tokens[i].used || (!clause.tokens[i].is_quoted && clause.is(i, asking_words))) continue;
    // "Anna's jacket": whose it is says little about what it is called.
    const auto& raw = clause.tokens[i].raw;
    if (raw.size() > 2 && raw.find('\'') != std::string::npos && raw[0] >= 'A' && raw[0] <= 'Z' && raw.back() == 's') {
      continue;
    }
    if (!rest.empty()) rest += ' ';
    rest += clause.tokens[i].is_quoted ? clause.tokens[i].quoted : clause.tokens[i].lower;
  }
  auto part = make_part(clause, PartKind::read, clause.begin, clause.end);
  auto terms = read_terms(rest);
  std::erase_if(terms, [&](const Term& term) { return contains(part.place, term.meaning); });
  take_object(rest, std::move(terms), part);
  return append(goal, std::move(part));
}

bool read_search(const ClauseWords& clause, Goal& goal) {
  const bool looking = clause.is(clause.begin, "look") && clause.is(clause.begin + 1, "for up");
  const bool searching = clause.is(clause.begin, "search");
  if (!looking && !searching && !clause.is(clause.begin, "find")) return false;
  auto from = clause.begin + (looking ? 2 : 1);
  auto until = clause.end;
  Terms place;
  if (searching) {
    const auto after = clause.find_word("for", clause.begin + 1);
    if (after < clause.end) {
      place = clause.terms_between(clause.begin + 1, after);
      from = after + 1;
    }
  }
  auto part = make_part(clause, PartKind::find, from, until);
  if (part.place.empty()) part.place = std::move(place);
  for (auto i = from + 1; i + 1 < clause.end; ++i) {
    if (clause.is(i, "in on at") && !part.place.empty()) until = std::min(until, i);
  }
  part.value = clause.quoted_text().empty() ? clause.original(from, until) : clause.quoted_text();
  // "Find it": what is meant is known from before.
  if (part.object.empty() && is_one_of(part.value, "it them this that these those one")) {
    part.value.clear();
    if (goal.parts.empty() && goal.context.empty()) return false;
    return append(goal, std::move(part));
  }
  if (part.object.empty() && part.value.empty()) return false;
  return append(goal, std::move(part));
}

bool read_reaching(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, verbs::reaching) && !clause.is(clause.begin, "check")) return false;
  if (clause.is(clause.begin, "start") && is_one_of(clause.word(clause.end - 1), "stopwatch timer")) return false;
  auto from = clause.begin + 1;
  while (from < clause.end && clause.is(from, "to me the at up back a my into over through us")) ++from;
  if (from >= clause.end) from = clause.begin + 1;
  auto part = make_part(clause, PartKind::reach, from, clause.end);
  if (part.object.size() > 1) {
    std::erase_if(part.object, [](const Term& term) { return term.meaning == meaning("settings"); });
  }
  const bool refers = clause.is(clause.end - 1, "it that this them one went");
  if (clause.is(clause.end - 1, "went")) part.object.clear();
  if (part.object.empty() && refers && !goal.parts.empty()) return append(goal, std::move(part));
  if (part.object.empty()) part.object = part.place;
  if (part.object.empty()) return false;
  return append(goal, std::move(part));
}

}  // namespace drover::providers::scripted
