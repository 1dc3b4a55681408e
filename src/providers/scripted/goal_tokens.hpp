#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drover::providers::scripted {

/// One word of a goal, or one quoted text as a whole.
struct GoalToken {
  std::string lower;   ///< Of a word; empty for a quoted text.
  std::string raw;     ///< As the goal writes it: of a word up to the next blank, without closing punctuation.
  std::string quoted;  ///< The text inside the quotation marks.
  bool is_quoted = false;
  bool sentence_before = false;  ///< A full stop, semicolon or line break stands before it.
  bool comma_before = false;
  bool colon_before = false;
  bool paren_before = false;  ///< An opening parenthesis stands right before it.
  std::size_t begin = 0;      ///< Byte offset in the goal.
  std::size_t raw_end = 0;    ///< One past the last byte of `raw`.
  bool used = false;          ///< Taken as a text for a field; no part speaks of it.
};

/// Takes a goal apart into words and quoted texts. Straight, curly and angle
/// quotation marks count; an apostrophe inside a word does not.
std::vector<GoalToken> split_goal(std::string_view text);

/// The tokens from `begin` to `end` as text for read_terms(); used ones are left out.
std::string text_of(const std::vector<GoalToken>& tokens, std::size_t begin, std::size_t end);

}  // namespace drover::providers::scripted
