#include "core/task.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json_value.hpp"
#include "core/record_fields.hpp"

namespace drover {
namespace {

Error refuse(std::string cause) { return Error{Errc::invalid_configuration, std::move(cause), ""}; }

/// Every member but the assertions; what is absent or of another type keeps its default.
Task decode_plain_members(RecordFields& fields) {
  Task task;
  task.id = TaskId(fields.text("id"));
  task.goal = fields.text("goal");
  task.app = fields.text("app");
  task.tags = fields.texts("tags");
  RecordFields limits(fields.field("limits"));
  task.limits.max_steps = limits.small_count("max_steps", task.limits.max_steps);
  if (const Json& timeout = limits.field("timeout_seconds"); timeout.is_number()) {
    const double seconds = timeout.get<double>();
    if (seconds > 0 && seconds <= 1e9) task.limits.timeout = std::chrono::microseconds{std::llround(seconds * 1e6)};
  }
  fields.keep("limits", limits.take_extra());
  task.device = fields.text("device");
  if (auto roles = fields.texts("roles"); !roles.empty()) task.roles = std::move(roles);
  task.priority = fields.small_count("priority", task.priority);
  return task;
}

bool is_absent_or_whole(const Json& value, std::int64_t lowest, std::int64_t highest) {
  if (value.is_null()) return true;
  return value.is_number_integer() && value.get<double>() >= static_cast<double>(lowest) &&
         value.get<double>() <= static_cast<double>(highest);
}

bool is_absent_or_in_range(const Json& value, double lowest, double highest) {
  if (value.is_null()) return true;
  return value.is_number() && value.get<double>() >= lowest && value.get<double>() <= highest;
}

}  // namespace

const std::string* role_named_twice(const std::vector<std::string>& roles) noexcept {
  for (auto role = roles.begin(); role != roles.end(); ++role) {
    if (std::find(roles.begin(), role, *role) != role) return &*role;
  }
  return nullptr;
}

void write_json(const Task& task, JsonWriter& writer) {
  writer.begin_object();
  writer.member("id", task.id.value);
  writer.member("goal", task.goal);
  if (!task.app.empty()) writer.member("app", task.app);
  if (!task.tags.empty()) writer.member("tags", task.tags);
  if (!task.assertions.empty()) {
    writer.key("assertions");
    writer.begin_array();
    for (const Assertion& assertion : task.assertions) write_json(assertion, writer);
    writer.end_array();
  }
  writer.key("limits");
  writer.begin_object();
  writer.member("max_steps", task.limits.max_steps);
  writer.member("timeout_seconds", std::chrono::duration<double>(task.limits.timeout).count());
  writer.end_object();
  if (!task.device.empty()) writer.member("device", task.device);
  writer.member("roles", task.roles);
  writer.member("priority", task.priority);
  writer.end_object();
}

Json encode(const Task& task) { return to_json_value(task); }

Result<Task> decode_task(const Json& value) {
  if (!value.is_object()) return refuse("a task is no object");
  RecordFields fields(value);
  Task task = decode_plain_members(fields);
  if (task.id.empty()) return refuse("a task has no \"id\"");
  const std::string who = "task \"" + task.id.value + "\": ";
  if (task.goal.empty()) return refuse(who + "\"goal\" is missing or empty");
  const Json& limits = member(value, "limits");
  if (!is_absent_or_whole(member(limits, "max_steps"), 1, 10'000)) {
    return refuse(who + "\"max_steps\" must be a whole number from 1 to 10000");
  }
  if (!is_absent_or_in_range(member(limits, "timeout_seconds"), 0.001, 86'400)) {
    return refuse(who + "\"timeout_seconds\" must be a number above 0 and at most 86400");
  }
  if (!is_absent_or_whole(member(value, "priority"), 1, 1'000)) {
    return refuse(who + "\"priority\" must be a whole number from 1 to 1000");
  }
  if (const std::string* role = role_named_twice(task.roles)) {
    return refuse(who + "the role \"" + *role + "\" is named twice");
  }
  if (const Json& assertions = member(value, "assertions"); !assertions.is_null()) {
    if (!assertions.is_array()) return refuse(who + "\"assertions\" is no list");
    for (const Json& entry : assertions) {
      auto assertion = decode_assertion(entry);
      if (!assertion) {
        return Error{assertion.error().code, who + assertion.error().cause, assertion.error().remedy};
      }
      task.assertions.push_back(*std::move(assertion));
    }
  }
  return task;
}

Task decode_recorded_task(const Json& value) {
  Json unknown;
  return decode_recorded_task(value, unknown);
}

Task decode_recorded_task(const Json& value, Json& unknown) {
  RecordFields fields(value);
  Task task = decode_plain_members(fields);
  if (const Json& assertions = fields.field("assertions"); assertions.is_array()) {
    for (const Json& entry : assertions) task.assertions.push_back(decode_recorded_assertion(entry));
  }
  unknown = fields.take_extra();
  return task;
}

}  // namespace drover
