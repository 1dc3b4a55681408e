#include "providers/scripted/named_app.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view before_a_name =
    " the a an my in into of on to with from by open launch start use show this that ";
constexpr std::string_view after_a_name = " and or then to for with on in at of from by app application ";

bool is_one_of(const Word& word, std::string_view list) {
  return list.find(" " + word.lower + " ") != std::string_view::npos;
}

bool is_capital(const std::string& text, const Word& word) {
  return text[word.begin] >= 'A' && text[word.begin] <= 'Z';
}

Terms terms_of(const std::string& text, const std::vector<Word>& words, std::size_t first, std::size_t last) {
  if (first >= last) return {};
  return read_terms(std::string_view{text}.substr(words[first].begin, words[last - 1].end - words[first].begin));
}

/// "Clock" and "the shop app" are found by their topic, whatever they are called.
bool is_topic(const Terms& name) {
  return std::all_of(name.begin(), name.end(),
                     [](const Term& term) { return term.weight < 1 || meaning(usual_app({term})) == term.meaning; });
}

/// "Start the tea timer": what is called after something of which there are apps
/// may have one of its own.
NamedApp thing_of_its_own(const std::string& text, const std::vector<Word>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!is_one_of(words[i - 1], " the my ")) continue;
    auto last = i;
    while (last < words.size() && !is_one_of(words[last], after_a_name)) ++last;
    auto name = terms_of(text, words, i, last);
    if (name.size() < 2 || usual_app({name.back()}).empty() || name.back().stems.size() > 1) continue;
    const bool known = std::any_of(name.begin(), name.end() - 1,
                                   [](const Term& term) { return term.weight < 1 || !usual_app({term}).empty(); });
    if (!known) return {std::move(name), false};
  }
  return {};
}

NamedApp name_in(const std::string& text, const GoalPart& part) {
  const auto words = split_words(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].lower != "app" && words[i].lower != "application") continue;
    auto first = i;
    while (first > 0 && !is_one_of(words[first - 1], before_a_name)) --first;
    auto name = terms_of(text, words, first, i);
    if (!name.empty() && !is_topic(name)) return {std::move(name), true};
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool follows = part.kind == PartKind::reach || words[i - 1].lower == "in";
    if (!follows || !is_capital(text, words[i])) continue;
    auto last = i + 1;
    while (last < words.size() && !is_one_of(words[last], after_a_name)) ++last;
    auto name = terms_of(text, words, i, last);
    const bool is_value = !part.value.empty() && name == read_terms(part.value);
    if (name.empty() || is_topic(name) || is_value) return {};
    return {std::move(name), false};
  }
  return part.kind == PartKind::operate ? thing_of_its_own(text, words) : NamedApp{};
}

}  // namespace

NamedApp named_app(const Goal& goal, std::size_t index) {
  const auto& part = goal.parts[index];
  auto name = name_in(part.text, part);
  // Some clauses keep only what is to be done.
  if (name.words.empty() && goal.parts.size() == 1) name = name_in(goal.text, part);
  return name;
}

}  // namespace drover::providers::scripted
