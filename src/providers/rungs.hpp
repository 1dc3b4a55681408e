#pragma once

#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// The rung of row C3 that a model really gets: what can't be forced is asked for
/// with the reminder, structured output that a model lacks too; a model without
/// function tools always gets structured output.
constexpr Rung possible_rung(Rung wanted, const ModelCapabilities& capabilities) noexcept {
  if (!capabilities.function_tools) return Rung::structured;
  if (wanted == Rung::forced && !capabilities.forced_choice) return Rung::reminder;
  if (wanted == Rung::structured && !capabilities.structured_output) return Rung::reminder;
  return wanted;
}

}  // namespace drover::providers
