#pragma once

#include "core/records.hpp"

namespace drover {

/// One record of each kind with every field set: what the golden files hold.
RunRecord sample_run();
TaskRecord sample_task();
AttemptRecord sample_attempt();
IntentRecord sample_intent();
OutcomeRecord sample_outcome();
StepRecord sample_step();
DecisionRecord sample_decision();

}  // namespace drover
