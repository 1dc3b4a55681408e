#include "providers/scripted/lexicon.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/text.hpp"
#include "providers/scripted/lexicon_table.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr float generic_weight = 0.25F;
constexpr double near_miss = 0.85;
constexpr double part_of_phrase = 0.9;
constexpr double one_topic_up = 0.6;
constexpr double beside_in_topic = 0.4;
constexpr int deepest_topic = 3;

struct Phrase {
  std::vector<std::string> stems;
  std::vector<std::string> words;
  Meaning meaning = 0;
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    auto end = text.find(separator, begin);
    if (end == std::string_view::npos) end = text.size();
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The tables in the form in which they are searched; built once.
class Lexicon {
 public:
  Lexicon() {
    for (const auto& row : synonym_rows) {
      for (const auto& text : split(row.phrases, '|')) {
        Phrase phrase;
        for (auto& word : split_words(text)) {
          phrase.stems.push_back(std::move(word.stem));
          phrase.words.push_back(std::move(word.lower));
        }
        if (phrase.stems.empty()) continue;
        phrase.meaning = meaning(row.name);
        phrases_[phrase.stems.front()].push_back(std::move(phrase));
      }
    }
    for (auto& [first, list] : phrases_) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Phrase& a, const Phrase& b) { return a.stems.size() > b.stems.size(); });
    }
    for (const auto& word : split(stop_words, ' ')) stop_.insert(word);
    for (const auto& word : split(generic_words, ' ')) generic_.insert(stem(word));
    for (const auto& row : topic_rows) {
      for (const auto& name : split(row.broader, ' ')) broader_[meaning(row.name)].push_back(meaning(name));
    }
    for (const auto& name : split(app_topics, ' ')) apps_.emplace_back(meaning(name), name);
  }

  Terms read(const std::vector<Word>& words) const {
    Terms terms;
    terms.reserve(words.size());
    for (std::size_t i = 0; i < words.size();) {
      const auto& word = words[i];
      if (const auto* phrase = phrase_at(words, i)) {
        const auto last = i + phrase->stems.size() - 1;
        Term term{phrase->meaning, word.stem, {}, 1.0F, word.begin, words[last].end};
        if (last > i) term.stems = phrase->stems;
        terms.push_back(std::move(term));
        i = last + 1;
        continue;
      }
      if (!stop_.contains(word.lower)) {
        const auto weight = generic_.contains(word.stem) ? generic_weight : 1.0F;
        const auto number = small_number(word.lower);
        const auto value = number > 0 ? meaning(std::to_string(number)) : meaning(word.stem);
        terms.push_back({value, word.stem, {}, weight, word.begin, word.end});
      }
      ++i;
    }
    return terms;
  }

  double topic_distance(Meaning from, Meaning to, int depth) const {
    if (from == to) return 1;
    if (depth == 0) return 0;
    const auto found = broader_.find(from);
    if (found == broader_.end()) return 0;
    double best = 0;
    for (const auto next : found->second) best = std::max(best, one_topic_up * topic_distance(next, to, depth - 1));
    return best;
  }

  /// Whether both stand right under the same topic.
  bool are_siblings(Meaning a, Meaning b) const {
    const auto of_a = broader_.find(a);
    const auto of_b = broader_.find(b);
    if (of_a == broader_.end() || of_b == broader_.end()) return false;
    return std::any_of(of_a->second.begin(), of_a->second.end(), [&](Meaning topic) {
      return topic != meaning("settings") && topic != meaning("more") && topic != meaning("shop") &&
             std::find(of_b->second.begin(), of_b->second.end(), topic) != of_b->second.end();
    });
  }

  const std::vector<std::pair<Meaning, std::string>>& apps() const { return apps_; }

 private:
  const Phrase* phrase_at(const std::vector<Word>& words, std::size_t at) const {
    const auto found = phrases_.find(words[at].stem);
    if (found == phrases_.end()) return nullptr;
    const Phrase* best = nullptr;
    for (const auto& phrase : found->second) {
      const auto length = phrase.stems.size();
      if (best != nullptr && length < best->stems.size()) break;
      if (at + length > words.size()) continue;
      if (length == 1 && stop_.contains(words[at].lower)) continue;
      bool same = true;
      bool spelled_so = true;
      for (std::size_t i = 0; i < length; ++i) {
        same = same && words[at + i].stem == phrase.stems[i];
        spelled_so = spelled_so && words[at + i].lower == phrase.words[i];
      }
      if (same && spelled_so) return &phrase;
      if (same && best == nullptr) best = &phrase;
    }
    return best;
  }

  std::unordered_map<std::string, std::vector<Phrase>> phrases_;
  std::unordered_set<std::string> stop_;
  std::unordered_set<std::string> generic_;
  std::unordered_map<Meaning, std::vector<Meaning>> broader_;
  std::vector<std::pair<Meaning, std::string>> apps_;
};

const Lexicon& lexicon() {
  static const Lexicon instance;
  return instance;
}

