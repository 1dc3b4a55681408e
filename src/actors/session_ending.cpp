#include "actors/session_ending.hpp"

#include <string_view>

namespace drover::actors {
namespace {

std::string_view doing(SessionPhase phase) {
  using Phase = SessionPhase;
  switch (phase) {
    case Phase::preparing:
      return " while the phone was being put into its known state";
    case Phase::waiting_for_ticket:
      return " while it stood in line for a model call";
    case Phase::looking:
    case Phase::checking:
      return " while it looked at the screen";
    case Phase::waiting_for_answer:
      return " while it waited for the model's answer";
    case Phase::saving_intent:
      return " while it waited for the journal";
    case Phase::acting:
      return " while it acted on the phone";
    case Phase::closing:
    case Phase::ended:
      return "";
  }
  return "";
}

}  // namespace

Outcome outcome_of(CancelReason reason) {
  switch (reason) {
    case CancelReason::deadline:
      return Outcome::timeout;
    case CancelReason::device_lost:
      return Outcome::device_lost;
    case CancelReason::budget:
      return Outcome::budget_exhausted;
    case CancelReason::shutdown:
      return Outcome::error;
    case CancelReason::none:
    case CancelReason::user:
    case CancelReason::terminated:
    case CancelReason::request:
      return Outcome::cancelled;
  }
  return Outcome::cancelled;
}

std::string sentence_of(CancelReason reason, SessionPhase phase) {
  switch (reason) {
    case CancelReason::deadline:
      return "the task's time was over" + std::string(doing(phase));
    case CancelReason::device_lost:
      return "DeviceLost: the phone went away";
    case CancelReason::budget:
      return "the budget is used up";
    case CancelReason::shutdown:
      return "the program had to stop after an internal fault";
    case CancelReason::user:
      return "stopped by the user";
    case CancelReason::terminated:
      return "stopped by a termination signal";
    case CancelReason::none:
    case CancelReason::request:
      return "cancelled on request";
  }
  return "cancelled";
}

Outcome outcome_of(const Error& error) {
  switch (error.code) {
    case Errc::device_lost:
    case Errc::device_unavailable:
      return Outcome::device_lost;
    case Errc::provider_unavailable:
    case Errc::overloaded:
    case Errc::network:
    case Errc::tls:
      return Outcome::provider_unavailable;
    case Errc::tool_call_unavailable:
    case Errc::task_failed:
      return Outcome::failed;
    case Errc::cancelled:
      return Outcome::cancelled;
    case Errc::budget_exhausted:
      return Outcome::budget_exhausted;
    case Errc::in_doubt:
      return Outcome::in_doubt;
    default:
      return Outcome::error;
  }
}

std::string typed_reason(const Error& error, std::string_view type) {
  return std::string(outcome_of(error) == Outcome::device_lost ? "DeviceLost" : type) + ": " + error.describe();
}

bool leaves_open(Outcome outcome) {
  return outcome == Outcome::timeout || outcome == Outcome::step_limit || outcome == Outcome::device_lost ||
         outcome == Outcome::provider_unavailable || outcome == Outcome::error;
}

}  // namespace drover::actors
