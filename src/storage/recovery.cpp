#include "storage/recovery.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "storage/record_key.hpp"

namespace drover::storage {
namespace {

using Next = Database::Next;

class Planner {
 public:
  explicit Planner(const Database& database) : database_(database) {}

  Result<Recovery> plan() {
    std::vector<RunRecord> running;
    auto scanned = scan(RecordKind::run, "", decode_run, [&](RunRecord record) -> Status {
      if (record.state == RunState::running) running.push_back(std::move(record));
      return Done{};
    });
    if (!scanned.ok()) return scanned.error();
    for (auto& run : running) {
      if (auto closed = close_run(run); !closed.ok()) return closed.error();
    }
    return std::move(recovery_);
  }

 private:
  struct LastAttempt {
    AttemptRecord record;
    bool earlier_not_passed = false;
  };

  template <class Decode, class Take>
  Status scan(RecordKind kind, const std::string& prefix, Decode decode, Take take) {
    return database_.scan(database_.family(kind), prefix, [&](std::string_view, std::string_view text) -> Result<Next> {
      auto value = parse_json(text, "a record of the journal");
      if (!value.ok()) {
        ++recovery_.report.unreadable_records;
        return Next::go_on;
      }
      auto record = decode(*value);
      if (!record.ok()) {
        ++recovery_.report.unreadable_records;
        return Next::go_on;
      }
      Status taken = take(std::move(*record));
      if (!taken.ok()) return taken.error();
      return Next::go_on;
    });
  }

  Status close_run(RunRecord& run) {
    std::map<TaskId, LastAttempt> last;
    auto attempts = scan(RecordKind::attempt, run_key(run.run), decode_attempt, [&](AttemptRecord record) -> Status {
      if (!record.outcome) {
        if (auto closed = close_attempt(record); !closed.ok()) return closed;
      }
      auto& entry = last[record.task];
      if (entry.record.outcome && verdict_of(*entry.record.outcome) != Verdict::passed) entry.earlier_not_passed = true;
      entry.record = std::move(record);
      return Done{};
    });
    if (!attempts.ok()) return attempts;

    auto tasks = scan(RecordKind::task, run_key(run.run), decode_task_record, [&](TaskRecord record) -> Status {
      if (!record.verdict) close_task(record, last);
      return Done{};
    });
    if (!tasks.ok()) return tasks;

    run.state = RunState::interrupted;
    recovery_.entries.push_back(entry_of(run));
    ++recovery_.report.runs_interrupted;
    return Done{};
  }

  Status close_attempt(AttemptRecord& attempt) {
    const auto prefix = attempt_key(attempt.run, attempt.task, attempt.attempt);
    std::set<std::string, std::less<>> open_intents;
    std::vector<std::string> doubtful;
    std::uint32_t last_step = attempt.steps;
    std::map<std::string, std::uint32_t, std::less<>> last_of_role;
    const auto see_step = [&](std::string_view key) {
      const auto step = read_step_key(key);
      if (!step) return;
      last_step = std::max(last_step, step->step);
      auto& last = last_of_role[std::string(step->role)];
      last = std::max(last, step->step);
    };
    auto intents = database_.scan(database_.family(RecordKind::intent), prefix,
                                  [&](std::string_view key, std::string_view) -> Result<Next> {
                                    open_intents.emplace(key);
                                    see_step(key);
                                    return Next::go_on;
                                  });
    if (!intents.ok()) return intents;
    auto outcomes = database_.scan(database_.family(RecordKind::outcome), prefix,
                                   [&](std::string_view key, std::string_view text) -> Result<Next> {
                                     if (const auto found = open_intents.find(key); found != open_intents.end()) {
                                       open_intents.erase(found);
                                     }
                                     if (leaves_doubt(text)) doubtful.emplace_back(key);
                                     see_step(key);
                                     return Next::go_on;
                                   });
    if (!outcomes.ok()) return outcomes;
    auto steps = database_.scan(database_.family(RecordKind::step), prefix,
                                [&](std::string_view key, std::string_view) -> Result<Next> {
                                  see_step(key);
                                  return Next::go_on;
                                });
    if (!steps.ok()) return steps;

    for (auto& key : doubtful) {
      const auto step = read_step_key(key);
      // A later step of the same role was decided on the screen after it.
      if (!step || step->step == last_of_role[std::string(step->role)]) open_intents.insert(std::move(key));
    }

    attempt.steps = last_step;
    if (open_intents.empty()) {
      attempt.outcome = Outcome::error;
      attempt.reason = "the process ended before this attempt did";
    } else {
      attempt.outcome = Outcome::in_doubt;
      attempt.reason =
          "the process ended after an action was recorded and before its effect was" + place(*open_intents.begin());
      ++recovery_.report.attempts_in_doubt;
    }
    ++recovery_.report.attempts_closed;
    recovery_.entries.push_back(entry_of(attempt));
    return Done{};
  }

  bool leaves_doubt(std::string_view text) {
    const auto value = parse_json(text, "an outcome in the journal");
    const auto record = value.ok() ? decode_outcome(*value) : Result<OutcomeRecord>(value.error());
    if (!record.ok()) {
      ++recovery_.report.unreadable_records;
      return true;
    }
    return record->status == ActStatus::in_doubt || record->status == ActStatus::unknown;
  }

  static std::string place(std::string_view intent_key) {
    const auto step = read_step_key(intent_key);
    if (!step) return "";
    std::string text = ": step " + std::to_string(step->step);
    if (step->role != "main") text += " of " + step->role;
    return text;
  }

  void close_task(TaskRecord& task, const std::map<TaskId, LastAttempt>& last) {
    const auto found = last.find(task.task.id);
    if (found == last.end()) {
      task.outcome = Outcome::error;
      task.reason = "the process ended before this task was started";
    } else {
      const auto& attempt = found->second.record;
      task.outcome = *attempt.outcome;
      task.reason = attempt.reason;
      task.attempts = std::max(task.attempts, attempt.attempt);
      task.flaky = verdict_of(*attempt.outcome) == Verdict::passed && found->second.earlier_not_passed;
    }
    task.verdict = verdict_of(*task.outcome);
    ++recovery_.report.tasks_closed;
    recovery_.entries.push_back(entry_of(task));
  }

  const Database& database_;
  Recovery recovery_;
};

}  // namespace

Result<Recovery> plan_recovery(const Database& database) { return Planner{database}.plan(); }

}  // namespace drover::storage
