#include "providers/scripted/obstacles.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace drover::providers::scripted {

namespace {

bool is_plain_button(const SeenElement& seen) {
  const auto role = seen.element->role;
  return role == Role::button || role == Role::image || role == Role::item || role == Role::text || role == Role::other;
}

/// The first element that can be tapped and whose few words hold the meaning.
int button_that_says(const Situation& now, std::string_view name, std::size_t most_words = 5) {
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!is_plain_button(seen) || seen.terms.size() > most_words || !contains(seen.terms, meaning(name))) continue;
    if (now.can_tap(seen)) return static_cast<int>(i);
  }
  return -1;
}

std::string words_in_front(const Situation& now) {
  for (const auto& seen : now.view.elements) {
    if (!seen.element->clickable && !seen.element->label.empty()) return seen.element->label;
  }
  return "the prompt";
}

Terms goal_terms(const Situation& now) {
  Terms terms;
  for (const auto& part : now.goal.parts) {
    terms.insert(terms.end(), part.object.begin(), part.object.end());
    const auto value = read_terms(part.value);
    terms.insert(terms.end(), value.begin(), value.end());
  }
  return terms;
}

/// Whether a text, apart from the name of the app that stands in every prompt it
/// raises, shares a meaning that says something with the goal.
bool concerns_goal(const Situation& now, Terms text) {
  std::erase_if(text, [&](const Term& term) {
    return term.meaning == meaning("shop") || contains(now.view.page_words, term.meaning);
  });
  for (const auto& term : goal_terms(now)) {
    if (term.weight >= 1 && (contains(text, term.meaning) || relatedness({term}, text) >= 0.5)) return true;
  }
  return false;
}

Terms question_terms(const Situation& now) {
  Terms terms;
  for (const auto& seen : now.view.elements) {
    if (!seen.element->clickable) terms.insert(terms.end(), seen.terms.begin(), seen.terms.end());
  }
  return terms;
}

/// Whether the dialog can be the answer to what this part did last.
bool follows_own_act(const Situation& now) {
  const auto* last = now.last_of_part();
  if (last == nullptr || !last->had_effect) return false;
  return last->step->tool == "tap" || last->step->tool == "long_press" || last->step->tool == "input_text";
}

bool holds_what_part_needs(const Situation& now) {
  const auto& part = now.part();
  const auto wanted_value = read_terms(part.value);
  for (const auto& seen : now.view.elements) {
    if (!seen.element->clickable) continue;
    if (!part.object.empty() && coverage(part.object, seen.terms) >= 0.95) return true;
    if (!wanted_value.empty() && coverage(wanted_value, seen.terms) >= 0.95) return true;
    if (seen.is_field() && follows_own_act(now)) return true;
    if (is_switch(*seen.element) && follows_own_act(now)) return true;
  }
  return false;
}

std::optional<Move> answer_permission(const Situation& now) {
  const bool needed = concerns_goal(now, question_terms(now));
  const auto asked = words_in_front(now);
  constexpr std::array<std::string_view, 3> yes{"allow", "ok", "continue"};
  constexpr std::array<std::string_view, 4> no{"deny", "no", "cancel", "dismiss"};
  const auto try_all = [&](auto& names, bool grant) -> std::optional<Move> {
    for (const auto name : names) {
      const auto button = button_that_says(now, name, 8);
      if (button < 0) continue;
      // "Don't allow" holds "allow" only where the lexicon took it for something else.
      if (grant && contains(now.at(button).terms, meaning("deny"))) continue;
      return tap(now, button, std::string{clearing_purpose} + "the permission prompt out of the way",
                 "The prompt is gone");
    }
    return std::nullopt;
  };
  auto move = needed ? try_all(yes, true) : try_all(no, false);
  if (!move) move = needed ? try_all(no, false) : try_all(yes, true);
  if (move) {
    move->remark = needed ? "The goal needs what " + in_quotes(asked) + " asks for."
                          : "The goal does not need what " + in_quotes(asked) + " asks for.";
  }
  return move;
}

std::optional<Move> dismiss(const Situation& now) {
  constexpr std::array<std::string_view, 7> ways{"no", "dismiss", "deny", "cancel", "wait", "ok", "continue"};
  for (const auto name : ways) {
    const auto button = button_that_says(now, name);
    if (button < 0) continue;
    auto move = tap(now, button, std::string{clearing_purpose} + in_quotes(words_in_front(now)) + " out of the way",
                    "The page behind is free again");
    move.remark = "Something that the goal does not ask for stands in the way.";
    return move;
  }
  if (auto back = go_back(now, std::string{clearing_purpose} + "what is in front out of the way")) {
    back->remark = "Something that the goal does not ask for stands in the way.";
    return back;
  }
  return std::nullopt;
}

