#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner/planner.hpp"
#include "planner/tool_call_reading.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::planner {

/// One turn of the planner that asks a model: the ladder of row C3.
///
///     automatic ──no call──► forced, or reminder where nothing can be forced
///               ──no call──► structured, where supported
///               ──no call──► a call written as text in any of the answers
///               ──none─────► Error: "ToolCallUnavailable: no tool call", or that
///                            the output limit cut every answer off
///
/// Beside it, once per turn each: an answer that was cut off before its call was
/// whole is asked for again with more room, unless the model gives no more, which ends
/// the turn; a call that can't be used (unknown tool, wrong arguments, no purpose) is
/// asked for again with what was wrong. Every request is a fresh one with the same
/// prompts, never an appended turn. Thinking is asked for on the first rung alone. A failure of the provider side, a
/// refusal and a filtered answer end the turn (rows C7, P6); nothing is retried here (row P7).
class DecisionTurn final : public Turn {
 public:
  /// `request` is the first rung's, prompts and tools filled in.
  DecisionTurn(std::shared_ptr<const providers::ModelRequest> request, Ground ground);

  TurnStep start() override;
  TurnStep next(const TurnAnswer& answer) override;
  /// Asks the open request again about a newer screen: `first_rung` has its prompts
  /// and picture, the rung, the reminder and the room for the answer stay.
  TurnStep look_again(const providers::ModelRequest& first_rung, Ground ground);
  [[nodiscard]] const std::vector<std::string>& notes() const noexcept override { return notes_; }

 private:
  TurnStep after_failure(const providers::ProviderFailure& failure);
  TurnStep after_call(const providers::ToolCall& call, const providers::ModelAnswer& answer);
  TurnStep after_no_call(bool structured_output_supported);
  TurnStep rescue_from_texts();
  TurnStep ask(providers::Rung rung, std::string reminder);
  void count(bool cut_off);
  [[nodiscard]] providers::ModelRequest larger_request() const;
  bool may_get_more_room(const providers::AnswerRoom& room);
  TurnStep ask_with_more_room();
  [[nodiscard]] Error without_call() const;
  TurnStep ask_for_correction(std::string what_was_wrong);

  std::shared_ptr<const providers::ModelRequest> request_;  ///< The last one asked for.
  Ground ground_;
  providers::Rung highest_ = providers::Rung::automatic;
  bool had_more_room_ = false;
  bool bounded_ = false;  ///< An answer was cut off at the most that its model gives.
  std::size_t answers_ = 0;
  bool all_cut_off_ = false;
  std::string what_was_wrong_;                 ///< Not empty once a correction was asked for.
  std::vector<providers::ModelAnswer> texts_;  ///< Answers without a call that said something, oldest first.
  std::vector<std::string> notes_;
};

}  // namespace drover::planner
