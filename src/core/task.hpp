#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/assertion.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/json.hpp"

namespace drover {

class JsonWriter;

/// How far a task may go before it ends by itself.
struct TaskLimits {
  std::uint32_t max_steps = 30;
  Duration timeout = std::chrono::minutes{10};
  bool operator==(const TaskLimits&) const = default;
};

/// One thing to be done on a phone, in words, and how to tell that it was done.
struct Task {
  TaskId id;
  std::string goal;
  std::string app;  ///< Package to start in; empty: wherever the phone is.
  std::vector<std::string> tags;
  std::vector<Assertion> assertions;  ///< None: success can only be claimed.
  TaskLimits limits;
  std::string device;                         ///< A device id to run on; empty: any.
  std::vector<std::string> roles = {"main"};  ///< One phone each; leases are taken all or none.
  std::uint32_t priority = 1;                 ///< Weight in the line for model calls; at least 1.
  bool operator==(const Task&) const = default;
};

/// The first role that a task names twice, or null. Steps are told apart by their
/// role's name, so that two participants of one name would write over each other.
const std::string* role_named_twice(const std::vector<std::string>& roles) noexcept;

/// {id, goal, app, tags, assertions, limits: {max_steps, timeout_seconds}, device,
/// roles, priority}.
Json encode(const Task& task);
void write_json(const Task& task, JsonWriter& writer);

/// Reads a task. Fails with Errc::invalid_configuration where id or goal is
/// missing, a number is out of range, a role is named twice, or an assertion
/// can't be taken.
Result<Task> decode_task(const Json& value);
/// Reads what a record holds of a task: absent members get their defaults and
/// assertions that can't be read become ones of kind unknown.
Task decode_recorded_task(const Json& value);
/// The same; `unknown` gets an object of the fields that this version does not know.
Task decode_recorded_task(const Json& value, Json& unknown);

}  // namespace drover
