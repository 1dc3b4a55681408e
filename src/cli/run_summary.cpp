#include "cli/run_summary.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/command_hint.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t slowest_shown = 5;
constexpr std::size_t rows_shown = 50;  // of what did not pass
constexpr std::size_t lost_shown = 20;
constexpr std::size_t tasks_named = 3;

template <class Key>
std::string counts_text(const std::map<Key, std::size_t>& counts) {
  std::string text;
  for (const auto& [key, count] : counts) {
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(key));
  }
  return text;
}

bool went_well(Verdict verdict) { return verdict == Verdict::passed || verdict == Verdict::unverified; }

/// Whether what the batch tells may not be on disk.
bool journal_failed(const actors::BatchSummary& batch) {
  if (!batch.failure) return false;
  const Errc code = batch.failure->code;
  return code == Errc::storage_failed || code == Errc::disk_full || code == Errc::journal_locked;
}

/// "t0, t1, t2 and 4 more".
std::string named(const std::vector<std::string>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < std::min(tasks_named, tasks.size()); ++i) text += (i > 0 ? ", " : "") + tasks[i];
  return tasks.size() > tasks_named ? text + " and " + std::to_string(tasks.size() - tasks_named) + " more" : text;
}

/// Tasks that ended in the same way for the same reason.
struct Ending {
  std::string reason;
  std::vector<const actors::TaskSummary*> tasks;

  [[nodiscard]] std::vector<std::string> ids() const {
    std::vector<std::string> ids;
    for (const auto* task : tasks) ids.push_back(task->task.value);
    return ids;
  }
};

bool never_began(const actors::TaskSummary& task) { return task.verdict == Verdict::cancelled && task.attempts == 0; }

bool did_not_pass(const actors::TaskSummary& task) { return !went_well(task.verdict) && !never_began(task); }

bool is_unverified(const actors::TaskSummary& task) { return task.verdict == Verdict::unverified; }

/// The ends of those of which `which` holds, in the order in which each is met first.
std::vector<Ending> endings_of(const actors::BatchSummary& batch, bool (*which)(const actors::TaskSummary&)) {
  std::vector<Ending> endings;
  std::map<std::tuple<Verdict, Outcome, std::string>, std::size_t> places;
  for (const auto& task : batch.tasks) {
    if (!which(task)) continue;
    std::string reason = one_line(task.reason);
    const auto [place, added] = places.try_emplace({task.verdict, task.outcome, reason}, endings.size());
    if (added) endings.push_back({std::move(reason), {}});
    endings[place->second].tasks.push_back(&task);
  }
  return endings;
}

/// A row for each task, or one for many that ended in the same way, and below them how
/// many `unbegun` there are and each reason that the table cuts, once and in full, with
/// the tasks that it is the reason of. Nothing where there is neither.
std::string table_of(const std::vector<Ending>& endings, const std::string& title, std::uint64_t unbegun,
                     const std::string& history, std::size_t width) {
  TextTable table({{"task", 24}, {"verdict", 12}, {"outcome", 20}, {"tries", 5, true}, {"steps", 5, true}, {"reason"}});
  std::size_t rows = 0;
  std::size_t left_out = 0;
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  for (const Ending& ending : endings) {
    const bool many = ending.tasks.size() > tasks_named;
    const std::size_t needed = many ? 1 : ending.tasks.size();
    if (rows + needed > rows_shown) {
      left_out += ending.tasks.size();
      continue;
    }
    rows += needed;
    const auto add = [&](std::string tasks, std::string tries, std::string steps) {
      const actors::TaskSummary& first = *ending.tasks.front();
      table.add({std::move(tasks), std::string(name_of(first.verdict)), std::string(name_of(first.outcome)),
                 std::move(tries), std::move(steps), ending.reason});
    };
    if (many) {
      add(counted(ending.tasks.size(), "task") + ": " + named(ending.ids()), "", "");
    } else {
      for (const auto* task : ending.tasks) {
        add(task->task.value, std::to_string(task->attempts), std::to_string(task->steps));
      }
    }
    reasons.emplace_back(ending.reason, ending.ids());
  }
  if (rows == 0 && unbegun == 0) return "";
  const std::string shown = rows > 0 ? table.str(width) : "";
  std::string text = "\n" + title + ":\n" + shown;
  if (left_out > 0) text += "… and " + counted(left_out, "task") + " more: " + history + "\n";
  if (unbegun > 0) text += counted(unbegun, "task") + " never began: " + history + "\n";
  std::string in_full;
  for (const auto& [reason, tasks] : reasons) {
    if (shown.find(reason) == std::string::npos) in_full += "  " + named(tasks) + ": " + reason + "\n";
  }
  if (!in_full.empty()) text += "\nThe reasons in full:\n" + in_full;
  return text;
}

