#include "actors/decision_log.hpp"

#include <utility>
#include <variant>

#include "core/random.hpp"
#include "core/text.hpp"
#include "core/typed_secrets.hpp"
#include "providers/model_answer.hpp"

namespace drover::actors {

namespace {

void take_over(DecisionRecord& record, const PlannedStep& planned, const Scene& decided_on) {
  record.tool = std::string(tool_name(planned.action));
  record.arguments = encode_arguments(mask_secret(planned.action, decided_on));
  record.purpose = planned.purpose;
  record.expected_outcome = planned.expected_outcome;
  record.rationale = planned.rationale;
  record.thinking = planned.thinking;
}

void take_over(DecisionRecord& record, const FinishTask& finish, const Scene&) {
  record.tool = "finish_task";
  record.arguments = Json{{"success", finish.success}, {"reason", finish.reason}};
  record.rationale = finish.rationale;
  record.thinking = finish.thinking;
}

}  // namespace

void DecisionLog::begin_turn(std::uint32_t step) {
  key_.step = step;
  number_ = 0;
  notes_written_ = 0;
}

void DecisionLog::ask(std::shared_ptr<const providers::ModelRequest> request, std::shared_ptr<const Observation> seen) {
  request_ = std::move(request);
  seen_ = std::move(seen);
  ++number_;
}

void DecisionLog::take_back() { --number_; }

DecisionRecord DecisionLog::open_record() {
  DecisionRecord record;
  record.key = key_;
  record.request = number_;
  record.rung = std::string(providers::name_of(request_->rung));
  record.user_prompt = request_->user_prompt;
  record.observed = seen_->took;
  record.at = clock_.utc_now();
  if (system_prompt_hash_.empty()) system_prompt_hash_ = hash_name(request_->system_prompt);
  record.system_prompt_hash = system_prompt_hash_;
  return record;
}

const DecisionRecord& DecisionLog::add(CallReport& report) {
  DecisionRecord record = open_record();
  record.rung = std::string(providers::name_of(report.asked));
  record.provider = std::move(report.provider);
  record.model = std::move(report.model);
  record.prompt_hash = std::move(report.prompt_hash);
  record.prompt_bytes = report.prompt_bytes;
  record.raw_answer = std::move(report.raw.body);
  if (const auto bytes = record.raw_answer.size(); bytes > longest_raw_answer_bytes) {
    record.raw_answer = shorten(record.raw_answer, longest_raw_answer_bytes);
    record.notes.push_back("the raw answer of " + std::to_string(bytes) + " bytes is kept up to 1 MiB");
  }
  if (report.raw.status > 0) {
    record.wire_format = std::string(name_of(report.wire_format));
    record.http_status = static_cast<std::uint32_t>(report.raw.status);
  }
  record.picture = report.picture;
  record.retries = report.retries;
  record.queued = report.queued;
  record.called = report.called;
  record.screen_age = report.screen_age;
  if (const auto* answer = std::get_if<providers::ModelAnswer>(&report.answer)) {
    record.usage = answer->usage;
    record.rationale = answer->text_output;
    record.thinking = answer->thinking;
    record.request_id = answer->request_id;
    record.notes.insert(record.notes.end(), answer->notes.begin(), answer->notes.end());
    if (!answer->calls.empty()) {
      record.tool = answer->calls.front().name;
      record.arguments = mask_secret(record.tool, answer->calls.front().arguments, seen_->scene);
    }
  } else {
    const auto& failure = std::get<providers::ProviderFailure>(report.answer);
    record.usage = failure.usage;
    record.error = failure.cause;
    record.request_id = failure.request_id;
  }
  return records_.emplace_back(std::move(record));
}

const DecisionRecord& DecisionLog::served_elsewhere(CallReport& report) {
  const DecisionRecord& record = add(report);
  ++number_;
  return record;
}

const DecisionRecord& DecisionLog::answered(CallReport& report) { return add(report); }

void DecisionLog::concluded(const planner::TurnStep& step, const std::vector<std::string>& notes) {
  DecisionRecord& record = records_.back();
  record.notes.insert(record.notes.end(), notes.begin() + static_cast<std::ptrdiff_t>(notes_written_), notes.end());
  notes_written_ = notes.size();
  if (const auto* decision = std::get_if<Decision>(&step)) {
    std::visit([&](const auto& taken) { take_over(record, taken, seen_->scene); }, *decision);
  } else if (const auto* error = std::get_if<Error>(&step); error != nullptr && record.error.empty()) {
    record.error = error->cause;
  }
}

const DecisionRecord& DecisionLog::unanswered(const SentRequest& sent, std::string_view reason) {
  DecisionRecord record = open_record();
  record.provider = sent.provider;
  record.model = sent.model;
  record.prompt_hash = sent.prompt_hash;
  record.prompt_bytes = sent.prompt_bytes;
  record.retries = sent.retries;
  record.usage = sent.usage;
  record.error = sent.error.empty() ? "stopped before an answer came: " + std::string(reason) : sent.error;
  ++number_;
  return records_.emplace_back(std::move(record));
}

std::vector<storage::JournalEntry> DecisionLog::take_entries() {
  std::vector<storage::JournalEntry> entries;
  if (!records_.empty() && !wrote_system_prompt_ && request_) {
    entries.push_back(storage::system_prompt_entry(system_prompt_hash_, request_->system_prompt));
    wrote_system_prompt_ = true;
  }
  for (const DecisionRecord& record : records_) entries.push_back(storage::entry_of(record));
  records_.clear();
  request_.reset();
  seen_.reset();
  return entries;
}

}  // namespace drover::actors
