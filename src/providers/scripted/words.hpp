#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace drover::providers::scripted {

/// One word of a text with the place it came from.
struct Word {
  std::string lower;      ///< ASCII lower case, Latin accents folded to their base letter.
  std::string stem;       ///< `lower` without the commonest English endings.
  std::size_t begin = 0;  ///< Byte offset of the word in the text.
  std::size_t end = 0;    ///< One past its last byte.
};

/// The words of a text in order. Letters of any script, digits, and `.`, `,`, `:`,
/// `@`, `_` inside a word are kept together ("7:30", "12.50", "mia@example.com");
/// apostrophes vanish ("don't" is "dont"); everything else separates. A lone `+`
/// is a word of its own because buttons are labelled so.
std::vector<Word> split_words(std::string_view text);

/// The stem of one lower-case word. Rough on purpose: both sides of every
/// comparison go through it, so it only has to be the same for the forms of a word.
std::string stem(std::string_view word);

/// Whether the word is an amount, a time or another run of digits.
bool is_number(std::string_view word) noexcept;

/// 1 to 12 for a number word or a plain number below 1000, "a couple" aside; 0 for anything else.
int small_number(std::string_view word) noexcept;

}  // namespace drover::providers::scripted
