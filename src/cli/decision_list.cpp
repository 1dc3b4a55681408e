#include "cli/decision_list.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_hint.hpp"
#include "cli/model_spending.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"

namespace drover::cli {
namespace {

/// A table of decisions; with a column for the role where there are several.
class DecisionTable {
 public:
  explicit DecisionTable(bool several_roles)
      : several_roles_(several_roles), table_(TextTable(columns(several_roles))) {}

  void add(const DecisionRecord& decision) {
    std::vector<std::string> row = {decision.key.task.value,
                                    std::to_string(decision.key.attempt),
                                    decision.key.role,
                                    std::to_string(decision.key.step),
                                    decision.rung,
                                    decision.model,
                                    decision.tool,
                                    count_text(decision.usage.input_tokens),
                                    count_text(decision.usage.output_tokens),
                                    cost_of_decision(decision),
                                    duration_text(decision.queued),
                                    duration_text(decision.called),
                                    duration_text(decision.screen_age),
                                    std::to_string(decision.retries),
                                    decision.error.empty() ? decision.rationale : decision.error};
    if (!several_roles_) row.erase(row.begin() + role_place);
    table_.add(std::move(row));
  }
  [[nodiscard]] std::string str() const { return table_.str(width_of_output()); }

 private:
  static constexpr std::ptrdiff_t role_place = 2;

  static std::vector<TextTable::Column> columns(bool several_roles) {
    std::vector<TextTable::Column> all = {
        {"task", 20},        {"try", 3, true},    {"role", 12},     {"step", 4, true},  {"asked", 10},
        {"model", 24},       {"tool", 13},        {"in", 6, true},  {"out", 5, true},   {"cost", 12, true},
        {"waited", 8, true}, {"called", 8, true}, {"age", 8, true}, {"again", 5, true}, {"rationale or error"}};
    if (!several_roles) all.erase(all.begin() + role_place);
    return all;
  }

  bool several_roles_;
  TextTable table_;
};

bool have_several_roles(const std::vector<DecisionRecord>& decisions) {
  return std::any_of(decisions.begin(), decisions.end(),
                     [&](const DecisionRecord& decision) { return decision.key.role != decisions.front().key.role; });
}

/// Every system prompt once, then each decision with its prompt and answer.
void print_prompts(const storage::JournalReader& reader, const std::vector<DecisionRecord>& decisions) {
  const bool several_roles = have_several_roles(decisions);
  std::set<std::string> shown;
  for (const auto& decision : decisions) {
    if (!shown.insert(decision.system_prompt_hash).second) continue;
    const auto prompt = reader.system_prompt(decision.system_prompt_hash);
    print("system prompt " + decision.system_prompt_hash + "\n\n" +
          (prompt.ok() ? *prompt : prompt.error().describe()) + "\n\n");
  }
  for (const auto& decision : decisions) {
    DecisionTable row(several_roles);
    row.add(decision);
    print(row.str() + "\n" + decision.user_prompt + "\n\n" + decision.raw_answer + "\n\n");
  }
}

}  // namespace

std::string no_decision(const RunRecord& run, const JournalLook& look) {
  // Runs of `drover run --describe` offer no tools.
  if (!run.versions.tools.empty()) return "No decision is recorded there.\n";
  return "No decision is recorded there: that run looked at each screen once and asked no model. What it saw: drover "
         "history " +
         run.run.value + (look.task.empty() ? "" : " " + look.task) + journal_option(look.folder()) + "\n";
}

int list_decisions(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look, bool prompts) {
  const auto decisions = reader.decisions(run.run, TaskId(look.task));
  if (!decisions.ok()) return say(exit_code::configuration, decisions.error().describe());
  if (decisions->empty()) {
    if (const int code = check_task(reader, run, look); code != exit_code::success) return code;
  }
  const auto spending = spending_by_model(*decisions);
  if (look.output == "json") {
    print_json({{"decisions", as_json(*decisions)}, {"models", spending_json(spending)}});
  } else if (decisions->empty()) {
    print(no_decision(run, look));
  } else if (prompts) {
    print_prompts(reader, *decisions);
  } else {
    DecisionTable table(have_several_roles(*decisions));
    for (const auto& decision : *decisions) table.add(decision);
    print(table.str() + "\n" + spending_text(spending));
  }
  return exit_code::success;
}

}  // namespace drover::cli