/// An offer without a window of its own: a button that says "not now" over a page.
bool is_banner(const Situation& now) { return button_that_says(now, "no", 2) >= 0; }

}  // namespace

Terms confirming_words(const GoalPart& part) {
  switch (part.kind) {
    case PartKind::remove:
      return read_identifier("delete empty forget ok confirm continue");
    case PartKind::sign_out:
      return read_identifier("sign_out ok confirm continue");
    case PartKind::set_switch:
      return read_identifier(part.on ? "turn_on ok allow confirm continue" : "turn_off ok confirm continue");
    case PartKind::check_out:
      return read_identifier("place_order pay buy confirm ok continue");
    case PartKind::create:
    case PartKind::type:
    case PartKind::set_value:
      return read_identifier("save ok confirm add continue");
    case PartKind::operate: {
      auto words = part.object.empty() ? Terms{} : Terms{part.object.front()};
      const auto usual = read_identifier("ok confirm continue save");
      words.insert(words.end(), usual.begin(), usual.end());
      return words;
    }
    default:
      return read_identifier("ok confirm continue save");
  }
}

std::optional<Move> confirm_own_act(const Situation& now) {
  if (!now.view.dialog || now.view.permission || !follows_own_act(now)) return std::nullopt;
  auto words = confirming_words(now.part());
  const bool gives_address = std::any_of(now.goal.texts.begin(), now.goal.texts.end(), [](const FieldText& text) {
    return contains(text.field, meaning("address"));
  });
  if (now.part().kind == PartKind::check_out && gives_address) {
    const auto add = read_terms("add");
    words.insert(words.end(), add.begin(), add.end());
  }
  const auto question = question_terms(now);
  Terms about = now.part().object;
  about.insert(about.end(), words.begin(), words.end());
  const auto clause = read_terms(now.part().text);
  about.insert(about.end(), clause.begin(), clause.end());
  // "Are you sure?" asks about whatever was done last.
  const bool ours = contains(question, meaning("ok")) || std::any_of(about.begin(), about.end(), [&](const Term& term) {
                      return term.weight >= 1 && contains(question, term.meaning);
                    });
  for (const auto& word : words) {
    for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
      const auto& seen = now.view.elements[i];
      if (!is_plain_button(seen) || seen.terms.size() > 4 || !contains(seen.terms, word.meaning) ||
          !now.can_tap(seen)) {
        continue;
      }
      const bool verb = word.meaning != meaning("ok") && word.meaning != meaning("continue");
      if (!ours && !verb) continue;
      if (contains(seen.terms, meaning("deny")) || contains(seen.terms, meaning("no"))) continue;
      return tap(now, static_cast<int>(i),
                 "Confirm with " + in_quotes(seen.name) + " what " + in_quotes(now.part().text) + " asks for",
                 "The question is gone and the change is made");
    }
  }
  return std::nullopt;
}

bool is_answer_to_own_act(const Situation& now) {
  if (!now.view.dialog || now.view.permission || !follows_own_act(now)) return false;
  if (package_of(now.last_of_part()->page) != now.view.scene->package) return false;
  int buttons = 0;
  for (const auto& seen : now.view.elements) {
    if (seen.is_field() || is_switch(*seen.element) || seen.element->label.ends_with('?')) return false;
    if (!seen.element->clickable) continue;
    ++buttons;
    const bool closes = contains(seen.terms, meaning("ok")) || contains(seen.terms, meaning("dismiss"));
    if (!closes || seen.terms.size() > 2) return false;
  }
  return buttons == 1;
}

std::optional<Move> clear_the_way(const Situation& now) {
  if (now.view.permission) return answer_permission(now);
  if (now.view.dialog) {
    if (now.is_last_part() && now.part().kind == PartKind::operate && is_answer_to_own_act(now)) return std::nullopt;
    if (holds_what_part_needs(now)) return std::nullopt;
    if (auto move = confirm_own_act(now)) return move;
    return dismiss(now);
  }
  if (is_banner(now) && !holds_what_part_needs(now)) return dismiss(now);
  return std::nullopt;
}

}  // namespace drover::providers::scripted
