#include "cli/task_history.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cli/text_table.hpp"
#include "core/action.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"

namespace drover::cli {
namespace {

using Row = std::vector<std::string>;
/// By step, then by the place of the role among the participants.
using Rows = std::map<std::pair<std::uint32_t, std::size_t>, Row>;

class AttemptText {
 public:
  explicit AttemptText(const AttemptHistory& history) : h_(history), several_(h_.attempt.participants.size() > 1) {}

  [[nodiscard]] std::string str(const std::string& undecided, std::size_t width) const {
    const AttemptRecord& attempt = h_.attempt;
    std::string text = "attempt " + std::to_string(attempt.attempt);
    if (!attempt.participants.empty()) text += " on " + phones_text(attempt);
    text += ": " + (attempt.outcome ? std::string(name_of(*attempt.outcome)) : undecided);
    if (!attempt.reason.empty()) text += ", " + one_line(attempt.reason);
    return text + "\n" + assertions() + table(width);
  }

 private:
  [[nodiscard]] bool is_of(const StepKey& key) const { return key.attempt == h_.attempt.attempt; }

  [[nodiscard]] std::size_t place_of(const std::string& role) const {
    const auto& all = h_.attempt.participants;
    return static_cast<std::size_t>(
        std::find_if(all.begin(), all.end(), [&](const Participant& one) { return one.role == role; }) - all.begin());
  }

  /// The decision by which a role ended its part.
  [[nodiscard]] const DecisionRecord* finish_of(const std::string& role) const {
    const DecisionRecord* found = nullptr;
    for (const auto& decision : h_.decisions) {
      const bool finish = decision.tool == "finish_task" && decision.error.empty();
      if (finish && is_of(decision.key) && decision.key.role == role) found = &decision;
    }
    return found;
  }

  /// Each role that claimed success checked all assertions of the task, in the order of
  /// the participants. Where the numbers do not say so the roles are not known.
  [[nodiscard]] std::vector<std::string> roles_of_assertions() const {
    std::vector<std::string> roles;
    for (const auto& participant : h_.attempt.participants) {
      const DecisionRecord* finish = finish_of(participant.role);
      if (finish != nullptr && boolean_or(finish->arguments, "success")) {
        roles.insert(roles.end(), h_.assertions, participant.role);
      }
    }
    if (!several_ || roles.size() != h_.attempt.assertions.size()) roles.assign(h_.attempt.assertions.size(), "");
    return roles;
  }

  [[nodiscard]] std::string assertions() const {
    std::string text;
    const auto roles = roles_of_assertions();
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const AssertionResult& result = h_.attempt.assertions[i];
      text += "  " + (roles[i].empty() ? "" : roles[i] + " ") + (result.held ? "held:   " : "failed: ") +
              describe(result.assertion) + (result.held ? "" : "; " + result.observed) + "\n";
    }
    return text;
  }

  void add_steps(Rows& rows) const {
    std::map<std::pair<std::string, std::uint32_t>, const OutcomeRecord*> sent;
    for (const auto& outcome : h_.outcomes) {
      if (is_of(outcome.key)) sent[{outcome.key.role, outcome.key.step}] = &outcome;
    }
    for (const auto& step : h_.steps) {
      if (!is_of(step.key)) continue;
      const auto& event = step.event;
      const auto found = sent.find({step.key.role, step.key.step});
      const std::string on = text_or(event.arguments, "on");
      std::string action = event.action ? describe(*event.action) : event.tool;
      if (!on.empty()) action += " \"" + on + "\"";
      rows[{step.key.step, place_of(step.key.role)}] = {
          std::to_string(step.key.step),
          step.key.role,
          event.page,
          std::move(action),
          found == sent.end() ? "" : std::string(name_of(found->second->status)),
          std::string(name_of(event.verification.effect)),
          event.purpose,
          event.verification.observed};
    }
  }

  void add_finish(Rows& rows, std::uint32_t step, const std::string& role, const std::string& action,
                  const std::string& reason) const {
    rows.try_emplace({step, place_of(role)}, Row{std::to_string(step), role, "", action, "", "", reason, ""});
  }

  void add_ends(Rows& rows) const {
    bool any = false;
    for (const auto& participant : h_.attempt.participants) {
      const DecisionRecord* finish = finish_of(participant.role);
      if (finish == nullptr) continue;
      any = true;
      add_finish(rows, finish->key.step, participant.role,
                 boolean_or(finish->arguments, "success") ? "finish_task: done" : "finish_task: can't be done",
                 text_or(finish->arguments, "reason"));
    }
    // A planner that asks no model leaves no decision; then the attempt alone tells its end.
    const AttemptRecord& attempt = h_.attempt;
    if (any || several_ || attempt.participants.empty() || !attempt.claimed) return;
    add_finish(rows, attempt.steps, attempt.participants.front().role, "described", attempt.reason);
  }

  [[nodiscard]] std::string table(std::size_t width) const {
    Rows rows;
    add_steps(rows);
    add_ends(rows);
    std::vector<TextTable::Column> columns = {{"step", 4, true}, {"role", 12},  {"page", 34},    {"action", 34},
                                              {"sent", 9},       {"effect", 9}, {"purpose", 50}, {"observed"}};
    if (!several_) columns.erase(columns.begin() + 1);
    TextTable table(std::move(columns));
    for (auto& [place, row] : rows) {
      if (!several_) row.erase(row.begin() + 1);
      table.add(std::move(row));
    }
    return table.str(width);
  }

  const AttemptHistory& h_;
  bool several_;
};

}  // namespace

std::string phones_text(const AttemptRecord& attempt) {
  std::string text;
  for (const auto& participant : attempt.participants) {
    text += (text.empty() ? "" : ", ") + participant.device.value;
    if (attempt.participants.size() > 1) text += " (" + participant.role + ")";
  }
  return text;
}

std::string attempt_text(const AttemptHistory& history, const std::string& undecided, std::size_t width) {
  return AttemptText(history).str(undecided, width);
}

}  // namespace drover::cli
