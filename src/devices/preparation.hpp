#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "devices/driver.hpp"
#include "devices/executor.hpp"

namespace drover::devices {

/// What a preparation wants next: the driver's reset, a primitive, a pause, or to be done.
struct ResetPhone {};
using PreparationStep = std::variant<ResetPhone, RunPrimitive, PauseFor, Status>;

/// What a phone goes through before a task, without I/O: the reset when it is
/// wanted, then the launch of an app when one is named. A phone that goes away in
/// the middle is prepared anew, by another instance with the same order.
class Preparation {
 public:
  Preparation(bool reset, std::string app);

  /// The first step, and the next after a pause.
  PreparationStep next(TimePoint now);
  /// The next step after the result of a primitive or of the reset.
  PreparationStep on_result(const PrimitiveResult& result, TimePoint now);

 private:
  bool reset_;  // Still to be done, or under way.
  std::string app_;
  std::optional<Executor> launch_;
};

}  // namespace drover::devices
