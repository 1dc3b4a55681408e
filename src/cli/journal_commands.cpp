#include "cli/journal_commands.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/journal_look.hpp"
#include "cli/task_history.hpp"
#include "cli/text_table.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "storage/journal.hpp"

namespace drover::cli {
namespace {

template <class Enum>
std::string name_or(const std::optional<Enum>& value, const char* otherwise) {
  return value ? std::string(name_of(*value)) : otherwise;
}

template <class Value>
const Error* failure_of(const Result<Value>& result) {
  return result.ok() ? nullptr : &result.error();
}

/// "task dark never began: the run was stopped before this task began".
std::string never_began(const RunRecord& run, const TaskRecord& task) {
  if (run.state == RunState::running && !task.verdict) {
    return "task " + task.task.id.value + " waits and has not begun yet\n";
  }
  return "task " + task.task.id.value +
         " never began: " + (task.reason.empty() ? "the run was interrupted before" : one_line(task.reason)) + "\n";
}

int list_runs(const storage::JournalReader& reader, const JournalLook& look) {
  const auto runs = reader.runs();
  if (!runs.ok()) return say(exit_code::configuration, runs.error().describe());
  if (look.output == "json") {
    Json list = Json::array();
    for (const auto& run : *runs) {
      Json shown = as_json(encode_record(run));
      shown["title"] = run.title;
      list.push_back(std::move(shown));
    }
    print_json(list);
    return exit_code::success;
  }
  TextTable table({{"run", 32},
                   {"state", 12},
                   {"started (UTC)", 20},
                   {"tasks", 6, true},
                   {"phones", 6, true},
                   {"batch exit", 10, true},
                   {"model", 50},
                   {"title", 40}});
  for (const auto& run : *runs) {
    table.add({run.run.value, std::string(name_of(run.state)), to_iso8601(run.started).substr(0, 19),
               std::to_string(run.tasks), std::to_string(run.devices),
               run.exit_code ? std::to_string(*run.exit_code) : "", run.provider, run.title});
  }
  print(runs->empty() ? "The journal holds no run yet.\n" : table.str(width_of_output()));
  return exit_code::success;
}

int history_of_run(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look) {
  const auto tasks = reader.tasks(run.run);
  const auto attempts = reader.attempts(run.run, TaskId());
  if (!tasks.ok()) return say(exit_code::configuration, tasks.error().describe());
  if (!attempts.ok()) return say(exit_code::configuration, attempts.error().describe());
  if (look.output == "json") {
    print_json({{"run", as_json(encode_record(run))}, {"tasks", as_json(*tasks)}, {"attempts", as_json(*attempts)}});
    return exit_code::success;
  }
  std::map<TaskId, const AttemptRecord*> last;
  std::map<TaskId, std::uint32_t> steps;
  for (const auto& attempt : *attempts) {
    last[attempt.task] = &attempt;
    steps[attempt.task] += attempt.steps;
  }
  print("run " + run.run.value + ", " + std::string(name_of(run.state)) + ", " + run.provider + "\n\n");
  TextTable table({{"task", 24},
                   {"verdict", 11},
                   {"outcome", 20},
                   {"tries", 5, true},
                   {"phone", 24},
                   {"steps", 5, true},
                   {"goal", 48},
                   {"reason", 60}});
  for (const auto& task : *tasks) {
    const auto found = last.find(task.task.id);
    const AttemptRecord* attempt = found == last.end() ? nullptr : found->second;
    const char* const undecided = run.state != RunState::running ? "interrupted"
                                  : attempt != nullptr           ? "running"
                                                                 : "waiting";
    table.add({task.task.id.value, name_or(task.verdict, undecided), name_or(task.outcome, ""),
               std::to_string(std::max(task.attempts, attempt != nullptr ? attempt->attempt : 0)),
               attempt != nullptr ? phones_text(*attempt) : "",
               attempt != nullptr ? std::to_string(steps[attempt->task]) : "", task.task.goal, task.reason});
  }
  print(table.str(width_of_output()));
  return exit_code::success;
}

int history_of_task(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look) {
  const TaskId id(look.task);
  const auto tasks = reader.tasks(run.run);
  const auto attempts = reader.attempts(run.run, id);
  const auto intents = reader.intents(run.run, id);
  const auto outcomes = reader.outcomes(run.run, id);
  const auto steps = reader.steps(run.run, id);
  const auto decisions = reader.decisions(run.run, id);
  for (const Error* error : {failure_of(tasks), failure_of(attempts), failure_of(intents), failure_of(outcomes),
                             failure_of(steps), failure_of(decisions)}) {
    if (error != nullptr) return say(exit_code::configuration, error->describe());
  }
  const TaskRecord* const task = task_of(*tasks, look.task);
  if (attempts->empty() && task == nullptr) return no_such_task(run, *tasks, look);
  if (look.output == "json") {
    print_json({{"attempts", as_json(*attempts)},
                {"intents", as_json(*intents)},
                {"outcomes", as_json(*outcomes)},
                {"steps", as_json(*steps)}});
    return exit_code::success;
  }
  if (attempts->empty()) print(never_began(run, *task));
  const std::size_t assertions = task == nullptr ? 0 : task->task.assertions.size();
  const char* const undecided = run.state == RunState::running ? "running" : "interrupted";
  for (const auto& attempt : *attempts) {
    const auto text = attempt_text({attempt, assertions, *outcomes, *steps, *decisions}, undecided, width_of_output());
    print(text + "\n");
  }
  return exit_code::success;
}

}  // namespace

void add_journal_commands(CLI::App& app, int& exit_code) {
  auto look = std::make_shared<JournalLook>();
  auto* runs = app.add_subcommand("runs", "List the runs of a journal, the newest first");
  runs->footer(
      std::string("Examples:\n  drover runs\n  drover runs --journal nightly-journal --output json\n\n"
                  "\"batch exit\", as JSON exit_code, is what the verdicts of the run stand for. It is not what\n"
                  "`drover run --expect` ended with: that is 0 or 1, after the\n"
                  "file of promised verdicts, unless the run was stopped before its end.") +
      exit_codes_of_look("journal"));
  add_journal_options(*runs, look);
  runs->callback([look, &exit_code] {
    exit_code = with_reader(*look, [&](const storage::JournalReader& reader) { return list_runs(reader, *look); });
  });

  auto* history = app.add_subcommand("history", "Show the tasks of a run, or the steps of one task");
  history->footer(std::string("Examples:\n  drover history last\n  drover history 20261130-141502-3f9a basket-07\n"
                              "  drover history last --output json\n\n"
                              "A step is a decision that was taken: an act, a note, a wait, or the finish_task that\n"
                              "ended the attempt. The steps of a task are those of all its tries.") +
                  exit_codes_of_look("journal, run or task"));
  add_run_word(*history, look);
  history->add_option("task", look->task, "One task")->type_name("TASK");
  add_journal_options(*history, look);
  history->callback([look, &exit_code] {
    exit_code = with_run(*look, [&](const storage::JournalReader& reader, const RunRecord& run) {
      return look->task.empty() ? history_of_run(reader, run, *look) : history_of_task(reader, run, *look);
    });
  });
}

}  // namespace drover::cli