double similarity(const Term& wanted, const Term& offered) {
  if (wanted.meaning == offered.meaning) return 1;
  // "sounds" alone is most of what "touch sounds" says.
  if (wanted.stems.empty() &&
      std::find(offered.stems.begin(), offered.stems.end(), wanted.stem) != offered.stems.end()) {
    return part_of_phrase;
  }
  if (!wanted.stems.empty() || !offered.stems.empty()) return 0;
  const auto& a = wanted.stem;
  const auto& b = offered.stem;
  if (a.size() < 5 || b.size() < 4 || is_number(a) || is_number(b)) return 0;
  if (a == b) return 1;
  const auto longer = std::max(a.size(), b.size());
  const auto shorter = std::min(a.size(), b.size());
  if (longer - shorter > 3 || a[0] != b[0]) return 0;
  if (shorter >= 5 && std::string_view{a}.substr(0, shorter) == std::string_view{b}.substr(0, shorter)) {
    return near_miss;
  }
  if (longer - shorter <= 1 && edit_distance(a, b) <= 1) return near_miss;
  return 0;
}

bool holds_stem(const Terms& terms, const std::string& stem) {
  return std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.stem == stem || std::find(term.stems.begin(), term.stems.end(), stem) != term.stems.end();
  });
}

double best_similarity(const Term& wanted, const Terms& offered) {
  double best = 0;
  for (const auto& term : offered) {
    best = std::max(best, similarity(wanted, term));
    if (best >= 1) return best;
  }
  // A phrase whose words stand apart in the other text.
  if (wanted.stems.size() > 1 && std::all_of(wanted.stems.begin(), wanted.stems.end(),
                                             [&](const std::string& stem) { return holds_stem(offered, stem); })) {
    best = std::max(best, part_of_phrase);
  }
  return best;
}

/// "coffee bar" written as one word: "CoffeeBar".
bool is_half_of_compound(const Terms& wanted, std::size_t at, const Terms& offered) {
  const auto joined = [&](std::size_t first) { return wanted[first].stem + wanted[first + 1].stem; };
  const auto stands = [&](const std::string& word) {
    return std::any_of(offered.begin(), offered.end(),
                       [&](const Term& term) { return term.stem.size() >= 6 && edit_distance(term.stem, word) <= 1; });
  };
  return (at + 1 < wanted.size() && stands(joined(at))) || (at > 0 && stands(joined(at - 1)));
}

}  // namespace

Terms read_terms(std::string_view text) { return lexicon().read(split_words(text)); }

Terms read_identifier(std::string_view identifier) {
  std::string spaced;
  spaced.reserve(identifier.size() + 8);
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const char c = identifier[i];
    const bool upper = c >= 'A' && c <= 'Z';
    const bool after_lower = i > 0 && identifier[i - 1] >= 'a' && identifier[i - 1] <= 'z';
    if (upper && after_lower) spaced += ' ';
    spaced += (c == '_' || c == '-' || c == '/' || c == '.' || c == ':' || c == '+') ? ' ' : c;
  }
  return read_terms(spaced);
}

bool contains(const Terms& terms, Meaning wanted) noexcept {
  return std::any_of(terms.begin(), terms.end(), [wanted](const Term& term) { return term.meaning == wanted; });
}

double coverage(const Terms& wanted, const Terms& offered) {
  static const Terms nothing;
  return coverage(wanted, offered, nothing);
}

double coverage(const Terms& wanted, const Terms& offered, const Terms& around) {
  double total = 0;
  double found = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& term = wanted[i];
    total += term.weight;
    auto best = best_similarity(term, offered);
    if (best < 1 && !around.empty()) best = std::max(best, best_similarity(term, around));
    if (best == 0 && is_half_of_compound(wanted, i, offered)) best = 1;
    found += term.weight * best;
  }
  return total > 0 ? found / total : 0;
}

double relatedness(const Terms& wanted, const Terms& offered, Meaning ignored) {
  double best = 0;
  for (const auto& from : wanted) {
    if (from.weight < 1) continue;
    for (const auto& to : offered) {
      if (to.weight < 1 || to.meaning == ignored) continue;
      best = std::max(best, lexicon().topic_distance(from.meaning, to.meaning, deepest_topic));
      if (best < beside_in_topic && lexicon().are_siblings(from.meaning, to.meaning)) best = beside_in_topic;
    }
  }
  return best;
}

std::string_view head_of(std::string_view label) noexcept {
  auto end = label.size();
  for (const std::string_view border : {", ", "\n", " \xC2\xB7 "}) end = std::min(end, label.find(border));
  return label.substr(0, end);
}

std::string app_name_of(std::string_view topic) {
  for (const auto& row : app_name_rows) {
    if (row.topic == topic) return std::string{row.name};
  }
  std::string name{topic};
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

std::string_view usual_app(const Terms& terms) {
  double best = 0;
  std::string_view name;
  for (const auto& term : terms) {
    for (const auto& [app, text] : lexicon().apps()) {
      const auto closeness = lexicon().topic_distance(term.meaning, app, deepest_topic);
      if (closeness > best) {
        best = closeness;
        name = text;
      }
    }
  }
  return name;
}

}  // namespace drover::providers::scripted
