#include "planner/decision_turn.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "planner/tool_specifications.hpp"
#include "providers/text_rescue.hpp"

namespace drover::planner {

namespace {

using providers::FailureKind;
using providers::ModelAnswer;
using providers::ModelRequest;
using providers::ProviderFailure;
using providers::Rung;
using providers::StopReason;
using providers::ToolCall;

constexpr std::string_view error_type = "ToolCallUnavailable: ";
constexpr std::uint32_t more_room = 4;
constexpr std::size_t longest_quoted_text = 200;
constexpr std::string_view remedy_for_bound = "ask a model that gives longer answers, or let this one think less";

Error unavailable(Errc code, std::string_view cause, std::string remedy = {}) {
  return {code, std::string{error_type}.append(cause), std::move(remedy)};
}

Error unavailable(std::string_view cause) { return unavailable(Errc::tool_call_unavailable, cause); }

std::string names_of(const providers::ToolSet& tools) {
  std::string names;
  for (const auto& tool : tools.tools) {
    if (!names.empty()) names += ", ";
    names += tool.name;
  }
  return names;
}

std::string no_call_reminder(const providers::ToolSet& tools) {
  return "Answer with exactly one tool call, not with text alone. The tools are " + names_of(tools) + ".";
}

std::string correction(std::string_view what_was_wrong) {
  return "Your last answer for this screen could not be used: " + std::string{what_was_wrong} +
         ". Answer again with exactly one tool call that puts this right.";
}

Errc code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::rate_limited:
    case FailureKind::overloaded:
    case FailureKind::server:
    case FailureKind::network:
    case FailureKind::authentication:
    case FailureKind::not_served:
    case FailureKind::quota:
    case FailureKind::timeout:
      return Errc::provider_unavailable;
    case FailureKind::budget:
      return Errc::budget_exhausted;
    case FailureKind::cancelled:
      return Errc::cancelled;
    case FailureKind::bad_request:
    case FailureKind::unreadable:
    case FailureKind::refused:
      return Errc::tool_call_unavailable;
  }
  return Errc::tool_call_unavailable;
}

std::string cause_of(const ProviderFailure& failure) {
  return failure.cause.empty() ? std::string{name_of(failure.kind)} : failure.cause;
}

bool refuses_forced_choice(const ProviderFailure& failure, const ModelRequest& request) {
  return request.rung == Rung::forced && failure.kind == FailureKind::bad_request &&
         failure.refused_field.find("tool_choice") != std::string::npos;
}

std::optional<Error> terminal(const ModelAnswer& answer) {
  const auto said = shorten(tidy_label(answer.text_output), longest_quoted_text);
  const auto tail = said.empty() ? std::string{} : ": " + said;
  if (answer.stop == StopReason::refusal) return unavailable("the model refused to answer" + tail);
  if (answer.stop == StopReason::content_filter) return unavailable("a content filter stopped the answer" + tail);
  return std::nullopt;
}

Decision with_words_of(Decision decision, const ModelAnswer& answer) {
  std::visit(
      [&](auto& one) {
        one.rationale = answer.text_output;
        one.thinking = answer.thinking;
      },
      decision);
  return decision;
}

std::string left_out(const std::vector<ToolCall>& calls) {
  std::string names;
  for (auto call = calls.begin() + 1; call != calls.end(); ++call) {
    if (!names.empty()) names += ", ";
    names += shorten(call->name, 60);
  }
  return "the first of " + std::to_string(calls.size()) + " calls was taken; left out: " + names;
}

}  // namespace

DecisionTurn::DecisionTurn(std::shared_ptr<const ModelRequest> request, Ground ground)
    : request_(std::move(request)), ground_(ground) {}

TurnStep DecisionTurn::start() { return request_; }

TurnStep DecisionTurn::next(const TurnAnswer& answer) {
  highest_ = std::max({highest_, request_->rung, answer.asked});
  if (const auto* failure = std::get_if<ProviderFailure>(&answer.answer)) {
    if (failure->kind == FailureKind::unreadable) count(failure->cut_off);
    if (request_->rung == Rung::structured && failure->kind == FailureKind::bad_request) return rescue_from_texts();
    return after_failure(*failure);
  }
  const auto& model_answer = std::get<ModelAnswer>(answer.answer);
  if (auto error = terminal(model_answer)) return *std::move(error);
  const bool cut_off = model_answer.calls.empty() && model_answer.stop == StopReason::length;
  count(cut_off);
  if (model_answer.calls.empty()) {
    if (cut_off && may_get_more_room(model_answer.room)) return ask_with_more_room();
    if (!model_answer.text_output.empty()) texts_.push_back(model_answer);
    return bounded_ ? rescue_from_texts() : after_no_call(answer.structured_output_supported);
  }
  if (model_answer.calls.size() > 1) notes_.push_back(left_out(model_answer.calls));
  return after_call(model_answer.calls.front(), model_answer);
}

