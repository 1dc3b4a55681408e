#include "providers/scripted/goal_tokens.hpp"

#include <algorithm>
#include <utility>

#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

struct QuotationMarks {
  std::string_view open;
  std::string_view close;
};

constexpr QuotationMarks quotation_marks[] = {
    {"\"", "\""},
    {"\xE2\x80\x9C", "\xE2\x80\x9D"},
    {"\xE2\x80\x9E", "\xE2\x80\x9C"},
    {"\xE2\x80\x98", "\xE2\x80\x99"},
    {"\xC2\xAB", "\xC2\xBB"},
    {"`", "`"},
    {"'", "'"},
};

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_word_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Where the quoted text that begins at `at` ends: position of the closing mark; npos where none begins.
std::size_t closing_mark(std::string_view text, std::size_t at, const QuotationMarks& marks) {
  if (text.substr(at, marks.open.size()) != marks.open) return std::string_view::npos;
  const bool apostrophe = marks.open == "'";
  if (apostrophe && at > 0 && is_word_byte(text[at - 1])) return std::string_view::npos;
  auto close = text.find(marks.close, at + marks.open.size());
  while (close != std::string_view::npos && apostrophe && close + 1 < text.size() && is_word_byte(text[close + 1])) {
    close = text.find(marks.close, close + 1);
  }
  return close;
}

void note_gap(std::string_view gap, bool starts_text, GoalToken& token) {
  for (std::size_t i = 0; i < gap.size(); ++i) {
    const char c = gap[i];
    if (c == ';' || c == '\n' || c == '!' || c == '?') token.sentence_before = true;
    if (c == '.' && !starts_text) token.sentence_before = true;
    if (c == ',') token.comma_before = true;
    if (c == ':') token.colon_before = true;
    if (c == '(') token.paren_before = true;
  }
}

/// The word as written, up to the next blank, with closing punctuation cut off.
std::string raw_word(std::string_view text, std::size_t begin) {
  auto end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  auto raw = text.substr(begin, end - begin);
  while (!raw.empty() && (raw.back() == '.' || raw.back() == ',' || raw.back() == ';' || raw.back() == ':' ||
                          raw.back() == ')' || raw.back() == '?')) {
    raw.remove_suffix(1);
  }
  return std::string{raw};
}

}  // namespace

/// Full stops that end no sentence.
std::string without_abbreviations(std::string_view text) {
  std::string result{text};
  for (const std::string_view dotted : {"a.m.", "p.m.", "A.M.", "P.M.", "e.g.", "i.e."}) {
    for (auto at = result.find(dotted); at != std::string::npos; at = result.find(dotted, at)) {
      result[at + 1] = dotted[2];
      result[at + 2] = ' ';
      result[at + 3] = ' ';
    }
  }
  return result;
}

std::vector<GoalToken> split_goal(std::string_view original) {
  const auto plain = without_abbreviations(original);
  const std::string_view text = plain;
  std::vector<GoalToken> tokens;
  std::size_t gap_begin = 0;
  const auto add_words = [&](std::size_t begin, std::size_t end) {
    for (auto& word : split_words(text.substr(begin, end - begin))) {
      GoalToken token;
      note_gap(text.substr(gap_begin, begin + word.begin - gap_begin), tokens.empty(), token);
      token.raw = raw_word(text, begin + word.begin);
      token.begin = begin + word.begin;
      token.raw_end = token.begin + token.raw.size();
      token.lower = std::move(word.lower);
      gap_begin = begin + word.end;
      tokens.push_back(std::move(token));
    }
  };
  std::size_t plain_begin = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    bool taken = false;
    for (const auto& marks : quotation_marks) {
      const auto close = closing_mark(text, at, marks);
      if (close == std::string_view::npos || close == at + marks.open.size()) continue;
      add_words(plain_begin, at);
      GoalToken token;
      note_gap(text.substr(gap_begin, at - gap_begin), tokens.empty(), token);
      token.is_quoted = true;
      token.quoted = std::string{text.substr(at + marks.open.size(), close - at - marks.open.size())};
      token.raw = token.quoted;
      token.begin = at;
      token.raw_end = close + marks.close.size();
      tokens.push_back(std::move(token));
      at = close + marks.close.size();
      gap_begin = at;
      plain_begin = at;
      taken = true;
      break;
    }
    if (!taken) ++at;
  }
  add_words(plain_begin, text.size());
  return tokens;
}

std::string text_of(const std::vector<GoalToken>& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (auto i = begin; i < std::min(end, tokens.size()); ++i) {
    if (tokens[i].used) continue;
    if (!text.empty()) text += ' ';
    text += tokens[i].is_quoted ? tokens[i].quoted : tokens[i].lower;
  }
  return text;
}

}  // namespace drover::providers::scripted
