#include "cli/run_ending.hpp"

#include <algorithm>

#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "core/cancellation.hpp"

namespace drover::cli {
namespace {

std::string why_exit_code(const actors::BatchSummary& batch) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(batch.tasks.begin(), batch.tasks.end(),
                         [verdict](const auto& task) { return task.verdict == verdict; });
  };
  const auto tasks = [](auto number) { return counted(static_cast<std::uint64_t>(number), "task"); };
  switch (batch.exit_code) {
    case exit_code::success:
      return "every task passed or was claimed without an assertion";
    case exit_code::interrupted:
      return "the run was stopped with Ctrl-C";
    case exit_code::terminated:
      return "the run was stopped by a termination signal";
    case exit_code::cancelled:
      return "the run was cancelled";
    case exit_code::failed:
      return count(Verdict::failed) > 0
                 ? tasks(count(Verdict::failed)) + " failed"
                 : tasks(count(Verdict::unverified)) + " could only be claimed, and an assertion is required";
    case exit_code::infrastructure:
      return batch.failure ? batch.failure->describe()
                           : tasks(count(Verdict::error)) + " could not be finished: phones or providers failed";
    case exit_code::no_device:
      return "no phone was there";
    case exit_code::budget:
      return tasks(count(Verdict::budget)) + " ran out of budget";
    case exit_code::agent:
      return tasks(count(Verdict::agent)) + " could not be done by the model";
    case exit_code::in_doubt:
      return tasks(count(Verdict::in_doubt)) + " ended with an act whose effect was never seen";
    case exit_code::nothing_selected:
      return "no task was selected";
    case exit_code::internal:
      return batch.failure ? batch.failure->describe() : "a fault of this program";
    default:
      return "";
  }
}

std::string differences_from(const std::map<std::string, Verdict>& expected, const actors::BatchSummary& batch) {
  std::string text;
  std::map<std::string, Verdict> rest = expected;
  for (const auto& task : batch.tasks) {
    const auto promise = rest.find(task.task.value);
    if (promise == rest.end()) {
      text += "  " + task.task.value + ": no verdict was promised, it is " + std::string(name_of(task.verdict)) + "\n";
      continue;
    }
    if (promise->second != task.verdict) {
      text += "  " + task.task.value + ": promised " + std::string(name_of(promise->second)) + ", it is " +
              std::string(name_of(task.verdict)) + " (" + one_line(task.reason) + ")\n";
    }
    rest.erase(promise);
  }
  for (const auto& [task, verdict] : rest) {
    text += "  " + task + ": promised " + std::string(name_of(verdict)) + ", it was not run\n";
  }
  return text;
}

}  // namespace

RunEnding ending_of(const actors::BatchSummary& batch, const Promise& promise) {
  const bool own_end = batch.cancelled == CancelReason::none && !batch.failure;
  if (promise.file.empty() || !own_end) return {batch.exit_code, why_exit_code(batch), ""};
  RunEnding ending;
  ending.differences = differences_from(promise.verdicts, batch);
  const auto lines = std::count(ending.differences.begin(), ending.differences.end(), '\n');
  ending.exit_code = lines == 0 ? exit_code::success : exit_code::failed;
  ending.why = lines == 0
                   ? "the verdicts are those of " + promise.file
                   : counted(static_cast<std::uint64_t>(lines), "verdict") + " not as " + promise.file + " promises";
  return ending;
}

}  // namespace drover::cli
