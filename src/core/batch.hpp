#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/outcome.hpp"
#include "core/task.hpp"

namespace drover {

struct RetryRules {
  std::set<RetryClass> classes = {RetryClass::infrastructure};
  std::uint32_t per_task = 1;  ///< Further attempts of one task.
  std::uint32_t total = 1000;  ///< Further attempts of the whole batch.
};

/// Which task of a batch runs next, what is tried again, and what every task's
/// verdict is: each selected task ends in exactly one. What an attempt has seen is
/// not lost: a task that waits for a further attempt, or whose further attempt is
/// cancelled, keeps the outcome of the attempt before when no phone comes or the
/// run is stopped. Only a task of which no attempt has ended takes the outcome
/// that the stop or the lack of phones stands for. Plain class; the dispatcher
/// actor is its only caller.
class Batch {
 public:
  /// The order of `tasks` is the order in which they are begun.
  Batch(std::vector<Task> tasks, RetryRules retries);

  struct Start {
    const Task* task = nullptr;
    std::uint32_t attempt = 1;
    std::set<DeviceId> avoid;  ///< Phones that an earlier attempt ended badly on.
  };
  /// The next task to be given phones, if one is waiting. What follows is
  /// attempt_ended(), put_back() or give_up().
  std::optional<Start> next();
  /// Puts a task back that could not be given phones, at its old place.
  void put_back(const TaskId& task);

  struct Ended {
    bool again = false;              ///< Another attempt will be made.
    std::optional<Outcome> outcome;  ///< The task's; set when it will not.
    bool flaky = false;
  };
  /// An attempt of the task has ended on these phones.
  Ended attempt_ended(const TaskId& task, Outcome outcome, const std::vector<DeviceId>& devices);

  /// No further attempt is begun; waiting tasks end at once, as `outcome` where no
  /// attempt has ended yet. Gives the tasks that were waiting.
  std::vector<TaskId> stop(Outcome outcome);
  /// A task that can never get its phones ends, as `outcome` where no attempt has
  /// ended yet.
  void give_up(const TaskId& task, Outcome outcome);

  [[nodiscard]] bool finished() const noexcept { return decided_ == states_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return states_.size(); }
  [[nodiscard]] const Task& task(const TaskId& id) const;
  /// Attempts that had their phones.
  [[nodiscard]] std::uint32_t attempts_of(const TaskId& id) const;
  /// What the task ended as; nothing while it has not.
  [[nodiscard]] std::optional<Outcome> outcome_of(const TaskId& id) const;

 private:
  struct State {
    Task task;
    std::size_t place = 0;
    std::uint32_t attempts = 0;
    std::set<DeviceId> avoid;
    std::optional<Outcome> last;     ///< Of the attempt that ended last.
    std::optional<Outcome> outcome;  ///< Of the task.
  };
  void decide(State& state, Outcome outcome);

  std::map<TaskId, State> states_;
  std::set<std::pair<std::size_t, TaskId>> waiting_;
  RetryRules retries_;
  std::uint32_t retried_ = 0;
  std::size_t decided_ = 0;
  bool stopped_ = false;
};

}  // namespace drover
