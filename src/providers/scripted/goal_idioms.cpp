#include "providers/scripted/goal_idioms.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

/// All words of one alternative (separated by `|`) stand in the clause, in any order.
struct IdiomRow {
  std::string_view words;
  PartKind kind;
  std::string_view object;
  bool on = true;
  std::string_view value = {};
  bool takes_nouns = false;  ///< operate: the clause names what it is to be done with.
};

constexpr IdiomRow idiom_rows[] = {
    {"radio communication|all radios off|stop radio|phone offline|for flight radio", PartKind::set_switch,
     "airplane mode"},
    {"black background|screens dark|screen dark|dark instead light|white on black", PartKind::set_switch, "dark theme"},
    {"noise key|noise tap|click key|sound key|beep touch", PartKind::set_switch, "touch sounds", false},
    {"radio headphones|wireless headphones connect|radio for headset|cordless headphones", PartKind::set_switch,
     "bluetooth"},
    {"battery last longer|battery live longer|limit background battery|stretch battery", PartKind::set_switch,
     "battery saver"},
    {"nothing noise|nothing alarms noise|only alarms sound|nothing disturb|nobody disturb|quiet at night|not disturbed",
     PartKind::set_switch, "do not disturb"},
    {"am pm|twelve hour|12 hour", PartKind::set_switch, "24 hour format", false},
    {"nobody where phone|nobody find where|nobody know where|hide where phone|not track phone", PartKind::set_switch,
     "location", false},
    {"letters as big as|text as big as|biggest letters|largest letters|biggest text|largest text", PartKind::set_value,
     "font size", true, "++"},
    {"letters big|letters larger|letters bigger|text bigger|text larger|writing bigger|writing larger",
     PartKind::set_value, "font size", true, "+"},
    {"letters smaller|text smaller|writing smaller", PartKind::set_value, "font size", true, "-"},
    {"send back|give back|bring back", PartKind::operate, "return items", true, {}, true},
    {"nothing unread|nothing as unread|all read messages|everything read", PartKind::operate, "mark all as read"},
};

/// "Keep the screen lit for ten minutes": the time is the value.
constexpr std::string_view lit_screen[] = {"screen lit",       "screen awake",         "screen stay on",
                                           "screen stays on",  "display lit",          "screen bright minutes",
                                           "screen off after", "screen turn off after"};

constexpr std::string_view language_names[] = {"english", "german",  "french",  "spanish",   "japanese",
                                               "arabic",  "chinese", "italian", "portuguese"};

std::vector<std::string> stems_of(std::string_view text) {
  std::vector<std::string> stems;
  for (auto& word : split_words(text)) stems.push_back(std::move(word.stem));
  return stems;
}

bool all_in(std::string_view words, const std::vector<std::string>& clause) {
  const auto wanted = stems_of(words);
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& stem) {
    return std::find(clause.begin(), clause.end(), stem) != clause.end();
  });
}

bool any_alternative_in(std::string_view alternatives, const std::vector<std::string>& clause) {
  std::size_t at = 0;
  while (at < alternatives.size()) {
    auto end = alternatives.find('|', at);
    if (end == std::string_view::npos) end = alternatives.size();
    if (all_in(alternatives.substr(at, end - at), clause)) return true;
    at = end + 1;
  }
  return false;
}

GoalPart make(PartKind kind, std::string_view object, std::string_view clause) {
  GoalPart part;
  part.kind = kind;
  part.text = std::string{clause};
  part.object = read_terms(object);
  part.object_text = std::string{object};
  return part;
}

/// What the clause says apart from the idiom: with which things it is to be done.
void add_nouns(std::string_view idiom, std::string_view clause, GoalPart& part) {
  std::erase_if(part.object, [](const Term& term) { return term.weight < 1; });
  const auto idiom_stems = stems_of(idiom);
  for (const auto& term : read_terms(clause)) {
    const bool said = std::find(idiom_stems.begin(), idiom_stems.end(), term.stem) != idiom_stems.end();
    if (!said && term.weight >= 1 && !contains(part.object, term.meaning)) part.object.push_back(term);
  }
}

/// "ten minutes", "30 seconds".
std::string duration_in(std::string_view clause) {
  const auto words = split_words(clause);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const bool counted = small_number(words[i].lower) > 0;
    if (counted && (words[i + 1].stem == stem("minutes") || words[i + 1].stem == stem("seconds") ||
                    words[i + 1].stem == stem("hours"))) {
      return std::string{clause.substr(words[i].begin, words[i + 1].end - words[i].begin)};
    }
  }
  return {};
}

/// "the menus in German", without the word language.
std::optional<GoalPart> read_language(std::string_view clause) {
  const auto terms = read_terms(clause);
  if (contains(terms, meaning("language"))) return std::nullopt;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    for (const auto name : language_names) {
      if (terms[i].meaning != meaning(name)) continue;
      const auto word = clause.substr(terms[i].begin, terms[i].end - terms[i].begin);
      const auto before = split_words(clause.substr(0, terms[i].begin));
      if (before.empty() ||
          (before.back().lower != "in" && before.back().lower != "to" && before.back().lower != "speak")) {
        continue;
      }
      auto part = make(PartKind::set_value, "language", clause);
      part.value = std::string{word};
      return part;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<GoalPart> read_idiom(std::string_view clause) {
  const auto stems = stems_of(clause);
  for (const auto words : lit_screen) {
    const auto time = duration_in(clause);
    if (time.empty() || !all_in(words, stems)) continue;
    auto part = make(PartKind::set_value, "screen timeout", clause);
    part.value = time;
    return part;
  }
  for (const auto& row : idiom_rows) {
    if (!any_alternative_in(row.words, stems)) continue;
    auto part = make(row.kind, row.object, clause);
    part.on = row.on;
    part.value = std::string{row.value};
    if (row.takes_nouns) add_nouns(row.words, clause, part);
    return part;
  }
  return read_language(clause);
}

}  // namespace drover::providers::scripted
