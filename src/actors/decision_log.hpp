#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actors/call_report.hpp"
#include "actors/open_call.hpp"
#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/records.hpp"
#include "planner/planner.hpp"
#include "providers/model_request.hpp"
#include "storage/journal.hpp"

namespace drover::actors {

/// Of a raw answer that is longer only the beginning is kept, with "…" behind it.
inline constexpr std::size_t longest_raw_answer_bytes = 1u << 20;

/// The decision records of one session: one for each request
/// that was made, also for those that failed, moved to another provider or were
/// cut off. Holds those of the present turn until they are taken for the journal.
class DecisionLog {
 public:
  /// `key`'s step is not looked at.
  DecisionLog(StepKey key, const Clock& clock) : key_(std::move(key)), clock_(clock) {}

  /// A turn begins that decides on this step, counted from 1.
  void begin_turn(std::uint32_t step);

  /// A request is made, on a screen that stays until the records are taken: it says
  /// which texts are masked (row L3).
  void ask(std::shared_ptr<const providers::ModelRequest> request, std::shared_ptr<const Observation> seen);

  /// The open request has not been sent: its number is given again.
  void take_back();

  /// Another provider serves the open request now. Returns its record.
  const DecisionRecord& served_elsewhere(CallReport& report);

  /// The open request's report. Strings are taken out of it, the answer is left.
  const DecisionRecord& answered(CallReport& report);

  /// What the turn made of the last answer, and all its notes so far.
  void concluded(const planner::TurnStep& step, const std::vector<std::string>& notes);

  /// The open request was sent and failed without a report, or is cut off: what it is
  /// thought to have spent counts. What is asked next has another number. One that only
  /// stood in line has no record.
  const DecisionRecord& unanswered(const SentRequest& sent, std::string_view reason);

  /// The records that were not taken yet, before the first of them the text of the
  /// system prompt. The open request is closed.
  [[nodiscard]] std::vector<storage::JournalEntry> take_entries();

 private:
  [[nodiscard]] DecisionRecord open_record();
  const DecisionRecord& add(CallReport& report);

  StepKey key_;
  const Clock& clock_;
  std::shared_ptr<const providers::ModelRequest> request_;
  std::shared_ptr<const Observation> seen_;
  std::uint32_t number_ = 0;       ///< Of the open request within the turn.
  std::size_t notes_written_ = 0;  ///< Of the turn's notes.
  std::vector<DecisionRecord> records_;
  std::string system_prompt_hash_;
  bool wrote_system_prompt_ = false;
};

}  // namespace drover::actors
