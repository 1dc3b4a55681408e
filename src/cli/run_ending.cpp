#include "cli/run_ending.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "core/cancellation.hpp"
#include "core/sentence.hpp"
#include "core/text.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t differences_shown = 50;
constexpr std::size_t mismatches_named = 5;

/// "1 task was", "3 tasks were".
std::string tasks_were(std::size_t count) { return counted(count, "task") + (count == 1 ? " was" : " were"); }

std::string why_well(std::size_t passed, std::size_t claimed, bool described) {
  if (described)
    return counted(claimed, "screen") + (claimed == 1 ? " was" : " were") + " described, nothing was verified";
  if (claimed == 0) return "every task passed";
  const std::string only = tasks_were(claimed) +
                           " only claimed to be done: without assertions a claim stands (state assertions, or have "
                           "claims fail with --require-assertions)";
  return passed == 0 ? only : counted(passed, "task") + " passed, " + only;
}

std::string why_claims_fail(std::size_t claimed, bool described) {
  if (described) return "--describe verifies nothing, and a verified success is required";
  return tasks_were(claimed) + " only claimed to be done, and a verified success is required (state assertions)";
}

std::string why_verdicts(const actors::BatchSummary& batch, bool described) {
  const auto count = [&](Verdict verdict) {
    return static_cast<std::size_t>(std::count_if(batch.tasks.begin(), batch.tasks.end(),
                                                  [verdict](const auto& task) { return task.verdict == verdict; }));
  };
  const auto tasks = [&](Verdict verdict) { return counted(count(verdict), "task"); };
  switch (batch.exit_code) {
    case exit_code::success:
      return why_well(count(Verdict::passed), count(Verdict::unverified), described);
    case exit_code::interrupted:
      return "the run was stopped with Ctrl-C";
    case exit_code::terminated:
      return "the run was stopped by a termination signal";
    case exit_code::cancelled:
      return "the run was cancelled";
    case exit_code::failed:
      return count(Verdict::failed) > 0 ? tasks(Verdict::failed) + " failed"
                                        : why_claims_fail(count(Verdict::unverified), described);
    case exit_code::infrastructure:
      return tasks(Verdict::error) + " could not be finished: phones or providers failed";
    case exit_code::no_device:
      return "no phone was there";
    case exit_code::budget:
      return tasks(Verdict::budget) + " ran out of budget";
    case exit_code::agent:
      return tasks(Verdict::agent) + " could not be done by the model";
    case exit_code::in_doubt:
      return tasks(Verdict::in_doubt) + " ended with an act whose effect was never seen";
    case exit_code::nothing_selected:
      return "no task was selected";
    case exit_code::internal:
      return "a fault of this program";
    default:
      return "";
  }
}

/// The code is the first that holds; what ended the batch early is named whether it is its code or not.
std::string why_exit_code(const actors::BatchSummary& batch, bool described) {
  if (!batch.failure) return why_verdicts(batch, described);
  const std::string failure(without_full_stop(batch.failure->describe()));
  const bool own_code = batch.exit_code == exit_code::infrastructure || batch.exit_code == exit_code::internal;
  if (own_code) return failure;
  return why_verdicts(batch, described) + ", and the run ended early: " + failure;
}

/// "a, b, c, d, e and 4 more".
std::string named(const std::vector<std::string>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(mismatches_named, tasks.size()); ++i) {
    text += (i > 0 ? ", " : "") + shorten(one_line(tasks[i]), 60);
  }
  return tasks.size() <= mismatches_named ? text
                                          : text + " and " + std::to_string(tasks.size() - mismatches_named) + " more";
}

std::vector<std::string> differences_from(const std::map<std::string, Verdict>& expected,
                                          const actors::BatchSummary& batch) {
  std::vector<std::string> lines;
  for (const auto& task : batch.tasks) {
    // check_promise() has seen to it that there is one for each task.
    const Verdict promised = expected.at(task.task.value);
    if (promised == task.verdict) continue;
    lines.push_back(task.task.value + ": promised " + std::string(name_of(promised)) + ", it is " +
                    std::string(name_of(task.verdict)) + " (" + one_line(task.reason) + ")");
  }
  return lines;
}

}  // namespace

Status check_promise(const Promise& promise, const std::vector<Task>& tasks) {
  std::set<std::string> unpromised;
  for (const Task& task : tasks) unpromised.insert(task.id.value);
  std::vector<std::string> unknown;
  for (const auto& [task, verdict] : promise.verdicts) {
    if (unpromised.erase(task) == 0) unknown.push_back(task);
  }
  std::string what;
  if (!unknown.empty()) what = "promises verdicts of what is no task of this run: " + named(unknown);
  if (!unpromised.empty()) {
    const std::string missing = "promises none of: " + named({unpromised.begin(), unpromised.end()});
    what = what.empty() ? missing : two_statements(what, missing);
  }
  if (what.empty()) return Done{};
  const bool by_goal = tasks.size() == 1 && unpromised.count("goal") > 0;
  return Error{Errc::invalid_argument, "--expect: " + promise.file + " " + what,
               by_goal ? "the task of --goal is called goal: give a line \"goal: passed\""
                       : "give a line \"task: verdict\" for each task that runs, and for no other"};
}

RunEnding ending_of(const actors::BatchSummary& batch, const Promise& promise, bool described) {
  const bool own_end = batch.cancelled == CancelReason::none && !batch.failure;
  if (promise.file.empty() || !own_end) {
    return {batch.exit_code, why_exit_code(batch, described), "", described};
  }
  RunEnding ending;
  ending.described = described;
  const auto lines = differences_from(promise.verdicts, batch);
  for (std::size_t i = 0; i < std::min(differences_shown, lines.size()); ++i) {
    ending.differences += "  " + lines[i] + "\n";
  }
  if (lines.size() > differences_shown) {
    ending.differences += "  … and " + std::to_string(lines.size() - differences_shown) + " more\n";
  }
  ending.exit_code = lines.empty() ? exit_code::success : exit_code::failed;
  ending.why = lines.empty() ? "the verdicts are those of " + promise.file
                             : counted(lines.size(), "verdict") + " not as " + promise.file + " promises";
  if (batch.exit_code != ending.exit_code) {
    ending.why += " (batch exit " + std::to_string(batch.exit_code) + ": " + why_exit_code(batch, described) + ")";
  }
  return ending;
}

}  // namespace drover::cli
