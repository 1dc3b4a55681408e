#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace drover::providers::scripted {

/// What a word or phrase stands for: the same number for everything that means
/// the same on a phone ("flight mode", "airplane mode"), and a number of its own
/// for every stem that the lexicon does not know.
using Meaning = std::uint64_t;

/// The meaning of a stem, or of a lexicon entry by its name ("airplane_mode"). FNV-1a.
constexpr Meaning meaning(std::string_view name) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

/// One meaning of a text.
struct Term {
  Meaning meaning = 0;
  std::string stem;                ///< Of the (first) word, for near misses in spelling.
  std::vector<std::string> stems;  ///< Of a phrase of several words, each.
  float weight = 1;                ///< 1, less for words that say little ("mode", "option").
  std::size_t begin = 0;           ///< Bytes of the text that it was read from.
  std::size_t end = 0;
  bool operator==(const Term& other) const { return meaning == other.meaning; }
};

using Terms = std::vector<Term>;

/// Reads a text as meanings, longest known phrase first; words that carry none
/// ("the", "please") are left out.
Terms read_terms(std::string_view text);

/// The same, with identifiers taken apart: `addToCart_button` is "add to cart
/// button".
Terms read_identifier(std::string_view identifier);

bool contains(const Terms& terms, Meaning wanted) noexcept;

/// How much of `wanted` stands in `offered`: 0 to 1 by weight. Near misses in the
/// spelling of longer words count for most of a match. 0 when nothing is wanted.
double coverage(const Terms& wanted, const Terms& offered);
/// The same with a second text that may supply what the first lacks.
double coverage(const Terms& wanted, const Terms& offered, const Terms& around);

/// How close `offered` is as a place to look for `wanted`: 1 for the same
/// meaning, less for each step up the lexicon's topics (airplane mode → network
/// → settings) and for neighbours under one topic, 0 for no relation.
/// Terms that mean `ignored` are left out of `offered`.
double relatedness(const Terms& wanted, const Terms& offered, Meaning ignored = 0);

/// Part of a label before its first comma, dot in the middle or line break: its
/// title, apart from the summary that is read out with it.
std::string_view head_of(std::string_view label) noexcept;

/// What an app of that topic is usually called ("Notes").
std::string app_name_of(std::string_view topic);

/// The app that things of these meanings are usually found in ("settings",
/// "shop", …); empty when the lexicon knows none.
std::string_view usual_app(const Terms& terms);

}  // namespace drover::providers::scripted
