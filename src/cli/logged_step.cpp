#include "cli/logged_step.hpp"

#include <algorithm>
#include <set>

namespace drover::cli {
namespace {

/// "1 to 4, 6".
std::string ranges_of(const std::set<std::uint32_t>& numbers) {
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint32_t first = *at;
    std::uint32_t last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (last > first) text += (last == first + 1 ? ", " : " to ") + std::to_string(last);
  }
  return text;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What is left of the key's members once those that are named are the ones wanted.
template <class Value, class Wanted, class Member>
std::set<Value> values_of(const std::vector<DecisionRecord>& decisions, Wanted wanted, Member member) {
  std::set<Value> values;
  for (const auto& decision : decisions) {
    if (wanted(decision.key)) values.insert(member(decision.key));
  }
  return values;
}

}  // namespace

Result<std::span<const DecisionRecord>> requests_of_step(const std::vector<DecisionRecord>& decisions,
                                                         const StepChoice& choice) {
  const auto attempt_of = [](const StepKey& key) { return key.attempt; };
  const auto step_of = [](const StepKey& key) { return key.step; };
  const auto role_of = [](const StepKey& key) { return key.role; };
  const auto of_attempt = [&](const StepKey& key) { return !choice.attempt || key.attempt == *choice.attempt; };
  const auto of_step = [&](const StepKey& key) { return of_attempt(key) && key.step == choice.step; };

  const auto any = [](const StepKey&) { return true; };
  const auto attempts = values_of<std::uint32_t>(decisions, any, attempt_of);
  if (choice.attempt && attempts.count(*choice.attempt) == 0) {
    return Error{Errc::not_found, "attempt " + std::to_string(*choice.attempt) + " of that task has no decision",
                 "attempts with decisions: " + ranges_of(attempts)};
  }
  const auto tries = values_of<std::uint32_t>(decisions, of_step, attempt_of);
  if (tries.empty()) {
    return Error{Errc::not_found, "no decision of step " + std::to_string(choice.step) + " is recorded",
                 "steps with decisions: " + ranges_of(values_of<std::uint32_t>(decisions, of_attempt, step_of))};
  }
  const std::uint32_t attempt = *tries.rbegin();
  const auto of_try = [&](const StepKey& key) { return key.step == choice.step && key.attempt == attempt; };
  const auto roles = values_of<std::string>(decisions, of_try, role_of);
  if (!choice.role.empty() && roles.count(choice.role) == 0) {
    return Error{Errc::not_found,
                 "role \"" + choice.role + "\" decided no step " + std::to_string(choice.step) + " in attempt " +
                     std::to_string(attempt),
                 "roles that did: " + joined(roles)};
  }
  if (choice.role.empty() && roles.size() > 1) {
    return Error{Errc::conflict, "step " + std::to_string(choice.step) + " was decided by several roles",
                 "name one with --role: " + joined(roles)};
  }
  const std::string& role = choice.role.empty() ? *roles.begin() : choice.role;
  const auto wanted = [&](const DecisionRecord& decision) { return of_try(decision.key) && decision.key.role == role; };
  const auto begin = std::find_if(decisions.begin(), decisions.end(), wanted);
  const auto end = std::find_if_not(begin, decisions.end(), wanted);
  return std::span<const DecisionRecord>(begin, end);
}

}  // namespace drover::cli