std::string not_passed(const actors::BatchSummary& batch, const std::string& history, std::size_t width) {
  const auto unbegun = static_cast<std::uint64_t>(std::count_if(batch.tasks.begin(), batch.tasks.end(), never_began));
  return table_of(endings_of(batch, did_not_pass), "Not passed", unbegun, history, width);
}

/// The tasks whose success nothing but a claim stands for, or what the screens show.
std::string unverified(const actors::BatchSummary& batch, bool described, const std::string& history,
                       std::size_t width) {
  return table_of(endings_of(batch, is_unverified), described ? "Seen" : "Claimed, not verified", 0, history, width);
}

/// Which phones went away and what became of the tasks that they were at.
std::string lost_phones(const actors::BatchSummary& batch) {
  std::map<DeviceId, std::vector<std::string>> lost;
  for (const auto& task : batch.tasks) {
    const bool ended_so = task.outcome == Outcome::device_lost || task.outcome == Outcome::in_doubt;
    for (std::size_t i = 0; i < task.lost_phones.size(); ++i) {
      const bool last = ended_so && i + 1 == task.lost_phones.size();
      lost[task.lost_phones[i]].push_back(task.task.value + (last ? " ended with it" : " was repeated elsewhere"));
    }
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [phone, tasks] : lost) {
    if (++shown > lost_shown) {
      return text + "             … and " + counted(lost.size() - lost_shown, "phone") + " more\n";
    }
    text += (text.empty() ? "  lost       " : "             ") + phone.value + ": " + named(tasks) + "\n";
  }
  return text;
}

/// What each provider was asked and what it cost, where there are several.
std::string spent_by_provider(const actors::RunStatistics& statistics) {
  if (statistics.providers.size() < 2) return "";
  std::string text;
  for (const auto& account : statistics.providers) {
    const auto& a = *account;
    text += "    " + a.name + " (" + a.model + "): " + count_text(a.calls) + " calls, " + count_text(a.calls_refused) +
            " refused, " + count_text(a.input_tokens) + " in (" + count_text(a.cached_tokens) + " cached), " +
            count_text(a.output_tokens) + " out, " + cost_text(a.cost_micros, a.calls_without_price, "no cost") + "\n";
  }
  return text;
}

/// What a task consumes as a rule, and which one consumed the most.
std::string spent_by_task(const actors::BatchSummary& batch) {
  std::vector<const actors::TaskSummary*> asked;
  for (const auto& task : batch.tasks) {
    if (task.usage.calls > 0) asked.push_back(&task);
  }
  if (asked.size() < 2) return "";
  const auto tokens = [](const actors::TaskSummary* task) {
    return task->usage.input_tokens + task->usage.output_tokens;
  };
  std::stable_sort(asked.begin(), asked.end(), [&](const auto* a, const auto* b) { return tokens(a) < tokens(b); });
  const auto spent = [&](const actors::TaskSummary* task) {
    return counted(task->usage.calls, "call") + ", " + count_text(tokens(task)) + " tokens" +
           (task->usage.cost ? ", " + money_text(task->usage.cost) : "");
  };
  return "  per task   " + spent(asked[asked.size() / 2]) + " in the middle; the most: " + asked.back()->task.value +
         " with " + spent(asked.back()) + "\n";
}

Json as_json(const actors::ProviderAccount& account) {
  return {{"provider", account.name},
          {"model", account.model},
          {"calls", account.calls.load()},
          {"calls_answered", account.calls_answered.load()},
          {"calls_refused", account.calls_refused.load()},
          {"input_tokens", account.input_tokens.load()},
          {"cached_tokens", account.cached_tokens.load()},
          {"output_tokens", account.output_tokens.load()},
          {"thinking_tokens", account.thinking_tokens.load()},
          {"cost_micros", account.calls_without_price > 0 ? Json(nullptr) : Json(account.cost_micros.load())}};
}

}  // namespace

