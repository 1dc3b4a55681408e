#include "cli/journal_look.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "cli/command_hint.hpp"
#include "cli/option_checks.hpp"
#include "cli/refusal.hpp"
#include "cli/terminal_width.hpp"

namespace drover::cli {

void add_journal_options(CLI::App& command, const std::shared_ptr<JournalLook>& look, const std::string& unless_given) {
  command.add_option("--journal", look->journal, "Folder of the journal (default: " + unless_given + ")")
      ->type_name("DIR");
  command.add_option("--output", look->output, "How it is printed (default: text)")->check(one_of({"text", "json"}));
}

void add_run_word(CLI::App& command, const std::shared_ptr<JournalLook>& look) {
  command.add_option("run", look->run, "A run's id, its beginning, or \"last\" (default: last)")->type_name("RUN");
}

std::string exit_codes_of_look(const std::string& missing) {
  return "\n\nExit codes: 0 shown, 2 invalid input, or a " + missing + " that is not there.";
}

const TaskRecord* task_of(const std::vector<TaskRecord>& tasks, const std::string& id) {
  const auto found =
      std::find_if(tasks.begin(), tasks.end(), [&](const TaskRecord& record) { return record.task.id.value == id; });
  return found == tasks.end() ? nullptr : &*found;
}

int no_such_task(const RunRecord& run, const std::vector<TaskRecord>& tasks, const JournalLook& look) {
  std::vector<std::string> names;
  for (const auto& task : tasks) names.push_back(task.task.id.value);
  const std::string nearest = nearest_name(look.task, names);
  return say(exit_code::configuration, "run " + run.run.value + " has no task \"" + look.task + "\"" +
                                           (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?") +
                                           " (its tasks: drover history " + run.run.value +
                                           journal_option(look.folder()) + ")");
}

int check_task(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look) {
  if (look.task.empty()) return exit_code::success;
  const auto tasks = reader.tasks(run.run);
  if (!tasks.ok()) return say(exit_code::configuration, tasks.error().describe());
  return task_of(*tasks, look.task) == nullptr ? no_such_task(run, *tasks, look) : exit_code::success;
}

Json as_json(const std::string& record) {
  auto parsed = parse_json(record, "a record");
  return parsed.ok() ? *std::move(parsed) : Json(nullptr);
}

void print_json(const Json& value) { print(dump_json(value) + "\n"); }

std::size_t width_of_output() { return table_width_of(STDOUT_FILENO); }

}  // namespace drover::cli
