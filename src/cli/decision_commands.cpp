#include "cli/decision_commands.hpp"

#include <memory>
#include <string>

#include "cli/decision_list.hpp"
#include "cli/journal_look.hpp"

namespace drover::cli {
namespace {

constexpr const char *list_help =
    "Examples:\n"
    "  drover decisions last\n"
    "  drover decisions last basket-07 --prompts\n"
    "  drover decisions last --output json\n"
    "\n"
    "Below the table stands what each model consumed and cost.";

} // namespace

void add_decision_commands(CLI::App &app, int &exit_code) {
  auto look = std::make_shared<JournalLook>();
  auto prompts = std::make_shared<bool>(false);
  auto *decisions = app.add_subcommand(
      "decisions",
      "Show every request to a model, what came of it and what it cost");
  decisions->footer(list_help + exit_codes_of_look("journal, run or task"));
  add_run_word(*decisions, look);
  decisions->add_option("task", look->task, "One task")->type_name("TASK");
  decisions->add_flag(
      "--prompts", *prompts,
      "With the system prompt, and the prompt and raw answer of each");
  add_journal_options(*decisions, look);
  decisions->callback([look, prompts, &exit_code] {
    exit_code = with_run(
        *look, [&](const storage::JournalReader &reader, const RunRecord &run) {
          return list_decisions(reader, run, *look, *prompts);
        });
  });
}

} // namespace drover::cli
