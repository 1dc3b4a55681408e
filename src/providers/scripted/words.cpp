#include "providers/scripted/words.hpp"

#include <array>

namespace drover::providers::scripted {

namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Base letters of U+00C0 to U+00FF; '*' for the two signs among them.
constexpr std::string_view latin_base = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo*ouuuuyty";
static_assert(latin_base.size() == 64);

std::size_t sequence_length(unsigned char lead) noexcept {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  if (lead >= 0xC0) return 2;
  return 1;
}

/// Punctuation and symbols beyond ASCII that stand between words: Latin-1 signs,
/// general punctuation, arrows, mathematical and geometric signs.
bool is_foreign_separator(std::string_view sequence) noexcept {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (lead == 0xC2) return true;
  if (sequence.size() == 2 && lead == 0xC3) {
    const auto low = static_cast<unsigned char>(sequence[1]);
    return low == 0x97 || low == 0xB7;
  }
  if (sequence.size() == 3 && lead == 0xE2) return true;
  if (sequence.size() == 3 && lead == 0xE3 && static_cast<unsigned char>(sequence[1]) == 0x80) return true;
  return false;
}

bool is_vowel(char c) noexcept { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }

bool has_vowel(std::string_view word) noexcept {
  for (const char c : word) {
    if (is_vowel(c)) return true;
  }
  return false;
}

bool ends_with(std::string_view word, std::string_view ending) noexcept {
  return word.size() >= ending.size() && word.substr(word.size() - ending.size()) == ending;
}

void drop_double_consonant(std::string& word) {
  const auto size = word.size();
  if (size > 2 && word[size - 1] == word[size - 2] && !is_vowel(word[size - 1]) && word[size - 1] != 'l' &&
      word[size - 1] != 's') {
    word.pop_back();
  }
}

}  // namespace

std::string stem(std::string_view word) {
  std::string result{word};
  for (const char c : word) {
    if (!is_letter(c)) return result;
  }
  const auto drop = [&result](std::size_t count) { result.resize(result.size() - count); };
  if (result.size() > 4 && ends_with(result, "ies")) {
    drop(3);
    result += 'y';
  } else if (result.size() > 4 && (ends_with(result, "xes") || ends_with(result, "ches") || ends_with(result, "shes") ||
                                   ends_with(result, "sses") || ends_with(result, "zes"))) {
    drop(2);
  } else if (result.size() > 3 && result.back() == 's' && !ends_with(result, "ss") && !ends_with(result, "us") &&
             !ends_with(result, "is")) {
    drop(1);
  }
  if (result == "setting") return result;
  if (result.size() > 5 && ends_with(result, "ing") &&
      has_vowel(std::string_view{result}.substr(0, result.size() - 3))) {
    drop(3);
    drop_double_consonant(result);
  } else if (result.size() > 4 && ends_with(result, "ed") &&
             has_vowel(std::string_view{result}.substr(0, result.size() - 2)) && !ends_with(result, "eed")) {
    drop(2);
    drop_double_consonant(result);
  }
  if (result.size() > 3 && result.back() == 'e') drop(1);
  return result;
}

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  Word current;
  const auto finish = [&](std::size_t end) {
    while (!current.lower.empty() && !is_letter(current.lower.back()) && !is_digit(current.lower.back()) &&
           static_cast<unsigned char>(current.lower.back()) < 0x80 && current.lower != "+") {
      current.lower.pop_back();
      --end;
    }
    if (!current.lower.empty()) {
      current.end = end;
      current.stem = stem(current.lower);
      words.push_back(std::move(current));
    }
    current = {};
  };
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (is_letter(c) || is_digit(c)) {
      if (current.lower.empty()) current.begin = i;
      current.lower += lower(c);
      ++i;
    } else if (byte >= 0x80) {
      const auto length = std::min(sequence_length(byte), text.size() - i);
      const auto sequence = text.substr(i, length);
      const bool apostrophe = sequence == "\xE2\x80\x99";
      if (apostrophe && !current.lower.empty()) {
        i += length;
        continue;
      }
      if (is_foreign_separator(sequence)) {
        finish(i);
      } else {
        if (current.lower.empty()) current.begin = i;
        const auto base =
            byte == 0xC3 && length == 2 ? latin_base[static_cast<unsigned char>(sequence[1]) & 0x3F] : '*';
        if (base != '*') {
          current.lower += base;
        } else {
          current.lower += sequence;
        }
      }
      i += length;
    } else if (c == '\'' && !current.lower.empty()) {
      ++i;
    } else if (!current.lower.empty() && i + 1 < text.size() &&
               ((c == '@' || c == '_') ||
                ((c == '.' || c == ',' || c == ':') && is_digit(text[i + 1]) && is_digit(text[i - 1])) ||
                (c == '.' && current.lower.find('@') != std::string::npos))) {
      current.lower += c;
      ++i;
    } else if (c == '+' && current.lower.empty()) {
      current.begin = i;
      current.lower = "+";
      finish(i + 1);
      ++i;
    } else {
      finish(i);
      ++i;
    }
  }
  finish(text.size());
  return words;
}

bool is_number(std::string_view word) noexcept { return !word.empty() && is_digit(word.front()); }

int small_number(std::string_view word) noexcept {
  constexpr std::array<std::string_view, 13> names{"",      "one",   "two",  "three", "four",   "five",  "six",
                                                   "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (word == names[i]) return static_cast<int>(i);
  }
  if (word.empty() || word.size() > 3) return 0;
  int value = 0;
  for (const char c : word) {
    if (!is_digit(c)) return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace drover::providers::scripted