TurnStep DecisionTurn::look_again(const ModelRequest& first_rung, Ground ground) {
  auto request = std::make_shared<ModelRequest>(*request_);
  request->user_prompt = first_rung.user_prompt;
  request->stable_bytes = first_rung.stable_bytes;
  request->screenshot = first_rung.screenshot;
  request_ = std::move(request);
  ground_ = ground;
  texts_.clear();
  return request_;
}

TurnStep DecisionTurn::after_failure(const ProviderFailure& failure) {
  if (failure.kind == FailureKind::unreadable && failure.cut_off) {
    if (may_get_more_room(failure.room)) return ask_with_more_room();
    if (bounded_) return unavailable(code_of(failure.kind), cause_of(failure), std::string{remedy_for_bound});
  }
  if (failure.kind == FailureKind::unreadable && !failure.cut_off && what_was_wrong_.empty())
    return ask_for_correction(cause_of(failure));
  if (refuses_forced_choice(failure, *request_)) {
    notes_.emplace_back("the model takes no forced choice; it got a reminder");
    return ask(Rung::reminder, no_call_reminder(*request_->tools));
  }
  if (failure.kind == FailureKind::budget) {
    return Error{Errc::budget_exhausted, failure.cause, "a larger budget stands under budgets in the configuration"};
  }
  return unavailable(code_of(failure.kind), cause_of(failure), failure.remedy);
}

TurnStep DecisionTurn::after_call(const ToolCall& call, const ModelAnswer& answer) {
  auto decision = read_tool_call(call, *request_->tools, ground_, notes_);
  if (decision) return with_words_of(*std::move(decision), answer);
  return ask_for_correction(decision.error().cause);
}

TurnStep DecisionTurn::after_no_call(bool structured_output_supported) {
  if (!what_was_wrong_.empty()) return rescue_from_texts();
  if (highest_ == Rung::automatic) return ask(Rung::forced, no_call_reminder(*request_->tools));
  if (highest_ != Rung::structured && structured_output_supported)
    return ask(Rung::structured, no_call_reminder(*request_->tools));
  return rescue_from_texts();
}

TurnStep DecisionTurn::rescue_from_texts() {
  for (auto text = texts_.rbegin(); text != texts_.rend(); ++text) {
    auto rescued = providers::rescue_call_from_text(text->text_output, *request_->tools);
    if (!rescued) continue;
    notes_.push_back("a call written as text was taken: " + rescued->form);
    text->text_output = std::move(rescued->text_before);
    const auto answer = std::move(*text);
    texts_.clear();
    return after_call(rescued->call, answer);
  }
  return without_call();
}

Error DecisionTurn::without_call() const {
  if (!what_was_wrong_.empty()) return unavailable(what_was_wrong_);
  if (!all_cut_off_ && !bounded_) return unavailable("no tool call");
  return unavailable(Errc::tool_call_unavailable,
                     all_cut_off_ ? "every answer was cut off by the output limit before it made a call"
                                  : "the last answer was cut off by the output limit before it made a call",
                     std::string{bounded_ ? remedy_for_bound : providers::remedy_for_cut_off});
}

TurnStep DecisionTurn::ask(Rung rung, std::string reminder) {
  auto request = std::make_shared<ModelRequest>(*request_);
  request->rung = rung;
  request->reminder = std::move(reminder);
  request->thinking_budget_tokens.reset();
  request_ = request;
  return request_;
}

void DecisionTurn::count(bool cut_off) {
  all_cut_off_ = cut_off && (answers_ == 0 || all_cut_off_);
  ++answers_;
}

ModelRequest DecisionTurn::larger_request() const {
  ModelRequest request = *request_;
  request.max_output_tokens *= more_room;
  return request;
}

bool DecisionTurn::may_get_more_room(const providers::AnswerRoom& room) {
  if (had_more_room_) return false;
  bounded_ = !room.grows(*request_, larger_request());
  return !bounded_;
}

TurnStep DecisionTurn::ask_with_more_room() {
  had_more_room_ = true;
  auto request = std::make_shared<ModelRequest>(larger_request());
  notes_.push_back("an answer cut off at " + std::to_string(request_->max_output_tokens) +
                   " tokens was asked for again");
  request_ = request;
  return request_;
}

TurnStep DecisionTurn::ask_for_correction(std::string what_was_wrong) {
  if (!what_was_wrong_.empty()) return unavailable(what_was_wrong);
  what_was_wrong_ = std::move(what_was_wrong);
  notes_.push_back("asked for a correction: " + what_was_wrong_);
  return ask(Rung::reminder, correction(what_was_wrong_));
}

}  // namespace drover::planner
