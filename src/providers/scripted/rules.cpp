#include "providers/scripted/rules.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "providers/scripted/goal.hpp"
#include "providers/scripted/memory.hpp"
#include "providers/scripted/obstacles.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/screen_view.hpp"
#include "providers/scripted/situation.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t longest_quotation = 120;
constexpr int tries_before_another_way = 2;
/// Where no other way is left. Drover itself ends a task after a third step in vain.
constexpr int tries_before_giving_up = 3;
constexpr std::size_t names_before_a_note = 6;

/// One sentence about what the last step came to.
std::string judge_last_step(const Memory& memory) {
  const auto* last = memory.last();
  if (last == nullptr) return "This is the first look at the screen.";
  const auto& step = *last->step;
  if (last->doubtful) return "Nobody saw whether the last step happened, so the screen decides.";
  if (step.success && !*step.success) {
    return step.observed.empty() ? "The last step failed."
                                 : "The last step failed: " + shorten(step.observed, longest_quotation) + ".";
  }
  if (!last->had_effect) return "The last step changed nothing.";
  return step.observed.empty() ? "The last step worked."
                               : "The last step worked: " + shorten(step.observed, longest_quotation) + ".";
}

RuleDecision finish(std::string rationale, bool success, std::string reason) {
  RuleDecision decision;
  decision.rationale = std::move(rationale);
  decision.tool = std::string{finish_tool};
  decision.arguments = {{"success", success}, {"reason", std::move(reason)}};
  return decision;
}

/// The sentence for a step that is tried a second time.
std::string second_try(const Situation& now, const Move& move) {
  const auto* last = now.memory.last();
  if (last == nullptr || last->had_effect || last->step->tool != move.tool) return {};
  const auto id = integer_or(move.arguments, "element");
  if (id > 0) {
    const auto index = now.view.index_of(static_cast<int>(id));
    if (index < 0 || !same_name(last->step->on, now.view.elements[static_cast<std::size_t>(index)].name)) return {};
  }
  return " It may not have been taken, so it is tried once more.";
}

/// Whether a note comes back with the next prompt, as far as can be told.
bool keeps_notes(const Situation& now) {
  const auto& history = now.prompt.history;
  const bool noted =
      std::any_of(history.begin(), history.end(), [](const PastStep& step) { return step.tool == "note"; });
  return now.offers("note") && (!noted || !now.prompt.notes.empty());
}

RuleDecision act(const Situation& now, Move move) {
  RuleDecision decision;
  const auto mark = part_mark(now.index, now.goal.parts.size());
  auto vain = now.memory.vain_names_to_note();
  if (!move.explores.empty() && vain.size() >= names_before_a_note && keeps_notes(now)) {
    decision.rationale = "The history is cut as it grows, so what was looked behind is noted.";
    decision.tool = "note";
    decision.arguments = {{"text", mark + write_vain_names(vain)},
                          {"purpose", mark + "Keep in mind what was looked behind"},
                          {"expected_outcome", "It is noted"}};
    return decision;
  }
  for (const auto& name : move.explores) vain.push_back(short_vain_name(name));
  decision.rationale = write_vain_names(vain);
  if (!decision.rationale.empty()) decision.rationale += " ";
  decision.rationale += judge_last_step(now.memory) + second_try(now, move);
  if (!move.remark.empty()) decision.rationale += " " + move.remark;
  decision.tool = std::move(move.tool);
  decision.arguments = std::move(move.arguments);
  decision.arguments["purpose"] = mark + move.purpose;
  decision.arguments["expected_outcome"] = std::move(move.expected_outcome);
  return decision;
}

/// What following the parts in their order comes to.
struct Course {
  std::size_t part = 0;
  Pursuit pursuit;  ///< Done: every part is, with the evidence of all.

  [[nodiscard]] double confidence() const {
    if (const auto* move = std::get_if<Move>(&pursuit)) return move->confidence;
    return std::holds_alternative<PartDone>(pursuit) ? 1 : 0;
  }
};

