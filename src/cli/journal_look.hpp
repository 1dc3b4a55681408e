#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "core/records.hpp"
#include "storage/journal.hpp"

namespace drover::cli {

/// What a command that looks into a journal is given.
struct JournalLook {
  std::optional<std::string> journal;  ///< Absent: the default folder.
  std::string output = "text";         ///< Or "json".
  std::string run = "last";
  std::string task;  ///< Empty: all of the run.

  [[nodiscard]] std::string folder() const { return journal.value_or(std::string(default_journal_folder)); }
};

/// The options --journal and --output. `unless_given`: which journal it is then, for the help.
void add_journal_options(CLI::App& command, const std::shared_ptr<JournalLook>& look,
                         const std::string& unless_given = "drover-journal");
/// The word RUN, which may be left out.
void add_run_word(CLI::App& command, const std::shared_ptr<JournalLook>& look);

/// The last lines of a command's help; `missing`: what may not be there, as "journal or run".
std::string exit_codes_of_look(const std::string& missing);

/// Null where the tasks of a run have none of that id.
const TaskRecord* task_of(const std::vector<TaskRecord>& tasks, const std::string& id);

/// Says that the run has no such task and which is near; gives the exit code.
int no_such_task(const RunRecord& run, const std::vector<TaskRecord>& tasks, const JournalLook& look);

/// Whether the run has the task that is named, if one is: 0, or the code of a refusal that was said.
int check_task(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look);

/// A record as JSON; null where it can't be read.
Json as_json(const std::string& record);

template <class Record>
Json as_json(const std::vector<Record>& records) {
  Json list = Json::array();
  for (const auto& record : records) list.push_back(as_json(encode_record(record)));
  return list;
}

/// One line to standard output.
void print_json(const Json& value);

/// The width that tables on standard output may take.
std::size_t width_of_output();

/// `see(reader)` with the journal open for reading, which another process may write
/// meanwhile; what is not there is said. Gives the exit code.
template <class See>
int with_reader(const JournalLook& look, See see) {
  auto reader = storage::JournalReader::open(look.folder());
  if (!reader.ok()) return say(exit_code::configuration, reader.error().describe());
  return see(**reader);
}

/// `see(reader, run)` for the run that is named.
template <class See>
int with_run(const JournalLook& look, See see) {
  return with_reader(look, [&](const storage::JournalReader& reader) {
    const auto run = reader.find_run(look.run);
    if (!run.ok()) return say(exit_code::configuration, run.error().describe());
    return see(reader, *run);
  });
}

}  // namespace drover::cli
