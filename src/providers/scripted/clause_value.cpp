#include "providers/scripted/clause_value.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view comparatives =
    "bigger larger smaller louder quieter brighter darker dimmer longer shorter higher lower";
constexpr std::string_view downward = "smaller quieter darker dimmer shorter lower";

std::string value_without_place(const ClauseWords& clause) {
  const auto in = clause.find_last("in on under from", clause.begin + 1);
  return clause.original(clause.begin + 1, in);
}

}  // namespace

bool read_value(const ClauseWords& clause, Goal& goal) {
  const auto w = clause.word(clause.begin);
  if (is_one_of(w, "choose select pick")) {
    const auto as = clause.find_word("as for", clause.begin + 1);
    auto part = make_part(clause, PartKind::set_value, as < clause.end ? as + 1 : clause.end, clause.end);
    part.value = clause.original(clause.begin + 1, as);
    if (as >= clause.end) {
      auto chosen = make_part(clause, PartKind::operate, clause.begin + 1, clause.end);
      part.place = chosen.place;
      part.object = {};
      if (!chosen.place.empty()) part.value = value_without_place(clause);
    }
    return append(goal, std::move(part));
  }
  if (is_one_of(w, "set change switch adjust move increase raise lower reduce decrease turn rename edit make")) {
    const auto to = clause.find_last("to", clause.begin + 1);
    // "Make a call to Nora" gives nothing a value.
    const bool makes_one = w == "make" && clause.is(clause.begin + 1, "a an");
    if (!makes_one && to < clause.end && to + 1 < clause.end && to > clause.begin + 1) {
      auto part = make_part(clause, PartKind::set_value, clause.begin + 1, to);
      if (clause.device_only(clause.begin + 1, to)) {
        part.object = read_terms("device name");
      } else if (w == "rename") {
        const auto name = read_terms("name");
        part.object.insert(part.object.end(), name.begin(), name.end());
      }
      const auto value = make_part(clause, PartKind::set_value, to + 1, clause.end);
      part.value =
          clause.original(to + 1, value.place.empty() ? clause.end : clause.find_last("in on under from", to + 1));
      if (part.place.empty()) part.place = value.place;
      return append(goal, std::move(part));
    }
  }
  const bool up = is_one_of(w, "increase raise") || (w == "turn" && clause.is(clause.begin + 1, "up"));
  const bool down = is_one_of(w, "decrease lower reduce") || (w == "turn" && clause.is(clause.begin + 1, "down"));
  const auto comparative = w == "make" || w == "set" ? clause.find_word(comparatives, clause.begin + 1) : clause.end;
  if (!up && !down && comparative >= clause.end) return false;
  auto part = make_part(clause, PartKind::set_value, clause.begin + (w == "turn" ? 2 : 1), comparative);
  part.value = down || (comparative < clause.end && clause.is(comparative, downward)) ? "-" : "+";
  // "Make the text bigger" is about its size.
  if (contains(part.object, meaning("text_body"))) part.object = read_terms("font size");
  return append(goal, std::move(part));
}

bool read_naming(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, "call name") || !clause.is(clause.begin + 1, "this the my") ||
      !clause.is(clause.begin + 2, "phone device handset") || clause.begin + 3 >= clause.end) {
    return false;
  }
  GoalPart part;
  part.kind = PartKind::set_value;
  part.text = clause.original(clause.begin, clause.end);
  part.object = read_terms("device name");
  part.value = clause.slice(clause.begin + 3, clause.end);
  return append(goal, std::move(part));
}

bool read_typing(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, "type enter write fill input put")) return false;
  const auto into = clause.find_last("into in as", clause.begin + 1);
  auto value = clause.quoted_text();
  if (value.empty() && (into >= clause.end || clause.is(clause.begin, "enter") || clause.is(clause.begin, "put"))) {
    return false;
  }
  if (value.empty()) value = clause.original(clause.begin + 1, into);
  auto part = make_part(clause, PartKind::type, into < clause.end ? into + 1 : clause.end, clause.end);
  part.value = std::move(value);
  return append(goal, std::move(part));
}

bool read_given_text(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, "use enter apply redeem type") || clause.has_quoted()) return false;
  const auto first = clause.tokens[clause.begin].begin;
  const auto last =
      clause.clause_end < clause.tokens.size() ? clause.tokens[clause.clause_end].begin : clause.text.size();
  for (auto& given : goal.texts) {
    if (given.at < first || given.at >= last || contains(given.field, meaning("password"))) continue;
    const bool all_said =
        std::all_of(clause.terms.begin(), clause.terms.end(), [](const Term& term) { return term.weight < 1; });
    if (!all_said) return false;
    GoalPart part;
    part.kind = PartKind::type;
    part.text = clause.original(clause.begin, clause.end) + " " + given.text;
    part.object = given.field;
    // In a shop a code without a name is a voucher's.
    if (part.object.size() == 1 && part.object.front().stem == stem("code")) {
      part.object = read_terms("voucher");
      given.field.insert(given.field.end(), part.object.begin(), part.object.end());
    }
    part.value = given.text;
    return append(goal, std::move(part));
  }
  return false;
}

}  // namespace drover::providers::scripted