std::string summary_text(const RunRecord& run, const actors::BatchSummary& batch,
                         const actors::RunStatistics& statistics, Duration took, const RunEnding& ending,
                         const std::string& journal, std::size_t width) {
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

  const std::string history = "drover history " + run.run.value + option;
  text += not_passed(batch, history, width);
  text += unverified(batch, ending.described, history, width);

  std::vector<const actors::TaskSummary*> by_time;
  for (const auto& task : batch.tasks) by_time.push_back(&task);
  std::sort(by_time.begin(), by_time.end(), [](const auto* a, const auto* b) { return a->took > b->took; });
  TextTable slow({{"task", 24}, {"time", 10, true}, {"steps", 5, true}, {"verdict", 12}});
  for (std::size_t i = 0; i < std::min(slowest_shown, by_time.size()); ++i) {
    slow.add({by_time[i]->task.value, duration_text(by_time[i]->took), std::to_string(by_time[i]->steps),
              std::string(name_of(by_time[i]->verdict))});
  }
  if (!by_time.empty()) text += "\nSlowest:\n" + slow.str(width);

  const auto& s = statistics;
  text += "\n  steps      " + count_text(s.steps) + ", " + count_text(s.looks) + " looks, " + count_text(s.relooks) +
          " again because the screen had grown stale\n";
  text += "  calls      " + count_text(s.calls) + " sent, " + count_text(s.calls_answered) + " answered, " +
          count_text(s.transport_retries) + " retried, " + count_text(s.calls_refused) + " refused by the provider" +
          (s.calls_cut_off > 0 ? ", " + count_text(s.calls_cut_off) + " cut off" : "") + "\n";
  text += "  tokens     " + count_text(s.input_tokens) + " in, " + count_text(s.output_tokens) + " out, " +
          cost_text(s.cost_micros, s.calls_without_price, "no cost") +
          (s.calls_cut_off > 0 && s.cost_micros > 0 ? ", what was cut off not counted" : "") + "\n";
  text += spent_by_provider(s);
  text += spent_by_task(batch);
  text += "  attempts   " + count_text(s.attempts) + ", of which " + count_text(s.retried_attempts) +
          (s.retried_attempts == 1 ? " was a retry; " : " were retries; ") + counted(flaky, "task") +
          " passed only then\n";
  text +=
      "  journal    " + count_text(s.journal_records) + " records in " + count_text(s.journal_commits) + " commits\n";
  text += lost_phones(batch);
  if (journal_failed(batch)) {
    text += "\nThe journal failed before the end: verdicts that are told here may be missing in it. drover history " +
            run.run.value + option + " shows those that were saved, and \"interrupted\" in the place of the others.\n";
  }
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
    Json lost = Json::array();
    for (const auto& phone : task.lost_phones) lost.push_back(phone.value);
    tasks.push_back({{"task", task.task.value},
                     {"verdict", verdict},
                     {"outcome", outcome},
                     {"reason", task.reason},
                     {"attempts", task.attempts},
                     {"steps", task.steps},
                     {"took_ms", to_milliseconds(task.took)},
                     {"flaky", task.flaky},
                     {"lost_phones", lost},
                     {"calls", task.usage.calls},
                     {"input_tokens", task.usage.input_tokens},
                     {"cached_tokens", task.usage.cached_tokens},
                     {"output_tokens", task.usage.output_tokens},
                     {"thinking_tokens", task.usage.thinking_tokens},
                     {"cost_micros", task.usage.cost ? Json(task.usage.cost->micros) : Json(nullptr)}});
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
              {"batch_exit_code", batch.exit_code},
              {"exit_reason", ending.why}};
  out["journal_complete"] = !journal_failed(batch);
  out["providers"] = Json::array();
  for (const auto& account : s.providers) out["providers"].push_back(as_json(*account));
  out["cost_micros"] = s.calls_without_price > 0 ? Json(nullptr) : Json(s.cost_micros.load());
  if (batch.failure) out["failure"] = batch.failure->describe();
  return out;
}

}  // namespace drover::cli
