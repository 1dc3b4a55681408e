#include "providers/scripted/goal_verbs.hpp"

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

}  // namespace drover::providers::scripted