Course follow_parts(Situation now) {
  std::string evidence;
  for (; now.index < now.goal.parts.size(); ++now.index) {
    auto pursuit = pursue(now);
    auto* done = std::get_if<PartDone>(&pursuit);
    if (done == nullptr) return {now.index, std::move(pursuit)};
    if (!evidence.empty()) evidence += "; ";
    evidence += done->evidence;
  }
  return {now.index, PartDone{std::move(evidence)}};
}

RuleDecision without_screen(const Prompt& prompt, const Memory& memory,
                            const std::function<bool(std::string_view)>& offers) {
  const auto& steps = memory.deeds();
  const bool tried = steps.size() >= 2 && steps[steps.size() - 1].step->tool == "press_key" &&
                     steps[steps.size() - 2].step->tool == "press_key";
  const auto why = prompt.screen_problem.empty() ? std::string{"the prompt shows no screen"} : prompt.screen_problem;
  if (offers("press_key") && !tried && !prompt.screen_problem.empty()) {
    RuleDecision decision;
    decision.rationale =
        "The screen can't be read (" + shorten(why, longest_quotation) + "); going back may show one that can.";
    decision.tool = "press_key";
    decision.arguments = {{"key", "back"},
                          {"purpose", "Get to a screen that can be read"},
                          {"expected_outcome", "Another screen is shown"}};
    return decision;
  }
  const auto reason = "There is no screen to work on: " + shorten(why, longest_quotation) + ".";
  if (offers(finish_tool)) return finish("Without a screen nothing can be done.", false, reason);
  return {reason, {}, Json::object()};
}

}  // namespace

RuleDecision decide(const Prompt& prompt, const std::function<bool(std::string_view)>& offers) {
  const auto goal = read_goal(prompt.goal);
  if (goal.parts.empty()) {
    const std::string reason = "The prompt names no task.";
    return offers(finish_tool) ? finish(reason, false, reason) : RuleDecision{reason, {}, Json::object()};
  }
  const std::string_view page = prompt.scene ? std::string_view{prompt.scene->page} : std::string_view{};
  const Memory memory{prompt, page, tries_before_another_way};
  if (!prompt.scene) return without_screen(prompt, memory, offers);
  const auto view = view_screen(*prompt.scene);

  const auto part = std::min(memory.part(), goal.parts.size() - 1);
  const Situation now{prompt, goal, view, memory, part, offers};
  const bool last_step = prompt.max_steps > 0 && prompt.step >= prompt.max_steps;
  if (!last_step) {
    if (auto move = clear_the_way(now)) return act(now, *std::move(move));
  }
  auto course = follow_parts(now);
  if (course.confidence() < 1) {
    const Memory patient{prompt, page, tries_before_giving_up};
    auto once_more = follow_parts({prompt, goal, view, patient, part, offers});
    if (once_more.confidence() > course.confidence()) course = std::move(once_more);
  }
  if (auto* stuck = std::get_if<Stuck>(&course.pursuit)) {
    return finish(judge_last_step(memory) + " Nothing else is left to try.", false, stuck->reason);
  }
  if (auto* done = std::get_if<PartDone>(&course.pursuit)) {
    return finish(judge_last_step(memory) + " The screen shows the goal reached.", true,
                  "Done: " + done->evidence + ".");
  }
  auto& move = std::get<Move>(course.pursuit);
  if (last_step) {
    return finish(judge_last_step(memory) + " The steps are used up.", false,
                  "The steps ran out before " + in_quotes(goal.parts[course.part].text) + " was reached.");
  }
  if (!offers(move.tool)) {
    return finish(judge_last_step(memory), false,
                  "The next step needs the tool " + move.tool + ", which is not offered.");
  }
  return act({prompt, goal, view, memory, course.part, offers}, std::move(move));
}

RuleDecision claim_success(const Prompt& prompt) {
  return finish("Everything that was asked for is on the screen.", true,
                "Done: " + shorten(prompt.goal, longest_quotation) + " is reached.");
}

}  // namespace drover::providers::scripted
