#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace drover {

/// A name that can't be mistaken for a name of another kind. The text is never
/// empty in a record that was written.
template <class Tag>
struct Id {
  std::string value;

  Id() = default;
  explicit Id(std::string text) : value(std::move(text)) {}

  [[nodiscard]] bool empty() const noexcept { return value.empty(); }
  auto operator<=>(const Id&) const = default;
};

using RunId = Id<struct RunTag>;          ///< One batch: `20261130-141502-3f9a`, sortable by start.
using TaskId = Id<struct TaskTag>;        ///< Unique within a run; the user's own name for the task.
using DeviceId = Id<struct DeviceTag>;    ///< Stable and ours, apart from serial, transport and host.
using SessionId = Id<struct SessionTag>;  ///< One participant of one attempt.

/// A lease's number from the one durable, increasing counter. 0 is never given out.
using Fence = std::uint64_t;
/// A position in the one dense sequence over all events of a journal; the first is 1.
using Sequence = std::uint64_t;

/// Where a step stands: run / task / attempt / role / step. Attempts and steps
/// count from 1. A task with one phone has the single role "main".
struct StepKey {
  RunId run;
  TaskId task;
  std::uint32_t attempt = 1;
  std::string role = "main";
  std::uint32_t step = 0;  ///< 0 in a key that names the participant and not a step.

  auto operator<=>(const StepKey&) const = default;
};

}  // namespace drover

template <class Tag>
struct std::hash<drover::Id<Tag>> {
  std::size_t operator()(const drover::Id<Tag>& id) const noexcept { return std::hash<std::string>{}(id.value); }
};
