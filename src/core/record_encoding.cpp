#include <algorithm>
#include <initializer_list>

#include "core/json_value.hpp"
#include "core/record_fields.hpp"
#include "core/records.hpp"

namespace drover {
namespace {

void write_unless_empty(std::string_view name, std::string_view text, JsonWriter& writer) {
  if (!text.empty()) writer.member(name, text);
}

template <class Number>
void write_unless_zero(std::string_view name, Number value, JsonWriter& writer) {
  if (value != Number{}) writer.member(name, value);
}

/// The name of an enum value, or what stood there when the name was not known.
template <class Enum>
void write_enum(std::string_view name, Enum value, const Json& extra, JsonWriter& writer) {
  if (value == Enum::unknown && extra.is_object() && extra.contains(name)) {
    writer.key(name);
    writer.raw(dump_json(extra.at(std::string(name))));
    return;
  }
  writer.member(name, name_of(value));
}

/// Fields of a newer version, but for those that are part of a member written already.
void write_extra(const Json& extra, JsonWriter& writer, std::initializer_list<std::string_view> written = {}) {
  if (!extra.is_object()) return;
  for (const auto& [name, value] : extra.items()) {
    if (std::find(written.begin(), written.end(), name) != written.end()) continue;
    writer.key(name);
    writer.raw(dump_json(value));
  }
}

void write_members(const Versions& versions, JsonWriter& writer) {
  write_unless_empty("binary", versions.binary, writer);
  write_unless_empty("prompt", versions.prompt, writer);
  write_unless_empty("tools", versions.tools, writer);
  write_unless_empty("capabilities", versions.capabilities, writer);
  write_unless_empty("prices", versions.prices, writer);
  write_unless_empty("configuration", versions.configuration, writer);
  write_unless_empty("app_build", versions.app_build, writer);
  writer.member("seed", versions.seed);
}

void write_members(const Usage& usage, JsonWriter& writer) {
  writer.member("calls", usage.calls);
  writer.member("input_tokens", usage.input_tokens);
  write_unless_zero("cached_tokens", usage.cached_tokens, writer);
  writer.member("output_tokens", usage.output_tokens);
  write_unless_zero("thinking_tokens", usage.thinking_tokens, writer);
  if (usage.cost) {
    writer.member("cost_micros", usage.cost->micros);
    writer.member("currency", usage.cost->currency);
  }
}

template <class T>
void write_with_extra(std::string_view name, const T& value, const Json& extra, JsonWriter& writer) {
  writer.key(name);
  writer.begin_object();
  write_members(value, writer);
  write_extra(member(extra, name), writer);
  writer.end_object();
}

void write_key(const StepKey& key, JsonWriter& writer) {
  writer.member("run", key.run.value);
  writer.member("task", key.task.value);
  writer.member("attempt", key.attempt);
  writer.member("role", key.role);
  writer.member("step", key.step);
}

void write_participants(const std::vector<Participant>& participants, const Json& extra, JsonWriter& writer) {
  const Json& extras = member(extra, "participants");
  writer.key("participants");
  writer.begin_array();
  for (std::size_t i = 0; i < participants.size(); ++i) {
    const Participant& participant = participants[i];
    writer.begin_object();
    writer.member("role", participant.role);
    writer.member("device", participant.device.value);
    writer.member("session", participant.session.value);
    writer.member("fence", participant.fence);
    if (extras.is_array() && i < extras.size()) write_extra(extras[i], writer);
    writer.end_object();
  }
  writer.end_array();
}

/// An object that has an encoder of its own, with the fields that it did not know.
template <class T>
void write_merged(std::string_view name, const T& value, const Json& extra, JsonWriter& writer) {
  writer.key(name);
  const Json& more = member(extra, name);
  if (!more.is_object() || more.empty()) {
    write_json(value, writer);
    return;
  }
  Json merged = to_json_value(value);
  add_unknown_fields(merged, more);
  writer.raw(dump_json(merged));
}

/// The text of one record; `reserve` is about what one of its kind takes.
template <class Members>
std::string record_text(std::size_t reserve, Members members) {
  std::string out;
  out.reserve(reserve);
  JsonWriter writer(out);
  writer.begin_object();
  writer.member("schema", record_schema);
  members(writer);
  writer.end_object();
  return out;
}

}  // namespace

void write_json(const Versions& versions, JsonWriter& writer) {
  writer.begin_object();
  write_members(versions, writer);
  writer.end_object();
}

void write_json(const Usage& usage, JsonWriter& writer) {
  writer.begin_object();
  write_members(usage, writer);
  writer.end_object();
}

Json encode(const Versions& versions) { return to_json_value(versions); }
Json encode(const Usage& usage) { return to_json_value(usage); }

std::string encode_record(const RunRecord& record) {
  return record_text(512, [&](JsonWriter& writer) {
    writer.member("run", record.run.value);
    write_enum("state", record.state, record.extra, writer);
    write_unless_empty("title", record.title, writer);
    writer.member("started", record.started);
    if (record.ended) writer.member("ended", *record.ended);
    write_with_extra("versions", record.versions, record.extra, writer);
    write_unless_empty("provider", record.provider, writer);
    writer.member("tasks", record.tasks);
    writer.member("devices", record.devices);
    if (record.exit_code) writer.member("exit_code", *record.exit_code);
    write_extra(record.extra, writer, {"state", "versions"});
  });
}

std::string encode_record(const TaskRecord& record) {
  return record_text(512, [&](JsonWriter& writer) {
    writer.member("run", record.run.value);
    writer.member("task", record.task.id.value);
    write_merged("definition", record.task, record.extra, writer);
    if (record.outcome) write_enum("outcome", *record.outcome, record.extra, writer);
    if (record.verdict) write_enum("verdict", *record.verdict, record.extra, writer);
    writer.member("attempts", record.attempts);
    write_unless_empty("reason", record.reason, writer);
    if (record.flaky) writer.member("flaky", true);
    write_extra(record.extra, writer, {"definition", "outcome", "verdict"});
  });
}

std::string encode_record(const AttemptRecord& record) {
  return record_text(768, [&](JsonWriter& writer) {
    writer.member("run", record.run.value);
    writer.member("task", record.task.value);
    writer.member("attempt", record.attempt);
    write_participants(record.participants, record.extra, writer);
    write_with_extra("versions", record.versions, record.extra, writer);
    writer.member("started", record.started);
    if (record.ended) writer.member("ended", *record.ended);
    if (record.outcome) write_enum("outcome", *record.outcome, record.extra, writer);
    if (record.claimed) writer.member("claimed", *record.claimed);
    write_unless_empty("reason", record.reason, writer);
    if (!record.assertions.empty()) {
      writer.key("assertions");
      writer.begin_array();
      for (const AssertionResult& result : record.assertions) write_json(result, writer);
      writer.end_array();
    }
    writer.member("steps", record.steps);
    write_unless_zero("relooks", record.relooks, writer);
    write_with_extra("usage", record.usage, record.extra, writer);
    write_unless_zero("transport_retries", record.transport_retries, writer);
    write_unless_zero("action_retries", record.action_retries, writer);
    write_extra(record.extra, writer, {"participants", "versions", "outcome", "usage"});
  });
}

std::string encode_record(const IntentRecord& record) {
  return record_text(640, [&](JsonWriter& writer) {
    write_key(record.key, writer);
    writer.member("intent", record.intent);
    writer.member("fence", record.fence);
    writer.member("device", record.device.value);
    write_unless_empty("page", record.page, writer);
    const bool has_unknown_tool = record.extra.is_object() && record.extra.contains("tool");
    if (!has_unknown_tool) {
      writer.member("tool", tool_name(record.step.action));
      writer.key("arguments");
      write_arguments(record.step.action, writer);
    }
    write_unless_empty("purpose", record.step.purpose, writer);
    write_unless_empty("expected_outcome", record.step.expected_outcome, writer);
    write_unless_empty("rationale", record.step.rationale, writer);
    write_unless_empty("thinking", record.step.thinking, writer);
    writer.member("at", record.at);
    write_extra(record.extra, writer);
  });
}

std::string encode_record(const OutcomeRecord& record) {
  return record_text(320, [&](JsonWriter& writer) {
    write_key(record.key, writer);
    writer.member("intent", record.intent);
    write_enum("status", record.status, record.extra, writer);
    write_unless_empty("cause", record.cause, writer);
    writer.member("tries", record.tries);
    writer.member("took_us", record.took);
    writer.member("at", record.at);
    write_extra(record.extra, writer, {"status"});
  });
}

std::string encode_record(const StepRecord& record) {
  return record_text(768, [&](JsonWriter& writer) {
    write_key(record.key, writer);
    write_merged("event", record.event, record.extra, writer);
    write_extra(record.extra, writer, {"event"});
  });
}

std::string encode_record(const DecisionRecord& record) {
  return record_text(1024 + record.user_prompt.size() + record.raw_answer.size(), [&](JsonWriter& writer) {
    write_key(record.key, writer);
    writer.member("request", record.request);
    write_unless_empty("rung", record.rung, writer);
    write_unless_empty("provider", record.provider, writer);
    write_unless_empty("model", record.model, writer);
    write_unless_empty("prompt_hash", record.prompt_hash, writer);
    writer.member("prompt_bytes", record.prompt_bytes);
    write_unless_empty("system_prompt_hash", record.system_prompt_hash, writer);
    write_unless_empty("user_prompt", record.user_prompt, writer);
    if (!record.tool.empty()) {
      writer.member("tool", record.tool);
      writer.key("arguments");
      writer.raw(dump_json(record.arguments));
    }
    write_unless_empty("rationale", record.rationale, writer);
    write_unless_empty("thinking", record.thinking, writer);
    write_unless_empty("purpose", record.purpose, writer);
    write_unless_empty("expected_outcome", record.expected_outcome, writer);
    write_with_extra("usage", record.usage, record.extra, writer);
    writer.member("queued_us", record.queued);
    writer.member("called_us", record.called);
    writer.member("observed_us", record.observed);
    writer.member("screen_age_us", record.screen_age);
    write_unless_zero("retries", record.retries, writer);
    write_unless_empty("error", record.error, writer);
    if (!record.notes.empty()) writer.member("notes", record.notes);
    write_unless_empty("raw_answer", record.raw_answer, writer);
    write_unless_empty("wire_format", record.wire_format, writer);
    if (record.http_status != 200) writer.member("http_status", record.http_status);
    if (record.picture) writer.member("picture", true);
    write_unless_empty("request_id", record.request_id, writer);
    writer.member("at", record.at);
    write_extra(record.extra, writer, {"usage"});
  });
}

}  // namespace drover
