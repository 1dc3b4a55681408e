#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "core/task.hpp"
#include "core/verification.hpp"
#include "core/world.hpp"

namespace drover {

class JsonWriter;

/// Records are written by `encode_record`, which gives the JSON text itself (the same
/// bytes for the same record), and read by `decode_…` from a parsed value. In the
/// text a duration is whole microseconds under a name that ends in `_us`, a time is
/// ISO 8601 in UTC with microseconds, money is whole millionths, and what is empty
/// or absent is left out.
///
/// The version written into every record. It rises when a reader of an older
/// binary would misread a record; records otherwise only gain optional fields.
/// Unknown fields survive a read and a write, also inside versions, usage,
/// participants, the task and the event; an unknown enum value reads as unknown and
/// is written back as it was unless it has been set since.
inline constexpr int record_schema = 1;

/// Where the journal is unless somebody names another folder.
inline constexpr std::string_view default_journal_folder = "drover-journal";

/// What made an attempt what it was, so that two can be compared years later.
struct Versions {
  std::string binary;
  std::string prompt;
  std::string tools;
  std::string capabilities;
  std::string prices;
  std::string configuration;  ///< Hash of the loaded configuration, secrets left out.
  std::string app_build;
  std::uint64_t seed = 0;
  bool operator==(const Versions&) const = default;
};

/// Money in millionths of a currency's unit; never a floating-point number.
struct Money {
  std::int64_t micros = 0;
  std::string currency = "USD";
  bool operator==(const Money&) const = default;
};

/// What model calls consumed. Input counts everything that was sent, cached parts too.
struct Usage {
  std::uint64_t calls = 0;
  std::uint64_t input_tokens = 0;
  std::uint64_t cached_tokens = 0;
  std::uint64_t output_tokens = 0;
  std::uint64_t thinking_tokens = 0;
  std::optional<Money> cost;  ///< Absent where no price is known: never zero for unknown.
  bool operator==(const Usage&) const = default;

