#include "cli/decision_commands.hpp"

#include <memory>
#include <string>

#include "cli/decision_list.hpp"
#include "cli/decision_replay.hpp"
#include "cli/journal_look.hpp"
#include "planner/tool_specifications.hpp"

namespace drover::cli {
namespace {

constexpr const char *list_help =
    "Examples:\n"
    "  drover decisions last\n"
    "  drover decisions last basket-07 --prompts\n"
    "  drover decisions last --output json\n"
    "  drover decisions replay last\n"
    "\n"
    "Below the table stands what each model consumed and cost. A task that is "
    "called\n"
    "\"replay\" stands behind two dashes: drover decisions last -- replay";

constexpr const char *replay_help =
    "Reads every raw answer that is logged again with the code of this program "
    "and tells\n"
    "what would be decided otherwise. No model is asked.\n"
    "\n"
    "Examples:\n"
    "  drover decisions replay last\n"
    "  drover decisions replay last basket-07\n"
    "  drover decisions replay 20261130-141502-3f9a --output json\n"
    "\n"
    "Exit codes: 0 nothing differs, 1 something does, 3 no logged answer could "
    "be read again,\n"
    "2 invalid input, or a journal, run or task that is not there.";

int replay_run(const storage::JournalReader &reader, const RunRecord &run,
               const JournalLook &look) {
  const auto decisions = reader.decisions(run.run, TaskId(look.task));
  if (!decisions.ok())
    return say(exit_code::configuration, decisions.error().describe());
  if (decisions->empty()) {
    if (const int code = check_task(reader, run, look);
        code != exit_code::success)
      return code;
  }
  const auto choice = planner::tool_set_choice_from(run.versions.tools)
                          .value_or(planner::ToolSetChoice::full);
  const auto read = replay(*decisions, planner::tool_set(choice));
  if (look.output == "json") {
    print_json(replay_json(read, run.run.value));
  } else {
    print(decisions->empty()
              ? no_decision(run, look)
              : replay_text(read, run.run.value, width_of_output()));
  }
  return exit_code_of(read);
}

void add_replay(CLI::App &decisions, const std::shared_ptr<JournalLook> &look,
                int &exit_code) {
  auto *replay = decisions.add_subcommand(
      "replay", "Read every logged answer again with today's code");
  replay->footer(replay_help);
  add_run_word(*replay, look);
  replay->add_option("task", look->task, "One task")->type_name("TASK");
  add_journal_options(*replay, look);
  replay->callback([look, &exit_code] {
    exit_code = with_run(
        *look, [&](const storage::JournalReader &reader, const RunRecord &run) {
          return replay_run(reader, run, *look);
        });
  });
}

} // namespace

void add_decision_commands(CLI::App &app, int &exit_code) {
  auto look = std::make_shared<JournalLook>();
  auto prompts = std::make_shared<bool>(false);
  auto *decisions = app.add_subcommand(
      "decisions",
      "Show every request to a model, what came of it and what it cost");
  decisions->footer(list_help + exit_codes_of_look("journal, run or task"));
  decisions->require_subcommand(0, 1);
  add_run_word(*decisions, look);
  decisions->add_option("task", look->task, "One task")->type_name("TASK");
  decisions->add_flag(
      "--prompts", *prompts,
      "With the system prompt, and the prompt and raw answer of each");
  add_journal_options(*decisions, look);
  add_replay(*decisions, look, exit_code);
  decisions->callback([look, prompts, decisions, &exit_code] {
    if (!decisions->get_subcommands().empty())
      return; // It has run.
    exit_code = with_run(
        *look, [&](const storage::JournalReader &reader, const RunRecord &run) {
          return list_decisions(reader, run, *look, *prompts);
        });
  });
}

} // namespace drover::cli
