#include "cli/journal_commands.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_hint.hpp"
#include "cli/number_text.hpp"
#include "cli/option_checks.hpp"
#include "cli/output.hpp"
#include "cli/refusal.hpp"
#include "cli/task_history.hpp"
#include "cli/terminal_width.hpp"
#include "cli/text_table.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "storage/journal.hpp"

namespace drover::cli {
namespace {

struct Options {
  std::string journal{default_journal_folder};
  std::string output = "text";
  std::string run = "last";
  std::string task;
  bool prompts = false;
};

Json as_json(const std::string& record) {
  auto parsed = parse_json(record, "a record");
  return parsed.ok() ? *std::move(parsed) : Json(nullptr);
}

template <class Record>
Json as_json(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const auto& record : records) list.push_back(as_json(encode_record(record)));
  return list;
}

std::size_t width_of_output() { return table_width_of(STDOUT_FILENO); }

void print_json(const Json& value) { print(dump_json(value) + "\n"); }

template <class Enum>
std::string name_or(const std::optional<Enum>& value, const char* otherwise) {
  return value ? std::string(name_of(*value)) : otherwise;
}

template <class Value>
const Error* failure_of(const Result<Value>& result) {
  return result.ok() ? nullptr : &result.error();
}

const TaskRecord* task_of(const std::vector<TaskRecord>& tasks, const std::string& id) {
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const TaskRecord& record) { return record.task.id.value == id; });
  return found == tasks.end() ? nullptr : &*found;
}

