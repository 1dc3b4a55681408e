#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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
/// - done: every primitive was carried out, as far as the phone says.
/// - refused: the step can't be done as it is worded; nothing was sent. The error
///   is Errc::invalid_argument in words that a model can act on.
/// - failed: the phone said no, or could not be reached before anything that
///   matters was sent; the error says which.
/// - in_doubt: something was sent and its end was never seen.
struct ActResult {
  std::string intent;
  ActStatus status = ActStatus::unknown;
  std::optional<Error> error;
  std::uint32_t tries = 1;  ///< 1 and one more for each primitive that was sent again.
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

struct ExecutorOptions {
  std::uint32_t max_tries = 3;                            ///< Of one primitive.
  Duration first_pause = std::chrono::milliseconds{250};  ///< Before the second try; three times as long after each.
  Duration focus_pause = std::chrono::milliseconds{200};  ///< Between the tap on a field and the first key.
  Duration drag_time = std::chrono::milliseconds{400};
};

/// The only place that turns actions into primitives and retries them (rows P7
/// and B2): a state machine without I/O. One instance per act. The caller checks
/// the fence before every primitive.
///
/// | the driver says | idempotent action (launch, open, home, …) | tap, typing, … |
/// |---|---|---|
/// | device_unavailable, overloaded: never sent | sent again after a pause, then failed | the same |
/// | timeout, network: perhaps carried out | sent again after a pause, then in doubt | in doubt at once |
/// | in_doubt, device_lost | in doubt | in doubt |
/// | anything else | failed | failed |
class Executor {
 public:
  /// `started` is when the act was taken up.
  Executor(Act act, TimePoint started, ExecutorOptions options = {});

  /// The first step, and the next after a pause.
  ExecutorStep next(TimePoint now);
  /// The next step after a primitive's result.
  ExecutorStep on_result(const PrimitiveResult& result, TimePoint now);

  /// The end of an act that can't go on, between two steps or with a primitive
  /// open: in doubt when anything was sent, else refused if it was cancelled and
  /// failed otherwise.
  [[nodiscard]] ActResult break_off(Error error, TimePoint now) const;

  [[nodiscard]] const Act& act() const noexcept { return act_; }
  /// Whether any primitive that changes the phone has been handed out, apart from
  /// those of which the driver said that they were never sent.
  [[nodiscard]] bool sent_something() const noexcept { return sent_something_; }

 private:
  ActResult finish(ActStatus status, std::optional<Error> error, TimePoint now) const;
  ExecutorStep try_again_or(ActStatus status, const Error& error, TimePoint now);

  Act act_;
  TimePoint started_;
  ExecutorOptions options_;
  std::vector<std::variant<Primitive, PauseFor>> plan_;
  std::size_t position_ = 0;
  std::uint32_t tries_ = 1;            // Of the whole act.
  std::uint32_t primitive_tries_ = 1;  // Of the primitive at position_.
  bool planned_ = false;
  bool sent_something_ = false;
  bool carried_something_ = false;
};

}  // namespace drover::devices
