#include "cli/run_summary.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "cli/command_hint.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t slowest_shown = 5;
constexpr std::size_t failures_shown = 20;
constexpr std::size_t causes_shown = 3;

template <class Key>
std::string counts_text(const std::map<Key, std::size_t>& counts) {
  std::string text;
  for (const auto& [key, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(key));
  }
  return text;
}

bool went_well(Verdict verdict) { return verdict == Verdict::passed || verdict == Verdict::unverified; }

}  // namespace

std::string summary_text(const RunRecord& run, const actors::BatchSummary& batch,
                         const actors::RunStatistics& statistics, Duration took, const RunEnding& ending,
                         const std::string& journal) {
  const std::string option = journal_option(journal);
  std::map<Verdict, std::size_t> verdicts;
  std::map<Outcome, std::size_t> outcomes;
  std::size_t flaky = 0;
  for (const auto& task : batch.tasks) {
    ++verdicts[task.verdict];
    ++outcomes[task.outcome];
    flaky += task.flaky ? 1 : 0;
  }
  const auto passed = verdicts.count(Verdict::passed) > 0 ? verdicts.at(Verdict::passed) : 0;
  std::string text = "\n" + rate_text(passed, batch.tasks.size()) + " tasks verified in " + duration_text(took) + "\n";
  text += "  verdicts   " + counts_text(verdicts) + "\n";
  text += "  outcomes   " + counts_text(outcomes) + "\n";

  TextTable bad(
      {{"task", 24}, {"verdict", 12}, {"outcome", 20}, {"tries", 5, true}, {"steps", 5, true}, {"reason", 90}});
  std::size_t shown = 0;
  std::size_t left = 0;
  std::set<std::string> causes;  // of the infrastructure, in full: the table cuts them short
  for (const auto& task : batch.tasks) {
    if (went_well(task.verdict)) continue;
    if (task.verdict == Verdict::error && causes.size() < causes_shown) causes.insert(task.reason);
    if (shown++ < failures_shown) {
      bad.add({task.task.value, std::string(name_of(task.verdict)), std::string(name_of(task.outcome)),
               std::to_string(task.attempts), std::to_string(task.steps), task.reason});
    } else {
      ++left;
    }
  }
  if (shown > 0) {
    text += "\nNot passed:\n" + bad.str();
    if (left > 0) text += "… and " + std::to_string(left) + " more: drover history " + run.run.value + option + "\n";
  }
  if (!causes.empty()) text += "\nWhat stood in the way:\n";
  for (const auto& cause : causes) text += "  " + cause + "\n";

  std::vector<const actors::TaskSummary*> by_time;
  for (const auto& task : batch.tasks) by_time.push_back(&task);
  std::sort(by_time.begin(), by_time.end(), [](const auto* a, const auto* b) { return a->took > b->took; });
  TextTable slow({{"task", 24}, {"time", 10, true}, {"steps", 5, true}, {"verdict", 12}});
  for (std::size_t i = 0; i < std::min(slowest_shown, by_time.size()); ++i) {
    slow.add({by_time[i]->task.value, duration_text(by_time[i]->took), std::to_string(by_time[i]->steps),
              std::string(name_of(by_time[i]->verdict))});
  }
  if (!by_time.empty()) text += "\nSlowest:\n" + slow.str();

  const auto& s = statistics;
  text += "\n  steps      " + count_text(s.steps) + ", " + count_text(s.looks) + " looks, " + count_text(s.relooks) +
          " again because the screen had grown stale\n";
  text += "  calls      " + count_text(s.calls) + " sent, " + count_text(s.calls_answered) + " answered, " +
          count_text(s.transport_retries) + " retried, " + count_text(s.calls_refused) + " refused by the provider" +
          (s.calls_cut_off > 0 ? ", " + count_text(s.calls_cut_off) + " cut off" : "") + "\n";
  text += "  tokens     " + count_text(s.input_tokens) + " in, " + count_text(s.output_tokens) + " out, " +
          (s.calls_without_price > 0 ? std::string("no price known") : money_text(Money{s.cost_micros, "USD"})) + "\n";
  text += "  attempts   " + count_text(s.attempts) + ", of which " + count_text(s.retried_attempts) +
          " were retries; " + counted(flaky, "task") + " passed only then\n";
  text +=
      "  journal    " + count_text(s.journal_records) + " records in " + count_text(s.journal_commits) + " commits\n";
  text += "\nExit code " + std::to_string(ending.exit_code) + ": " + ending.why + ".\n";
  text += "Look closer: drover history " + run.run.value + " [TASK]" + option + ", drover decisions " + run.run.value +
          " [TASK]" + option + "\n";
  return text;
}

Json summary_json(const RunRecord& run, const actors::BatchSummary& batch, const actors::RunStatistics& statistics,
                  Duration took, const RunEnding& ending) {
  Json tasks = Json::array();
  Json verdicts = Json::object();
  Json outcomes = Json::object();
  for (const auto& task : batch.tasks) {
    const std::string verdict(name_of(task.verdict));
    const std::string outcome(name_of(task.outcome));
    verdicts[verdict] = verdicts.value(verdict, 0) + 1;
    outcomes[outcome] = outcomes.value(outcome, 0) + 1;
    tasks.push_back({{"task", task.task.value},
                     {"verdict", verdict},
                     {"outcome", outcome},
                     {"reason", task.reason},
                     {"attempts", task.attempts},
                     {"steps", task.steps},
                     {"took_ms", to_milliseconds(task.took)},
                     {"flaky", task.flaky},
                     {"input_tokens", task.usage.input_tokens},
                     {"output_tokens", task.usage.output_tokens}});
  }
  const auto& s = statistics;
  Json out = {{"run", run.run.value},
              {"seed", run.versions.seed},
              {"provider", run.provider},
              {"took_ms", to_milliseconds(took)},
              {"tasks", std::move(tasks)},
              {"verdicts", std::move(verdicts)},
              {"outcomes", std::move(outcomes)},
              {"steps", s.steps.load()},
              {"looks", s.looks.load()},
              {"relooks", s.relooks.load()},
              {"calls", s.calls.load()},
              {"calls_answered", s.calls_answered.load()},
              {"transport_retries", s.transport_retries.load()},
              {"calls_refused", s.calls_refused.load()},
              {"calls_cut_off", s.calls_cut_off.load()},
              {"input_tokens", s.input_tokens.load()},
              {"output_tokens", s.output_tokens.load()},
              {"attempts", s.attempts.load()},
              {"retried_attempts", s.retried_attempts.load()},
              {"journal_records", s.journal_records.load()},
              {"journal_commits", s.journal_commits.load()},
              {"exit_code", ending.exit_code},
              {"exit_reason", ending.why}};
  out["cost_micros"] = s.calls_without_price > 0 ? Json(nullptr) : Json(s.cost_micros.load());
  if (batch.failure) out["failure"] = batch.failure->describe();
  return out;
}

}  // namespace drover::cli
