#include "providers/scripted/goal_clause.hpp"

#include <utility>

#include "providers/scripted/clause_entry.hpp"
#include "providers/scripted/clause_goods.hpp"
#include "providers/scripted/clause_operate.hpp"
#include "providers/scripted/clause_page.hpp"
#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/clause_sign_in.hpp"
#include "providers/scripted/clause_statement.hpp"
#include "providers/scripted/clause_switch.hpp"
#include "providers/scripted/clause_value.hpp"
#include "providers/scripted/clause_words.hpp"
#include "providers/scripted/goal_idioms.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

using Reader = bool (*)(const ClauseWords&, Goal&);

/// The kinds of clause in the order in which they are tried: the first that fits reads it.
constexpr Reader readers[] = {read_basket_state, read_statement, read_saying, read_naming,  read_signing,
                              read_switch,       read_check_out, read_create, read_marking, read_putting_away,
                              read_goods,        read_removal,   read_value,  read_typing,  read_question,
                              read_search,       read_reaching};

}  // namespace

std::vector<Clause> split_clauses(const std::vector<GoalToken>& tokens) {
  std::vector<Clause> clauses;
  std::size_t begin = 0;
  const auto cut = [&](std::size_t end, std::size_t next) {
    if (end > begin) clauses.push_back({begin, end});
    begin = next;
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (i > begin && token.sentence_before) cut(i, i);
    if (token.is_quoted || token.used) continue;
    if (token.lower == "then" || token.lower == "afterwards") {
      const auto end = i > begin && tokens[i - 1].lower == "and" ? i - 1 : i;
      cut(end, i + 1);
      continue;
    }
    auto next = i;
    const bool joins = is_one_of(token.lower, "and but");
    if (joins) ++next;
    while (next < tokens.size() && next > i &&
           is_one_of(tokens[next].lower, "then also finally please there afterwards")) {
      ++next;
    }
    const bool forbids = next < tokens.size() && is_one_of(tokens[next].lower, "dont never");
    if (joins && (begins_clause(tokens, next) || forbids)) {
      cut(i, next);
    } else if (token.comma_before && i > begin && !joins && begins_clause(tokens, i)) {
      cut(i, i);
    }
  }
  cut(tokens.size(), tokens.size());
  return clauses;
}

void append_parts(std::string_view text, const std::vector<GoalToken>& tokens, const Clause& clause, Goal& goal) {
  const ClauseWords words{text, tokens, clause};
  if (words.empty() || read_sign_in_refusal(words, goal) || read_given_text(words, goal)) return;
  if (words.terms.empty() && !words.has_quoted()) return;
  if (read_means(words, goal)) return;
  const bool goods = words.is(words.begin, "add put buy order purchase find search get");
  if (!goods) {
    if (auto idiom = read_idiom(text_of(tokens, words.begin, words.end))) {
      append(goal, *std::move(idiom));
      return;
    }
  }
  for (const auto reader : readers) {
    // What is not to be done has its verb, and is none of what the verb would say.
    if (words.is_prohibition() && reader != read_switch && reader != read_check_out) continue;
    if (reader(words, goal)) return;
  }
  const bool forbidden = words.is_negated() || words.is_without_thing();
  const bool looks = words.ensure && !forbidden;
  GoalPart part = make_part(words, looks ? PartKind::find : PartKind::operate, words.begin, words.end);
  part.forbidden = forbidden;
  if (looks) part.value = words.original(words.begin, words.end);
  append(goal, std::move(part));
}

}  // namespace drover::providers::scripted
