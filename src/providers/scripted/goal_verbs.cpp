#include "providers/scripted/goal_verbs.hpp"

#include <algorithm>

#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

bool is_one_of(std::string_view word, std::string_view list) noexcept {
  if (word.empty()) return false;
  std::size_t at = 0;
  while (at < list.size()) {
    auto end = list.find(' ', at);
    if (end == std::string_view::npos) end = list.size();
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

bool begins_clause(const std::vector<GoalToken>& tokens, std::size_t at) {
  if (at >= tokens.size() || tokens[at].is_quoted) return false;
  const auto& word = tokens[at].lower;
  if (is_one_of(word, verbs::certain) || is_one_of(word, "what how which whats")) return true;
  if (!is_one_of(word, verbs::before_a_noun) || at + 1 >= tokens.size()) return false;
  const auto& next = tokens[at + 1];
  // "order 1038" is one that was made.
  if (next.lower.size() > 2 && is_number(next.lower)) return false;
  return next.is_quoted || is_one_of(next.lower, verbs::determiners) || is_number(next.lower);
}

std::string_view command_of(std::string_view word) noexcept {
  if (word.size() < 5 || !word.ends_with("ing")) return {};
  const auto root = word.substr(0, word.size() - 3);
  for (auto verbs_left = verbs::certain; !verbs_left.empty();) {
    const auto verb = verbs_left.substr(0, verbs_left.find(' '));
    const bool lost_an_e = verb.size() == root.size() + 1 && verb.ends_with('e') && verb.starts_with(root);
    const bool doubled = root.size() == verb.size() + 1 && root.starts_with(verb) && root.back() == verb.back();
    if (verb == root || lost_an_e || doubled) return verb;
    verbs_left.remove_prefix(std::min(verbs_left.size(), verb.size() + 1));
  }
  return {};
}

}  // namespace drover::providers::scripted
