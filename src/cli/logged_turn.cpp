#include "cli/logged_turn.hpp"

#include <utility>
#include <variant>

#include "planner/tool_call_reading.hpp"

namespace drover::cli {
namespace {

using RequestPointer = std::shared_ptr<const providers::ModelRequest>;

std::shared_ptr<const Observation> observation_of(Scene screen) {
  auto seen = std::make_shared<Observation>();
  seen->scene = std::move(screen);
  return seen;
}

}  // namespace

LoggedTurn::LoggedTurn(const StepKey& key, RequestPointer first, Scene screen, const Clock& clock)
    : log_(key, clock),
      seen_(observation_of(std::move(screen))),
      turn_(std::move(first), planner::ground_of(seen_->scene)) {
  log_.begin_turn(key.step);
  take(turn_.start());
}

RequestPointer LoggedTurn::open_request() const {
  const auto* request = std::get_if<RequestPointer>(&step_);
  return request == nullptr ? nullptr : *request;
}

DecisionRecord LoggedTurn::answer(actors::CallReport report) {
  const DecisionRecord& record = log_.answered(report);
  auto step = turn_.next({std::move(report.answer), report.asked, report.structured_output_supported});
  log_.concluded(step, turn_.notes());
  DecisionRecord written = record;
  take(std::move(step));
  return written;
}

DecisionRecord LoggedTurn::served_elsewhere(actors::CallReport report) { return log_.served_elsewhere(report); }

void LoggedTurn::look_again(const providers::ModelRequest& first, Scene screen) {
  seen_ = observation_of(std::move(screen));
  log_.take_back();
  take(turn_.look_again(first, planner::ground_of(seen_->scene)));
}

void LoggedTurn::take(planner::TurnStep step) {
  step_ = std::move(step);
  if (const auto* request = std::get_if<RequestPointer>(&step_)) log_.ask(*request, seen_);
}

}  // namespace drover::cli
