#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/action.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/records.hpp"
#include "core/scene.hpp"
#include "devices/driver.hpp"

namespace drover::devices {

/// An order to act, as a session gives it.
struct Act {
  std::string intent;
  Fence fence = 0;
  PlannedStep step;
  std::shared_ptr<const Scene> decided_on;  ///< The scene whose element ids the step speaks of; never null.
};

/// What became of an act, as the executor tells it.
struct ActResult {
  std::string intent;
  ActStatus status = ActStatus::unknown;
  std::optional<Error> error;
  std::uint32_t tries = 1;
  Duration took{};
};

/// What the executor wants next: run a primitive, wait, or be done.
struct RunPrimitive {
  Primitive primitive;
};
struct PauseFor {
  Duration time;
};
using ExecutorStep = std::variant<RunPrimitive, PauseFor, ActResult>;

/// The only place that turns actions into primitives and retries them (rows P7
/// and B2): a state machine without I/O. One instance per act. Reads and
/// idempotent primitives are retried with backoff after a failure that was
/// certainly not carried out; taps and typing are never sent twice blindly; a
/// primitive that was sent and not answered makes the act in doubt. The caller
/// checks the fence before every primitive.
class Executor {
 public:
  /// `started` is when the act was taken up.
  Executor(Act act, TimePoint started);

  /// The first step, and the next after a pause.
  ExecutorStep next(TimePoint now);
  /// The next step after a primitive's result.
  ExecutorStep on_result(const PrimitiveResult& result, TimePoint now);

  [[nodiscard]] const Act& act() const noexcept { return act_; }
  /// Whether any primitive that changes the phone has been handed out.
  [[nodiscard]] bool sent_something() const noexcept { return sent_something_; }

 private:
  ActResult finish(ActStatus status, std::optional<Error> error, TimePoint now) const;
  ExecutorStep plan(TimePoint now);

  Act act_;
  TimePoint started_;
  std::vector<Primitive> plan_;
  std::size_t position_ = 0;
  std::uint32_t tries_ = 1;
  bool planned_ = false;
  bool sent_something_ = false;
};

}  // namespace drover::devices
