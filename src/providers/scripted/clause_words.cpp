#include "providers/scripted/clause_words.hpp"

#include <algorithm>

#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view device_words = "phone device smartphone handset mobile this the my it a its";

}  // namespace

ClauseWords::ClauseWords(std::string_view goal_text, const std::vector<GoalToken>& goal_tokens, const Clause& clause)
    : text(goal_text), tokens(goal_tokens), begin(clause.begin), end(clause.end), clause_end(clause.end) {
  skip_fillers();
  if (empty()) return;
  // "without buying it" is no part of its own.
  if (const auto without = find_word("without", begin + 1); without < end) end = without;
  terms = read_terms(text_of(tokens, begin, end));
}

ClauseWords ClauseWords::from(std::size_t place) const {
  auto rest = *this;
  rest.begin = place;
  rest.command_ = {};
  rest.terms = rest.terms_between(rest.begin, rest.end);
  return rest;
}

ClauseWords ClauseWords::command_from(std::size_t place) const {
  auto rest = from(place);
  rest.command_ = command_of(rest.word(place));
  return rest;
}

std::string_view ClauseWords::word(std::size_t at) const {
  if (at >= end || tokens[at].used || tokens[at].is_quoted) return {};
  return at == begin && !command_.empty() ? command_ : std::string_view{tokens[at].lower};
}

bool ClauseWords::is(std::size_t at, std::string_view list) const { return is_one_of(word(at), list); }

std::size_t ClauseWords::find_word(std::string_view list, std::size_t first) const {
  for (auto i = first; i < end; ++i) {
    if (is(i, list)) return i;
  }
  return end;
}

std::size_t ClauseWords::find_last(std::string_view list, std::size_t first) const {
  auto found = end;
  for (auto i = first; i < end; ++i) {
    if (is(i, list)) found = i;
  }
  return found;
}

bool ClauseWords::device_only(std::size_t first, std::size_t last) const {
  for (auto i = first; i < last; ++i) {
    if (!is(i, device_words)) return false;
  }
  return true;
}

Terms ClauseWords::terms_between(std::size_t first, std::size_t last) const {
  return read_terms(text_of(tokens, first, last));
}

std::string ClauseWords::original(std::size_t first, std::size_t last) const {
  while (first < last && is(first, "the a an my")) ++first;
  std::string result;
  for (auto i = first; i < last; ++i) {
    if (tokens[i].used) continue;
    if (i > first && !tokens[i].is_quoted && tokens[i].begin < tokens[i - 1].raw_end) continue;
    if (!result.empty()) result += ' ';
    result += tokens[i].raw;
  }
  return result;
}

std::string ClauseWords::slice(std::size_t first, std::size_t last) const {
  if (first >= last) return {};
  const auto from = tokens[first].begin;
  auto until = tokens[last - 1].raw_end;
  if (until < text.size() && (text[until] == '?' || text[until] == '!')) ++until;
  return std::string{text.substr(from, until - from)};
}

bool ClauseWords::is_negated() const {
  for (auto i = begin; i < end; ++i) {
    if (is(i, verbs::negations) && !is(i + 1, "else more")) return true;
  }
  return false;
}

bool ClauseWords::is_prohibition() const {
  if (is(begin, "do") && is(begin + 1, "not never")) return !is(begin + 2, "disturb");
  return is(begin, "dont never not");
}

bool ClauseWords::is_without_thing() const {
  return end + 1 < clause_end && tokens[end].lower == "without" && !tokens[end + 1].lower.ends_with("ing");
}

bool ClauseWords::has_quoted() const {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end),
                     [](const GoalToken& token) { return token.is_quoted && !token.used; });
}

std::string ClauseWords::quoted_text() const {
  for (auto i = begin; i < end; ++i) {
    if (tokens[i].is_quoted && !tokens[i].used) return tokens[i].quoted;
  }
  return {};
}

void ClauseWords::skip_fillers() {
  while (begin < end) {
    if (tokens[begin].used) {
      ++begin;
    } else if ((is(begin, "make") && is(begin + 1, "sure")) ||
               (is(begin, "check verify confirm") && is(begin + 1, "that"))) {
      ensure = true;
      begin += 2;
    } else if (const auto verb = behind_wish(); verb > begin) {
      begin = verb;
    } else if (is(begin, "go") && is(begin + 1, "ahead and")) {
      begin += 2;
    } else if (is(begin, "ensure verify confirm assure")) {
      ensure = true;
      ++begin;
    } else if (is(begin, verbs::fillers) && begin + 1 < end &&
               (!is(begin, "like") || !begins_clause(tokens, begin) || is_wish(begin))) {
      ++begin;
    } else if (ensure && is(begin, "that")) {
      ++begin;
    } else {
      break;
    }
  }
  while (end > begin && (tokens[end - 1].used || is(end - 1, "please and then too again now"))) --end;
}

/// "I would like a …": no "like" that is asked for.
bool ClauseWords::is_wish(std::size_t at) const { return at > 0 && is_one_of(tokens[at - 1].lower, "would id wed d"); }

/// "Anna wants to …": where what she wants begins; `begin` where nobody wants anything.
std::size_t ClauseWords::behind_wish() const {
  const auto& name = tokens[begin].raw;
  if (name.empty() || name[0] < 'A' || name[0] > 'Z' || is(begin, "the a an i it this")) return begin;
  auto at = begin + 1;
  while (at < end && tokens[at].used) ++at;
  return is(at, "wants needs wishes") && is(at + 1, "to") && at + 2 < end ? at + 2 : begin;
}

}  // namespace drover::providers::scripted
