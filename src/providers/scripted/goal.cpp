#include "providers/scripted/goal.hpp"

#include <algorithm>

#include "providers/scripted/goal_clause.hpp"
#include "providers/scripted/goal_texts.hpp"
#include "providers/scripted/goal_tokens.hpp"

namespace drover::providers::scripted {

namespace {

/// "Find the red kettle and add it to the basket": what is not named again is the
/// thing that the part before was about.
bool names_kind_only(const GoalPart& part) {
  constexpr std::string_view kinds[] = {"message", "order", "note",    "product", "contact",
                                        "result",  "entry", "article", "one"};
  return part.object.size() <= 1 && (part.object.empty() || part.object.front().weight < 1 ||
                                     std::any_of(std::begin(kinds), std::end(kinds), [&](std::string_view kind) {
                                       return part.object.front().meaning == meaning(kind);
                                     }));
}

/// "What is the code for the locker? Open the message.", "Does it sell kayaks?
/// Search for it.": the question is answered by what is opened.
void open_what_was_asked_for(Goal& goal) {
  for (std::size_t i = 1; i < goal.parts.size(); ++i) {
    auto& part = goal.parts[i];
    auto& question = goal.parts[i - 1];
    const bool opens = part.kind == PartKind::reach &&
                       (question.kind == PartKind::read || question.kind == PartKind::find) && names_kind_only(part);
    const bool searches = part.kind == PartKind::find && question.kind == PartKind::read && part.object.empty();
    if (!opens && !searches) continue;
    if (question.kind == PartKind::read) {
      if (opens) part.place = part.object;
      part.object = question.object;
      part.object_text = question.object_text;
      if (searches) {
        std::erase_if(part.object, [](const Term& term) {
          return term.meaning == meaning("shop") || term.meaning == meaning("sell");
        });
        if (!part.object.empty()) part.object_text = part.object.back().stem;
        part.value = part.object_text;
      }
      goal.parts.erase(goal.parts.begin() + static_cast<std::ptrdiff_t>(i) - 1);
      --i;
    } else {
      part.object = question.object;
      part.object_text = question.object_text;
    }
  }
}

/// A user name with a password says that somebody is to be signed in, also where no clause does.
void sign_in_where_credentials_are_given(Goal& goal) {
  const auto gives = [&](std::string_view field) {
    return std::any_of(goal.texts.begin(), goal.texts.end(),
                       [&](const FieldText& text) { return contains(text.field, meaning(field)); });
  };
  const bool has_part = std::any_of(goal.parts.begin(), goal.parts.end(),
                                    [](const GoalPart& part) { return part.kind == PartKind::sign_in; });
  if (has_part || goal.parts.empty() || !gives("user_name") || !gives("password")) return;
  GoalPart part;
  part.kind = PartKind::sign_in;
  part.text = "sign in";
  goal.parts.insert(goal.parts.begin(), std::move(part));
}

void take_over_objects(Goal& goal) {
  for (std::size_t i = 0; i < goal.parts.size(); ++i) {
    auto& part = goal.parts[i];
    if (i == 0) {
      if (part.object.empty() && part.kind != PartKind::sign_in && part.kind != PartKind::check_out) {
        part.object = goal.context;
      }
      continue;
    }
    const bool needs_object = part.kind == PartKind::add || part.kind == PartKind::remove ||
                              part.kind == PartKind::read || part.kind == PartKind::set_switch ||
                              part.kind == PartKind::reach || part.kind == PartKind::operate ||
                              (part.kind == PartKind::find && part.value.empty());
    if (!needs_object || !part.object.empty() || part.pick != Pick::any || part.value == "all") continue;
    const auto& before = goal.parts[i - 1];
    part.object = before.object;
    part.object_text = before.object_text;
    if (part.kind == PartKind::find) part.value = before.object_text;
    // "Put the chat away and show where it went": the place is named by what was done.
    if (part.kind == PartKind::reach && before.kind == PartKind::operate && before.object.size() > 1) {
      part.object.resize(1);
    }
  }
}

/// "Order a lamp. Sign in as demo": the shop asks for the sign-in before it takes the order.
void sign_in_before_ordering(Goal& goal) {
  for (std::size_t i = 1; i < goal.parts.size(); ++i) {
    if (goal.parts[i].kind != PartKind::sign_in || goal.parts[i - 1].kind != PartKind::check_out) continue;
    std::swap(goal.parts[i], goal.parts[i - 1]);
  }
}

}  // namespace

std::string_view name_of(PartKind kind) noexcept {
  switch (kind) {
    case PartKind::reach:
      return "reach";
    case PartKind::set_switch:
      return "set_switch";
    case PartKind::set_value:
      return "set_value";
    case PartKind::find:
      return "find";
    case PartKind::add:
      return "add";
    case PartKind::remove:
      return "remove";
    case PartKind::check_out:
      return "check_out";
    case PartKind::sign_in:
      return "sign_in";
    case PartKind::sign_out:
      return "sign_out";
    case PartKind::create:
      return "create";
    case PartKind::type:
      return "type";
    case PartKind::read:
      return "read";
    case PartKind::operate:
      return "operate";
  }
  return "operate";
}

Goal read_goal(std::string_view text) {
  Goal goal;
  goal.text = std::string{text};
  auto tokens = split_goal(text);
  goal.words = read_terms(text);
  goal.texts = take_field_texts(tokens);
  for (const auto& clause : split_clauses(tokens)) append_parts(text, tokens, clause, goal);
  open_what_was_asked_for(goal);
  take_over_objects(goal);
  sign_in_where_credentials_are_given(goal);
  sign_in_before_ordering(goal);
  if (goal.parts.empty() && !goal.texts.empty()) {
    GoalPart part;
    part.kind = PartKind::sign_in;
    part.text = goal.text;
    goal.parts.push_back(std::move(part));
  }
  if (goal.parts.empty() && !tokens.empty()) {
    GoalPart part;
    part.text = goal.text;
    part.object = read_terms(text);
    goal.parts.push_back(std::move(part));
  }
  return goal;
}

}  // namespace drover::providers::scripted
