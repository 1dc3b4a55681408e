#include "providers/scripted/clause_entry.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view creatable_names[] = {"note",    "task",    "reminder", "alarm",    "timer", "event",
                                                "contact", "message", "photo",    "playlist", "entry", "address"};

constexpr std::string_view words_before_text =
    "down that says saying reading called named titled about for to at with the text of me which reads up a an";

/// The word that names the kind of entry.
std::optional<std::size_t> place_of_creatable(const ClauseWords& clause) {
  for (const auto& term : clause.terms) {
    for (const auto name : creatable_names) {
      if (term.meaning != meaning(name)) continue;
      for (auto i = clause.begin; i < clause.end; ++i) {
        if (!clause.tokens[i].is_quoted && stem(clause.tokens[i].lower) == term.stem) return i;
      }
    }
  }
  return std::nullopt;
}

/// The text of a new entry: what stands in quotes, else what follows "saying",
/// "called", "for" and the like, else the rest.
std::string text_after(const ClauseWords& clause, std::size_t from) {
  if (auto quoted = clause.quoted_text(); !quoted.empty()) return quoted;
  while (from < clause.end && clause.is(from, words_before_text)) ++from;
  auto until = clause.end;
  if (until > from + 2 && clause.is(until - 2, "on") && clause.is(until - 1, "phone")) until -= 2;
  return clause.original(from, until);
}

/// "Send Anna a message", "a message to Anna saying …": who gets it.
void read_recipient(const ClauseWords& clause, GoalPart& part, Goal& goal) {
  const auto stop = "saying that says saying reading with about telling asking and";
  auto from = clause.find_word("to", clause.begin + 1);
  auto until = clause.end;
  if (from < clause.end) {
    ++from;
  } else if (clause.word(clause.begin) == "send" && !clause.is(clause.begin + 1, "a an the my one")) {
    from = clause.begin + 1;
    until = clause.find_word("a an the my", from);
  } else {
    return;
  }
  until = std::min(until, clause.find_word(stop, from));
  if (from < until && clause.tokens[from].is_quoted) until = from + 1;
  for (auto i = from + 1; i < until; ++i) {
    if (clause.tokens[i].colon_before || clause.tokens[i].is_quoted || clause.tokens[i].comma_before) until = i;
  }
  const auto name = clause.original(from, until);
  if (name.empty()) return;
  goal.texts.push_back({read_terms("recipient contact"), name, clause.tokens[from].begin});
  part.place = read_terms(name);
  if (until >= clause.end) return;
  part.value.clear();
  for (auto i = until; i < clause.end; ++i) {
    if (clause.tokens[i].is_quoted) part.value = clause.tokens[i].quoted;
  }
  if (!part.value.empty()) return;
  auto text = until;
  while (text < clause.end && clause.is(text, "that says say saying reading with the text message and")) ++text;
  part.value = clause.slice(text, clause.end);
}

/// "6:45" for forms that ask for hour and minute.
void read_time(const std::string& value, Goal& goal) {
  const auto colon = value.find(':');
  if (colon == std::string::npos || colon == 0 || colon > 2 || value.size() < colon + 3 || !is_number(value)) return;
  const auto two_digits = [](std::string text) { return text.size() < 2 ? "0" + text : text; };
  auto hour = value.substr(0, colon);
  if (value.find("pm") != std::string::npos && small_number(hour) < 12 && small_number(hour) > 0) {
    hour = std::to_string(small_number(hour) + 12);
  }
  goal.texts.push_back({read_terms("hour"), two_digits(hour), 0});
  goal.texts.push_back({read_terms("minute"), value.substr(colon + 1, 2), 0});
}

/// "Write down under Tickets: Seat 14C."
bool read_note_under(const ClauseWords& clause, Goal& goal) {
  const auto under = clause.find_word("under", clause.begin + 1);
  if (under + 2 >= clause.end) return false;
  auto from = under + 1;
  while (from < clause.end && !clause.tokens[from].colon_before) ++from;
  if (from >= clause.end) return false;
  GoalPart part;
  part.kind = PartKind::create;
  part.text = clause.original(clause.begin, clause.end);
  part.object = read_terms("note");
  goal.texts.push_back({read_terms("title"), clause.original(under + 1, from), clause.tokens[under + 1].begin});
  goal.texts.push_back({read_terms("body"), clause.slice(from, clause.end), clause.tokens[from].begin});
  return append(goal, std::move(part));
}

}  // namespace

bool read_create(const ClauseWords& clause, Goal& goal) {
  if (contains(clause.terms, meaning("basket"))) return false;
  const auto w = clause.word(clause.begin);
  const bool wakes = is_one_of(w, "wake remind note jot");
  if (!wakes && !is_one_of(w, "create make write add compose set save start schedule send new")) return false;
  const auto at = place_of_creatable(clause);
  const bool counted =
      std::any_of(clause.tokens.begin() + static_cast<std::ptrdiff_t>(clause.begin),
                  clause.tokens.begin() + static_cast<std::ptrdiff_t>(clause.end),
                  [](const GoalToken& token) { return small_number(token.lower) > 0 || is_number(token.lower); });
  if (w == "start" && !counted) return false;
  if (w == "write" && clause.is(clause.begin + 1, "down") && read_note_under(clause, goal)) return true;
  if (!at && !wakes) return false;
  GoalPart part = make_part(clause, PartKind::create, clause.begin + 1, clause.end);
  if (w == "note" || w == "jot") {
    part.object = read_terms("note");
    part.value = text_after(clause, clause.begin + 1);
  } else {
    part.object = {};
    for (const auto& term : clause.terms) {
      const bool kind = std::any_of(std::begin(creatable_names), std::end(creatable_names),
                                    [&](std::string_view name) { return term.meaning == meaning(name); });
      if (kind) {
        part.object.push_back(term);
        break;
      }
    }
    part.value = text_after(clause, at ? *at + 1 : clause.begin + 1);
  }
  if (w == "send") part.object = read_terms("message");
  if (contains(part.object, meaning("address")) || read_terms(part.value).empty()) part.value.clear();
  if (part.object.empty() && w == "write") part.object = read_terms("note");
  if (contains(part.object, meaning("message"))) read_recipient(clause, part, goal);
  if (contains(part.object, meaning("alarm"))) read_time(part.value, goal);
  return append(goal, std::move(part));
}

bool read_saying(const ClauseWords& clause, Goal& goal) {
  if (!clause.is(clause.begin, "tell ask text answer reply write") || clause.begin + 2 >= clause.end) return false;
  const auto to = clause.begin + 1;
  const auto& name = clause.tokens[to];
  const bool is_name = !name.is_quoted && !name.raw.empty() && name.raw[0] >= 'A' && name.raw[0] <= 'Z';
  if (!is_name || clause.is(to, "me us")) return false;
  auto from = to + 1;
  while (from < clause.end && !clause.tokens[from].colon_before && from < to + 3 && !clause.tokens[from].is_quoted &&
         clause.tokens[from].raw[0] >= 'A' && clause.tokens[from].raw[0] <= 'Z') {
    ++from;
  }
  GoalPart part;
  part.kind = PartKind::create;
  part.text = clause.original(clause.begin, clause.end);
  part.object = read_terms("message");
  part.place = read_terms(clause.original(to, from));
  goal.texts.push_back({read_terms("recipient contact"), clause.original(to, from), name.begin});
  if (clause.is(from, "that")) ++from;
  part.value = clause.quoted_text().empty() ? clause.slice(from, clause.end) : clause.quoted_text();
  return append(goal, std::move(part));
}

}  // namespace drover::providers::scripted