  /// Adds another's; a sum with an unknown price, or of two currencies, has none. What
  /// consumed nothing changes no price.
  void add(const Usage& other);
};

enum class RunState : std::uint8_t { unknown, running, ended, interrupted };
std::string_view name_of(RunState state) noexcept;
RunState run_state_from(std::string_view name) noexcept;

struct RunRecord {
  RunId run;
  RunState state = RunState::running;
  std::string title;
  UtcTime started{};
  std::optional<UtcTime> ended;
  Versions versions;
  std::string provider;  ///< "anthropic claude-sonnet-5-5", "scripted (built-in rules)".
  std::uint32_t tasks = 0;
  std::uint32_t devices = 0;
  std::optional<int> exit_code;
  Json extra = Json::object();  ///< Fields of a newer version, written back as they were.
  bool operator==(const RunRecord&) const = default;
};

/// A task of a run and what became of it. `verdict` is absent until it is decided.
struct TaskRecord {
  RunId run;
  Task task;
  std::optional<Outcome> outcome;
  std::optional<Verdict> verdict;
  std::uint32_t attempts = 0;
  std::string reason;
  bool flaky = false;  ///< Passed after an attempt that had not.
  Json extra = Json::object();
  bool operator==(const TaskRecord&) const = default;
};

/// A participant of an attempt: who played the role.
struct Participant {
  std::string role = "main";
  DeviceId device;
  SessionId session;
  Fence fence = 0;
  bool operator==(const Participant&) const = default;
};

struct AttemptRecord {
  RunId run;
  TaskId task;
  std::uint32_t attempt = 1;
  std::vector<Participant> participants;
  Versions versions;
  UtcTime started{};
  std::optional<UtcTime> ended;
  std::optional<Outcome> outcome;  ///< Absent while it runs.
  std::optional<bool> claimed;     ///< What the model claimed; apart from what was verified.
  std::string reason;              ///< `TaskFailedError: …`, `ToolCallUnavailable: …`, or a sentence.
  std::vector<AssertionResult> assertions;
  std::uint32_t steps = 0;    ///< Decisions that were taken, that of finish_task among them; of all participants.
  std::uint32_t relooks = 0;  ///< Screens looked at again because they had grown stale.
  Usage usage;
  std::uint32_t transport_retries = 0;
  std::uint32_t action_retries = 0;
  Json extra = Json::object();
  bool operator==(const AttemptRecord&) const = default;
};

/// Written and synced before an act that changes the phone is sent.
struct IntentRecord {
  StepKey key;
  std::string intent;  ///< Unique: run/task/attempt/role/step.
  Fence fence = 0;
  DeviceId device;
  std::string page;
  PlannedStep step;
  UtcTime at{};
  Json extra = Json::object();
  bool operator==(const IntentRecord&) const = default;
};

enum class ActStatus : std::uint8_t { unknown, done, failed, refused, in_doubt };
std::string_view name_of(ActStatus status) noexcept;
ActStatus act_status_from(std::string_view name) noexcept;

/// What became of an act.
struct OutcomeRecord {
  StepKey key;
  std::string intent;
  ActStatus status = ActStatus::unknown;
  std::string cause;  ///< Empty when done.
  std::uint32_t tries = 1;
  Duration took{};
  UtcTime at{};
  Json extra = Json::object();
  bool operator==(const OutcomeRecord&) const = default;
};

/// The step as the world model has it, with what was verified; written with the
/// next record of the session, and at its end.
struct StepRecord {
  StepKey key;
  WorldEvent event;
  Json extra = Json::object();
  bool operator==(const StepRecord&) const = default;
};

/// One request to a model and what came of it (row L1).
struct DecisionRecord {
  StepKey key;
  std::uint32_t request = 1;  ///< Which request of the step's ladder.
  std::string rung;           ///< "auto", "forced", "reminder", "structured".
  std::string provider;
  std::string model;
  std::string prompt_hash;  ///< Of the request body, hexadecimal.
  std::uint64_t prompt_bytes = 0;
  std::string system_prompt_hash;  ///< The text stands once per hash in its own record.
  std::string user_prompt;
  std::string tool;
  Json arguments = Json::object();
  std::string rationale;
  std::string thinking;
  std::string purpose;
  std::string expected_outcome;
  Usage usage;
  Duration queued{};      ///< In line for a slot.
  Duration called{};      ///< From the slot to the answer, retries and waits included.
  Duration observed{};    ///< What the look before took.
  Duration screen_age{};  ///< When the slot came.
  std::uint32_t retries = 0;
  std::string error;               ///< Empty when a decision came of it.
  std::vector<std::string> notes;  ///< What was mended, left out or asked for again, a sentence each.
  std::string raw_answer;
  std::string wire_format;  ///< What the raw answer is in, of a WireFormat; empty: not known, or no answer came.
  std::uint32_t http_status = 200;  ///< Of the raw answer.
  bool picture = false;             ///< A picture was sent with the prompt; it is not kept.
  std::string request_id;           ///< The provider's.
  UtcTime at{};
  Json extra = Json::object();
  bool operator==(const DecisionRecord&) const = default;
};

Json encode(const Versions& versions);
void write_json(const Versions& versions, JsonWriter& writer);
Versions decode_versions(const Json& value);
Json encode(const Usage& usage);
void write_json(const Usage& usage, JsonWriter& writer);
Usage decode_usage(const Json& value);

/// A record as one line of JSON with "schema". Cheap: no tree is built.
std::string encode_record(const RunRecord& record);
std::string encode_record(const TaskRecord& record);
std::string encode_record(const AttemptRecord& record);
std::string encode_record(const IntentRecord& record);
std::string encode_record(const OutcomeRecord& record);
std::string encode_record(const StepRecord& record);
std::string encode_record(const DecisionRecord& record);

/// Decoding takes every older version, keeps unknown fields in `extra` and fails
/// (Errc::malformed) only on what is no object or lacks its key. Absent reads as
/// absent. An intent whose tool is unknown gets a Note that names the tool.
Result<RunRecord> decode_run(const Json& value);
Result<TaskRecord> decode_task_record(const Json& value);
Result<AttemptRecord> decode_attempt(const Json& value);
Result<IntentRecord> decode_intent(const Json& value);
Result<OutcomeRecord> decode_outcome(const Json& value);
Result<StepRecord> decode_step(const Json& value);
Result<DecisionRecord> decode_decision(const Json& value);

}  // namespace drover
