#pragma once

#include <variant>
#include <vector>

#include "core/action.hpp"
#include "core/error.hpp"
#include "core/scene.hpp"
#include "devices/executor.hpp"

namespace drover::devices {

using ActPlan = std::vector<std::variant<Primitive, PauseFor>>;

/// The primitives and pauses that an action comes to on a scene: element ids
/// become points, a field is tapped before it is typed into unless it has the
/// focus. Empty for what touches no phone. What can't be done as it is worded is
/// Errc::invalid_argument, with a cause and a remedy that a model can act on.
Result<ActPlan> plan_act(const Action& action, const Scene& scene, const ExecutorOptions& options);

}  // namespace drover::devices
