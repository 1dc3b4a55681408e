#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "providers/scripted/goal_clause.hpp"
#include "providers/scripted/goal_tokens.hpp"
#include "providers/scripted/lexicon.hpp"

namespace drover::providers::scripted {

/// One clause of a goal while it is read: its words, and how to look at them.
/// Places are indices into `tokens`; a word that was not found is at `end`.
/// Refers to the text and the tokens that it was made from.
struct ClauseWords {
  /// Takes the clause without the words that say nothing ("please", "Anna wants
  /// to", "make sure that") and without what follows "without".
  ClauseWords(std::string_view goal_text, const std::vector<GoalToken>& goal_tokens, const Clause& clause);

  std::string_view text;  ///< Of the whole goal.
  const std::vector<GoalToken>& tokens;
  std::size_t begin;
  std::size_t end;
  std::size_t clause_end;  ///< Before anything was left out at the end.
  Terms terms;             ///< Of the words from `begin` to `end`; none for an empty clause.
  bool ensure = false;     ///< Something is to be made sure of, not done: "verify that …".

  [[nodiscard]] bool empty() const { return begin >= end; }
  /// The clause from a later place on.
  [[nodiscard]] ClauseWords from(std::size_t place) const;
  /// The same with a form in -ing there read as the command: "turn" for "turning".
  [[nodiscard]] ClauseWords command_from(std::size_t place) const;

  /// The word in lower case, the first one as a command; empty behind the end, for a quoted text and for a word taken
  /// as a field's text.
  [[nodiscard]] std::string_view word(std::size_t at) const;
  /// Whether the word is one of a space-separated list.
  [[nodiscard]] bool is(std::size_t at, std::string_view list) const;
  /// The first word from there on that is one of the list.
  [[nodiscard]] std::size_t find_word(std::string_view list, std::size_t first) const;
  /// The last word from there on that is one of the list.
  [[nodiscard]] std::size_t find_last(std::string_view list, std::size_t first) const;
  /// Whether nothing but "this phone" and the like stands there; true for no word at all.
  [[nodiscard]] bool device_only(std::size_t first, std::size_t last) const;

  /// What the words from one place to another mean.
  [[nodiscard]] Terms terms_between(std::size_t first, std::size_t last) const;
  /// The words as the goal writes them, without a leading article.
  [[nodiscard]] std::string original(std::size_t first, std::size_t last) const;
  /// The goal's own bytes from one place to another, with a question or exclamation mark behind.
  [[nodiscard]] std::string slice(std::size_t first, std::size_t last) const;

  /// Whether it says "not", "never", "no" or the like; "nothing else" takes nothing back.
  [[nodiscard]] bool is_negated() const;
  /// Whether it is a command not to do something: "do not …", "never …".
  [[nodiscard]] bool is_prohibition() const;
  /// "The basket should be without a mug": what was left out behind "without" is a thing and no act.
  [[nodiscard]] bool is_without_thing() const;

  /// Whether a quoted text stands in the clause that no field has taken.
  [[nodiscard]] bool has_quoted() const;
  /// The first such text; empty where there is none.
  [[nodiscard]] std::string quoted_text() const;

 private:
  std::string_view command_;  ///< What the first word stands for, where that is not the word itself.

  void skip_fillers();
  [[nodiscard]] bool is_wish(std::size_t at) const;
  [[nodiscard]] std::size_t behind_wish() const;
};

}  // namespace drover::providers::scripted
