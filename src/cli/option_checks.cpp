#include "cli/option_checks.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "cli/refusal.hpp"
#include "core/text.hpp"

namespace drover::cli {
namespace {

template <class Number>
bool reads_as(const std::string& text, Number& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size();
}

}  // namespace

CLI::Validator number_between(double low, double high) {
  char range[80];
  std::snprintf(range, sizeof range, "%g to %g", low, high);
  return CLI::Validator(
      [low, high, expected = std::string(range)](std::string& text) {
        double number = 0;
        const bool fits = reads_as(text, number) && number >= low && number <= high;
        return fits ? std::string() : "a number from " + expected + " is expected, not " + text;
      },
      range);
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  return CLI::Validator(
      [low, high, range](std::string& text) {
        std::uint64_t number = 0;
        const bool fits = reads_as(text, number) && number >= low && number <= high;
        return fits ? std::string() : "a whole number from " + range + " is expected, not " + text;
      },
      range);
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string all;
  for (const auto& word : words) all += (all.empty() ? "" : ", ") + word;
  const std::string description = "{" + all + "}";
  return CLI::Validator(
      [words = std::move(words), all](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        const std::string nearest = nearest_name(text, words);
        return "one of " + all + " is expected, not \"" + shorten(repair_utf8(text), 60) + "\"" +
               (nearest.empty() ? "" : "; did you mean " + nearest + "?");
      },
      description);
}

}  // namespace drover::cli
