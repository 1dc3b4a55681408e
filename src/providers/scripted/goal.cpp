#include "providers/scripted/goal.hpp"

#include <algorithm>

#include "providers/scripted/goal_clause.hpp"
#include "providers/scripted/goal_texts.hpp"
#include "providers/scripted/goal_tokens.hpp"

namespace drover::providers::scripted {

namespace {

/// "Find the red kettle and add it to the basket": what is not named again is the
/// thing that the part before was about.
void take_over_objects(Goal& goal) {
  for (std::size_t i = 1; i < goal.parts.size(); ++i) {
    auto& part = goal.parts[i];
    const bool needs_object = part.kind == PartKind::add || part.kind == PartKind::remove || part.kind == PartKind::read ||
                              part.kind == PartKind::set_switch;
    if (!needs_object || !part.object.empty() || part.pick != Pick::any || part.value == "all") continue;
    part.object = goal.parts[i - 1].object;
    part.object_text = goal.parts[i - 1].object_text;
  }
}

}  // namespace

std::string_view name_of(PartKind kind) noexcept {
  switch (kind) {
    case PartKind::reach: return "reach";
    case PartKind::set_switch: return "set_switch";
    case PartKind::set_value: return "set_value";
    case PartKind::find: return "find";
    case PartKind::add: return "add";
    case PartKind::remove: return "remove";
    case PartKind::check_out: return "check_out";
    case PartKind::sign_in: return "sign_in";
    case PartKind::sign_out: return "sign_out";
    case PartKind::create: return "create";
    case PartKind::type: return "type";
    case PartKind::read: return "read";
    case PartKind::operate: return "operate";
  }
  return "operate";
}

Goal read_goal(std::string_view text) {
  Goal goal;
  goal.text = std::string{text};
  auto tokens = split_goal(text);
  goal.texts = take_field_texts(tokens);
  for (const auto& clause : split_clauses(tokens)) append_parts(tokens, clause, goal);
  take_over_objects(goal);
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
