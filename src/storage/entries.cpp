#include "storage/journal.hpp"
#include "storage/record_key.hpp"

namespace drover::storage {

JournalEntry entry_of(const RunRecord& record) { return {RecordKind::run, run_key(record.run), encode_record(record)}; }

JournalEntry entry_of(const TaskRecord& record) {
  return {RecordKind::task, task_key(record.run, record.task.id), encode_record(record)};
}

JournalEntry entry_of(const AttemptRecord& record) {
  return {RecordKind::attempt, attempt_key(record.run, record.task, record.attempt), encode_record(record)};
}

JournalEntry entry_of(const IntentRecord& record) {
  return {RecordKind::intent, step_key(record.key), encode_record(record)};
}

JournalEntry entry_of(const OutcomeRecord& record) {
  return {RecordKind::outcome, step_key(record.key), encode_record(record)};
}

JournalEntry entry_of(const StepRecord& record) {
  return {RecordKind::step, step_key(record.key), encode_record(record)};
}

JournalEntry entry_of(const DecisionRecord& record) {
  return {RecordKind::decision, decision_key(record.key, record.request), encode_record(record)};
}

JournalEntry system_prompt_entry(std::string_view hash, std::string_view text) {
  const Json value{{"schema", record_schema}, {"hash", hash}, {"text", text}};
  return {RecordKind::system_prompt, std::string{hash}, dump_json(value)};
}

}  // namespace drover::storage
