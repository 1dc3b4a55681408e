#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "core/record_fields.hpp"
#include "core/records.hpp"

namespace drover {
namespace {

Error malformed(std::string_view kind, std::string_view fault) {
  return Error{Errc::malformed, std::string(kind) + " record " + std::string(fault), ""};
}

Versions read_versions(RecordFields& fields) {
  Versions versions;
  versions.binary = fields.text("binary");
  versions.prompt = fields.text("prompt");
  versions.tools = fields.text("tools");
  versions.capabilities = fields.text("capabilities");
  versions.prices = fields.text("prices");
  versions.configuration = fields.text("configuration");
  versions.app_build = fields.text("app_build");
  versions.seed = fields.count("seed");
  return versions;
}

Usage read_usage(RecordFields& fields) {
  Usage usage;
  usage.calls = fields.count("calls");
  usage.input_tokens = fields.count("input_tokens");
  usage.cached_tokens = fields.count("cached_tokens");
  usage.output_tokens = fields.count("output_tokens");
  usage.thinking_tokens = fields.count("thinking_tokens");
  const Json& micros = fields.field("cost_micros");
  std::string currency = fields.text("currency");
  if (micros.is_number_integer()) {
    usage.cost = Money{micros.get<std::int64_t>(), currency.empty() ? Money{}.currency : std::move(currency)};
  }
  return usage;
}

Versions take_versions(RecordFields& record) {
  RecordFields fields(record.field("versions"));
  Versions versions = read_versions(fields);
  record.keep("versions", fields.take_extra());
  return versions;
}

Usage take_usage(RecordFields& record) {
  RecordFields fields(record.field("usage"));
  Usage usage = read_usage(fields);
  record.keep("usage", fields.take_extra());
  return usage;
}

/// Every kind of record: an object, with the fields named that no record has of its own.
std::optional<Error> check(std::string_view kind, const Json& value, std::initializer_list<std::string_view> key) {
  if (!value.is_object()) return malformed(kind, "is no object");
  for (const std::string_view name : key) {
    if (text_or(value, name).empty()) return malformed(kind, "lacks \"" + std::string(name) + "\"");
  }
  return std::nullopt;
}

StepKey take_key(RecordFields& fields) {
  StepKey key;
  key.run = RunId(fields.text("run"));
  key.task = TaskId(fields.text("task"));
  key.attempt = fields.small_count("attempt", 1);
  if (std::string role = fields.text("role"); !role.empty()) key.role = std::move(role);
  key.step = fields.small_count("step");
  return key;
}

std::vector<Participant> take_participants(RecordFields& fields) {
  std::vector<Participant> participants;
  const Json& entries = fields.field("participants");
  if (!entries.is_array()) return participants;
  Json extras = Json::array();
  for (const Json& entry : entries) {
    RecordFields one(entry);
    Participant participant;
    if (std::string role = one.text("role"); !role.empty()) participant.role = std::move(role);
    participant.device = DeviceId(one.text("device"));
    participant.session = SessionId(one.text("session"));
    participant.fence = one.count("fence");
    participants.push_back(std::move(participant));
    extras.push_back(one.take_extra());
  }
  fields.keep("participants", std::move(extras));
  return participants;
}

PlannedStep take_step(RecordFields& fields) {
  PlannedStep step;
  const std::string tool = fields.text("tool");
  const Json& arguments = fields.field("arguments");
  if (auto action = decode_action(tool, arguments)) {
    step.action = *std::move(action);
  } else {
    step.action = Note{"an action that this version does not know: " + tool};
    fields.keep("tool", tool);
    fields.keep("arguments", arguments);
  }
  step.purpose = fields.text("purpose");
  step.expected_outcome = fields.text("expected_outcome");
  step.rationale = fields.text("rationale");
  step.thinking = fields.text("thinking");
  return step;
}

std::optional<int> take_exit_code(RecordFields& fields) {
  const Json& value = fields.field("exit_code");
  if (!value.is_number_integer()) return std::nullopt;
  const auto code = value.get<std::int64_t>();
  if (code < std::numeric_limits<int>::min() || code > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(code);
}

RecordFields fields_of(const Json& value) {
  RecordFields fields(value);
  fields.field("schema");
  return fields;
}

}  // namespace

Versions decode_versions(const Json& value) {
  RecordFields fields(value);
  return read_versions(fields);
}

Usage decode_usage(const Json& value) {
  RecordFields fields(value);
  return read_usage(fields);
}

Result<RunRecord> decode_run(const Json& value) {
  if (auto fault = check("run", value, {"run"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  RunRecord record;
  record.run = RunId(fields.text("run"));
  record.state = fields.choice("state", run_state_from).value_or(RunState::unknown);
  record.title = fields.text("title");
  record.started = fields.time("started").value_or(UtcTime{});
  record.ended = fields.time("ended");
  record.versions = take_versions(fields);
  record.provider = fields.text("provider");
  record.tasks = fields.small_count("tasks");
  record.devices = fields.small_count("devices");
  record.exit_code = take_exit_code(fields);
  record.extra = fields.take_extra();
  return record;
}

Result<TaskRecord> decode_task_record(const Json& value) {
  if (auto fault = check("task", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  TaskRecord record;
  record.run = RunId(fields.text("run"));
  Json unknown;
  record.task = decode_recorded_task(fields.field("definition"), unknown);
  fields.keep("definition", std::move(unknown));
  record.task.id = TaskId(fields.text("task"));
  record.outcome = fields.choice("outcome", outcome_from);
  record.verdict = fields.choice("verdict", verdict_from);
  record.attempts = fields.small_count("attempts");
  record.reason = fields.text("reason");
  record.flaky = fields.flag("flaky").value_or(false);
  record.extra = fields.take_extra();
  return record;
}

Result<AttemptRecord> decode_attempt(const Json& value) {
  if (auto fault = check("attempt", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  AttemptRecord record;
  record.run = RunId(fields.text("run"));
  record.task = TaskId(fields.text("task"));
  record.attempt = fields.small_count("attempt", 1);
  record.participants = take_participants(fields);
  record.versions = take_versions(fields);
  record.started = fields.time("started").value_or(UtcTime{});
  record.ended = fields.time("ended");
  record.outcome = fields.choice("outcome", outcome_from);
  record.claimed = fields.flag("claimed");
  record.reason = fields.text("reason");
  if (const Json& results = fields.field("assertions"); results.is_array()) {
    for (const Json& entry : results) {
      if (auto result = decode_assertion_result(entry)) record.assertions.push_back(*std::move(result));
    }
  }
  record.steps = fields.small_count("steps");
  record.relooks = fields.small_count("relooks");
  record.usage = take_usage(fields);
  record.transport_retries = fields.small_count("transport_retries");
  record.action_retries = fields.small_count("action_retries");
  record.extra = fields.take_extra();
  return record;
}

Result<IntentRecord> decode_intent(const Json& value) {
  if (auto fault = check("intent", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  IntentRecord record;
  record.key = take_key(fields);
  record.intent = fields.text("intent");
  record.fence = fields.count("fence");
  record.device = DeviceId(fields.text("device"));
  record.page = fields.text("page");
  record.step = take_step(fields);
  record.at = fields.time("at").value_or(UtcTime{});
  record.extra = fields.take_extra();
  return record;
}

Result<OutcomeRecord> decode_outcome(const Json& value) {
  if (auto fault = check("outcome", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  OutcomeRecord record;
  record.key = take_key(fields);
  record.intent = fields.text("intent");
  record.status = fields.choice("status", act_status_from).value_or(ActStatus::unknown);
  record.cause = fields.text("cause");
  record.tries = fields.small_count("tries", 1);
  record.took = fields.microseconds("took_us");
  record.at = fields.time("at").value_or(UtcTime{});
  record.extra = fields.take_extra();
  return record;
}

Result<StepRecord> decode_step(const Json& value) {
  if (auto fault = check("step", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  StepRecord record;
  record.key = take_key(fields);
  Json unknown;
  const Json& event = fields.field("event");
  if (event.is_object()) {
    auto decoded = decode_world_event(event, unknown);
    if (!decoded) return decoded.error();
    record.event = *std::move(decoded);
  }
  fields.keep("event", std::move(unknown));
  record.extra = fields.take_extra();
  return record;
}

Result<DecisionRecord> decode_decision(const Json& value) {
  if (auto fault = check("decision", value, {"run", "task"})) return *std::move(fault);
  RecordFields fields = fields_of(value);
  DecisionRecord record;
  record.key = take_key(fields);
  record.request = fields.small_count("request", 1);
  record.rung = fields.text("rung");
  record.provider = fields.text("provider");
  record.model = fields.text("model");
  record.prompt_hash = fields.text("prompt_hash");
  record.prompt_bytes = fields.count("prompt_bytes");
  record.system_prompt_hash = fields.text("system_prompt_hash");
  record.user_prompt = fields.text("user_prompt");
  record.tool = fields.text("tool");
  if (const Json& arguments = fields.field("arguments"); !arguments.is_null()) record.arguments = arguments;
  record.rationale = fields.text("rationale");
  record.thinking = fields.text("thinking");
  record.purpose = fields.text("purpose");
  record.expected_outcome = fields.text("expected_outcome");
  record.usage = take_usage(fields);
  record.queued = fields.microseconds("queued_us");
  record.called = fields.microseconds("called_us");
  record.observed = fields.microseconds("observed_us");
  record.screen_age = fields.microseconds("screen_age_us");
  record.retries = fields.small_count("retries");
  record.error = fields.text("error");
  record.notes = fields.texts("notes");
  record.raw_answer = fields.text("raw_answer");
  record.wire_format = fields.text("wire_format");
  record.http_status = fields.small_count("http_status", 200);
  record.picture = fields.flag("picture").value_or(false);
  record.request_id = fields.text("request_id");
  record.at = fields.time("at").value_or(UtcTime{});
  record.extra = fields.take_extra();
  return record;
}

}  // namespace drover