int no_such_task(const RunRecord& run, const std::vector<TaskRecord>& tasks, const Options& options) {
  std::vector<std::string> names;
  for (const auto& task : tasks) names.push_back(task.task.id.value);
  const std::string nearest = nearest_name(options.task, names);
  return say(exit_code::configuration, "run " + run.run.value + " has no task \"" + options.task + "\"" +
                                           (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?") +
                                           " (its tasks: drover history " + run.run.value +
                                           journal_option(options.journal) + ")");
}

/// "task dark never began: the run was stopped before this task began".
std::string never_began(const RunRecord& run, const TaskRecord& task) {
  if (run.state == RunState::running && !task.verdict) {
    return "task " + task.task.id.value + " waits and has not begun yet\n";
  }
  return "task " + task.task.id.value +
         " never began: " + (task.reason.empty() ? "the run was interrupted before" : one_line(task.reason)) + "\n";
}

int list_runs(const storage::JournalReader& reader, const Options& options) {
  const auto runs = reader.runs();
  if (!runs.ok()) return say(exit_code::configuration, runs.error().describe());
  if (options.output == "json") {
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

int history_of_run(const storage::JournalReader& reader, const RunRecord& run, const Options& options) {
  const auto tasks = reader.tasks(run.run);
  const auto attempts = reader.attempts(run.run, TaskId());
  if (!tasks.ok()) return say(exit_code::configuration, tasks.error().describe());
  if (!attempts.ok()) return say(exit_code::configuration, attempts.error().describe());
  if (options.output == "json") {
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

int history_of_task(const storage::JournalReader& reader, const RunRecord& run, const Options& options) {
  const TaskId id(options.task);
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
  const TaskRecord* const task = task_of(*tasks, options.task);
  if (attempts->empty() && task == nullptr) return no_such_task(run, *tasks, options);
  if (options.output == "json") {
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
        {"task", 20},        {"try", 3, true}, {"role", 12},       {"step", 4, true},     {"asked", 10},
        {"model", 24},       {"tool", 13},     {"in", 6, true},    {"out", 5, true},      {"waited", 8, true},
        {"called", 8, true}, {"age", 8, true}, {"again", 5, true}, {"rationale or error"}};
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

/// Runs of `drover run --describe` offer no tools.
std::string no_decision(const RunRecord& run, const Options& options) {
  if (!run.versions.tools.empty()) return "No decision is recorded there.\n";
  return "No decision is recorded there: that run looked at each screen once and asked no model. What it saw: drover "
         "history " +
         run.run.value + (options.task.empty() ? "" : " " + options.task) + journal_option(options.journal) + "\n";
}

int list_decisions(const storage::JournalReader& reader, const RunRecord& run, const Options& options) {
  const auto decisions = reader.decisions(run.run, TaskId(options.task));
  if (!decisions.ok()) return say(exit_code::configuration, decisions.error().describe());
  if (decisions->empty() && !options.task.empty()) {
    const auto tasks = reader.tasks(run.run);
    if (!tasks.ok()) return say(exit_code::configuration, tasks.error().describe());
    if (task_of(*tasks, options.task) == nullptr) return no_such_task(run, *tasks, options);
  }
  if (options.output == "json") {
    print_json(as_json(*decisions));
    return exit_code::success;
  }
  if (decisions->empty()) {
    print(no_decision(run, options));
  } else if (options.prompts) {
    print_prompts(reader, *decisions);
  } else {
    DecisionTable table(have_several_roles(*decisions));
    for (const auto& decision : *decisions) table.add(decision);
    print(table.str());
  }
  return exit_code::success;
}

template <class Look>
int with_reader(const Options& options, Look look) {
  auto reader = storage::JournalReader::open(options.journal);
  if (!reader.ok()) return say(exit_code::configuration, reader.error().describe());
  return look(**reader);
}

template <class Look>
int with_run(const Options& options, Look look) {
  return with_reader(options, [&](const storage::JournalReader& reader) {
    const auto run = reader.find_run(options.run);
    if (!run.ok()) return say(exit_code::configuration, run.error().describe());
    return look(reader, *run);
  });
}

std::string exit_codes(const std::string& missing) {
  return "\n\nExit codes: 0 shown, 2 invalid input, or a " + missing + " that is not there.";
}

void add_common(CLI::App* command, const std::shared_ptr<Options>& options) {
  command->add_option("--journal", options->journal, "Folder of the journal (default: drover-journal)")
      ->type_name("DIR");
  command->add_option("--output", options->output, "How it is printed (default: text)")
      ->check(one_of({"text", "json"}));
}

}  // namespace

void add_journal_commands(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  auto* runs = app.add_subcommand("runs", "List the runs of a journal, the newest first");
  runs->footer(
      std::string("Examples:\n  drover runs\n  drover runs --journal nightly-journal --output json\n\n"
                  "\"batch exit\", as JSON exit_code, is what the verdicts of the run stand for. It is not what\n"
                  "`drover run --expect` ended with: that is 0 or 1, after the\n"
                  "file of promised verdicts, unless the run was stopped before its end.") +
      exit_codes("journal"));
  add_common(runs, options);
  runs->callback([options, &exit_code] {
    exit_code =
        with_reader(*options, [&](const storage::JournalReader& reader) { return list_runs(reader, *options); });
  });

  auto* history = app.add_subcommand("history", "Show the tasks of a run, or the steps of one task");
  history->footer(std::string("Examples:\n  drover history last\n  drover history 20261130-141502-3f9a basket-07\n"
                              "  drover history last --output json\n\n"
                              "A step is a decision that was taken: an act, a note, a wait, or the finish_task that\n"
                              "ended the attempt. The steps of a task are those of all its tries.") +
                  exit_codes("journal, run or task"));
  history->add_option("run", options->run, "A run's id, its beginning, or \"last\" (default: last)")->type_name("RUN");
  history->add_option("task", options->task, "One task")->type_name("TASK");
  add_common(history, options);
  history->callback([options, &exit_code] {
    exit_code = with_run(*options, [&](const storage::JournalReader& reader, const RunRecord& run) {
      return options->task.empty() ? history_of_run(reader, run, *options) : history_of_task(reader, run, *options);
    });
  });

  auto* decisions = app.add_subcommand("decisions", "Show every request to a model and what came of it");
  decisions->footer(std::string("Examples:\n  drover decisions last\n  drover decisions last basket-07 --prompts\n"
                                "  drover decisions last --output json") +
                    exit_codes("journal, run or task"));
  decisions->add_option("run", options->run, "A run's id, its beginning, or \"last\" (default: last)")
      ->type_name("RUN");
  decisions->add_option("task", options->task, "One task")->type_name("TASK");
  decisions->add_flag("--prompts", options->prompts, "With the system prompt, and the prompt and raw answer of each");
  add_common(decisions, options);
  decisions->callback([options, &exit_code] {
    exit_code = with_run(*options, [&](const storage::JournalReader& reader, const RunRecord& run) {
      return list_decisions(reader, run, *options);
    });
  });
}

}  // namespace drover::cli
