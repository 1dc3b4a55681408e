#include "cli/decision_commands.hpp"

#include <limits>
#include <memory>
#include <string>

#include "cli/decision_list.hpp"
#include "cli/decision_question.hpp"
#include "cli/decision_replay.hpp"
#include "cli/journal_look.hpp"
#include "cli/option_checks.hpp"
#include "planner/tool_specifications.hpp"

namespace drover::cli {
namespace {

constexpr const char* list_help =
    "Examples:\n"
    "  drover decisions last\n"
    "  drover decisions last basket-07 --prompts\n"
    "  drover decisions last --output json\n"
    "  drover decisions ask last basket-07 3 --provider other\n"
    "  drover decisions replay last\n"
    "\n"
    "Below the table stands what each model consumed and cost. A task that is called\n"
    "\"ask\" or \"replay\" stands behind two dashes: drover decisions last -- ask";

constexpr const char* ask_help =
    "Sends the logged prompt of a step to a provider of a configuration, and shows what\n"
    "was decided then beside what is decided now. Nothing is done on a phone, and the\n"
    "journal is only read.\n"
    "\n"
    "Examples:\n"
    "  drover decisions ask last basket-07 3 --config configs/demo.yaml\n"
    "  drover decisions ask last basket-07 3 --provider main --model claude-opus-5-5\n"
    "  drover decisions ask last basket-07 3 --provider main --provider local\n"
    "  drover decisions ask last basket-07 3 --prompt today --output json\n"
    "\n"
    "Exit codes: 0 each model came to a decision, the same one or another; 22 one did not,\n"
    "20 a provider could not be asked, 2 invalid input, or what is not there.";

constexpr const char* replay_help =
    "Reads every raw answer that is logged again with the code of this program and tells\n"
    "what would be decided otherwise. No model is asked.\n"
    "\n"
    "Examples:\n"
    "  drover decisions replay last\n"
    "  drover decisions replay last basket-07\n"
    "  drover decisions replay 20261130-141502-3f9a --output json\n"
    "\n"
    "Exit codes: 0 nothing differs, 1 something does, 3 no logged answer could be read again,\n"
    "2 invalid input, or a journal, run or task that is not there.";

int replay_run(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look) {
  const auto decisions = reader.decisions(run.run, TaskId(look.task));
  if (!decisions.ok()) return say(exit_code::configuration, decisions.error().describe());
  if (decisions->empty()) {
    if (const int code = check_task(reader, run, look); code != exit_code::success) return code;
  }
  const auto choice = planner::tool_set_choice_from(run.versions.tools).value_or(planner::ToolSetChoice::full);
  const auto read = replay(*decisions, planner::tool_set(choice));
  if (look.output == "json") {
    print_json(replay_json(read, run.run.value));
  } else {
    print(decisions->empty() ? no_decision(run, look) : replay_text(read, run.run.value, width_of_output()));
  }
  return exit_code_of(read);
}

void add_ask(CLI::App& decisions, const std::shared_ptr<JournalLook>& look, int& exit_code) {
  auto options = std::make_shared<QuestionOptions>();
  auto* ask = decisions.add_subcommand("ask", "Ask a model the logged question of a step again");
  ask->footer(ask_help);
  ask->add_option("run", look->run, "A run's id, its beginning, or \"last\"")->type_name("RUN")->required();
  ask->add_option("task", options->task, "The task")->type_name("TASK")->required();
  const auto number = [](CLI::Option* option, const char* type) {
    option->check(whole_number(1, std::numeric_limits<std::uint32_t>::max()))->type_name(type);
    return option;
  };
  number(ask->add_option("step", options->step.step, "The step, as drover decisions numbers it"), "STEP")->required();
  number(ask->add_option("--attempt", options->step.attempt, "The try of the task (default: the last with that step)"),
         "NUMBER");
  ask->add_option("--role", options->step.role, "The role, where several decided that step")->type_name("ROLE");
  ask->add_option("--config", options->config, "Configuration with the providers (default: drover.yaml)")
      ->type_name("FILE");
  ask->add_option("--provider", options->providers,
                  "Name of a provider to ask; may be repeated (default: the one that the planner asks first)")
      ->type_name("NAME")
      ->allow_extra_args(false);
  ask->add_option("--model", options->model, "Its model, in the place of the configured one")->type_name("MODEL");
  ask->add_option("--prompt", options->system_prompt,
                  "Whose system prompt is sent, the logged one or today's (default: logged)")
      ->check(one_of({"logged", "today"}));
  add_journal_options(*ask, look, "the configuration's");
  ask->callback([look, options, &exit_code] { exit_code = ask_again(*look, *options); });
}

void add_replay(CLI::App& decisions, const std::shared_ptr<JournalLook>& look, int& exit_code) {
  auto* replay = decisions.add_subcommand("replay", "Read every logged answer again with today's code");
  replay->footer(replay_help);
  add_run_word(*replay, look);
  replay->add_option("task", look->task, "One task")->type_name("TASK");
  add_journal_options(*replay, look);
  replay->callback([look, &exit_code] {
    exit_code = with_run(*look, [&](const storage::JournalReader& reader, const RunRecord& run) {
      return replay_run(reader, run, *look);
    });
  });
}

}  // namespace

void add_decision_commands(CLI::App& app, int& exit_code) {
  auto look = std::make_shared<JournalLook>();
  auto prompts = std::make_shared<bool>(false);
  auto* decisions = app.add_subcommand("decisions", "Show every request to a model, what came of it and what it cost");
  decisions->footer(list_help + exit_codes_of_look("journal, run or task"));
  decisions->require_subcommand(0, 1);
  add_run_word(*decisions, look);
  decisions->add_option("task", look->task, "One task")->type_name("TASK");
  decisions->add_flag("--prompts", *prompts, "With the system prompt, and the prompt and raw answer of each");
  add_journal_options(*decisions, look);
  add_ask(*decisions, look, exit_code);
  add_replay(*decisions, look, exit_code);
  decisions->callback([look, prompts, decisions, &exit_code] {
    if (!decisions->get_subcommands().empty()) return;  // It has run.
    exit_code = with_run(*look, [&](const storage::JournalReader& reader, const RunRecord& run) {
      return list_decisions(reader, run, *look, *prompts);
    });
  });
}

}  // namespace drover::cli
