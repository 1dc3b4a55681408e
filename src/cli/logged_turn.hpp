#pragma once

#include <memory>

#include "actors/call_report.hpp"
#include "actors/decision_log.hpp"
#include "core/clock.hpp"
#include "core/records.hpp"
#include "planner/decision_turn.hpp"
#include "planner/planner.hpp"

namespace drover::cli {

/// One turn outside of a run: a session's ladder of requests and its decision log, with
/// the prompt of a journal in the place of a phone. What is asked, read and written down
/// is what a session would ask, read and write down.
class LoggedTurn {
 public:
  /// `first`: the first rung, on this screen. `clock` has to outlive it.
  LoggedTurn(const StepKey& key, std::shared_ptr<const providers::ModelRequest> first, Scene screen,
             const Clock& clock);

  /// The request that it waits for; null when it has ended.
  [[nodiscard]] std::shared_ptr<const providers::ModelRequest> open_request() const;
  /// How it ended, once there is no open request.
  [[nodiscard]] const planner::TurnStep& step() const noexcept { return step_; }

  /// What came of the open request; gives its record.
  DecisionRecord answer(actors::CallReport report);
  /// The same where another provider serves the request then, so that the turn hears nothing.
  DecisionRecord served_elsewhere(actors::CallReport report);
  /// The open request is about a newer screen.
  void look_again(const providers::ModelRequest& first, Scene screen);

 private:
  void take(planner::TurnStep step);

  actors::DecisionLog log_;
  std::shared_ptr<const Observation> seen_;
  planner::DecisionTurn turn_;
  planner::TurnStep step_;
};

}  // namespace drover::cli
