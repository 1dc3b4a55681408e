#include "providers/scripted/misbehaviour.hpp"

#include <string>

#include "core/random.hpp"

namespace drover::providers::scripted {

std::string_view name_of(DeliveryFault fault) noexcept {
  switch (fault) {
    case DeliveryFault::none:
      return "";
    case DeliveryFault::error_in_200:
      return "error_in_200";
    case DeliveryFault::cut_body:
      return "cut_body";
    case DeliveryFault::slow_body:
      return "slow_body";
    case DeliveryFault::closed_keep_alive:
      return "closed_keep_alive";
  }
  return "";
}

std::uint64_t content_key(const ModelCall& call, const Prompt& prompt) {
  // A line break between the texts, so that no two contents read the same.
  std::string text = prompt.goal + "\n" + prompt.app + "\n" + std::to_string(prompt.step) + "\n" +
                     std::to_string(prompt.earlier_steps) + "\n" + std::to_string(static_cast<int>(call.choice)) +
                     call.named_tool + "\n" + prompt.reminder;
  for (const auto& step : prompt.history) {
    text += "\n" + step.page + "\n" + step.tool + "\n" + step.on + "\n";
    text += step.success ? (*step.success ? "done" : "failed") : "in doubt";
  }
  return stable_hash(text);
}

Misbehaviour draw_misbehaviour(const ModelServerSettings& settings, const ModelFaultSettings& faults,
                               std::uint64_t seed, const RequestContent& content) {
  // Hashed as a text: numbers next to each other must not begin neighbouring streams.
  Random draw{seed, "request/" + std::to_string(content.key) + "/" + std::to_string(content.tries)};
  Misbehaviour result;
  // One draw decides between the kinds, so that their shares add up.
  double place = draw.unit();
  const auto falls_into = [&place](double share) {
    const bool hit = place >= 0 && place < share;
    place -= share;
    return hit;
  };
  if (falls_into(settings.rate_limited_share)) result.transport = TransportFault::rate_limited;
  if (falls_into(settings.overloaded_share)) result.transport = TransportFault::overloaded;
  if (falls_into(settings.dropped_share)) result.transport = TransportFault::dropped;
  if (falls_into(settings.timeout_share)) result.transport = TransportFault::timed_out;
  if (falls_into(settings.no_tool_call_share)) result.answer = AnswerFault::no_tool_call;
  if (falls_into(settings.malformed_share)) result.answer = AnswerFault::malformed;
  // Behind the others, so that a run of theirs stays what it was for its seed.
  if (falls_into(faults.html_520_share)) result.transport = TransportFault::html_520;
  if (falls_into(faults.error_in_200_share)) result.delivery = DeliveryFault::error_in_200;
  if (falls_into(faults.cut_body_share)) result.delivery = DeliveryFault::cut_body;
  if (falls_into(faults.slow_body_share)) result.delivery = DeliveryFault::slow_body;
  if (falls_into(faults.closed_keep_alive_share)) result.delivery = DeliveryFault::closed_keep_alive;
  if (content.corrects) result.answer = AnswerFault::none;
  if (settings.latency > Duration::zero()) result.latency = draw.log_normal(settings.latency, settings.latency_spread);
  result.retry_after = draw.between(std::chrono::seconds{1}, std::chrono::seconds{4});
  result.cut_at = draw.unit();
  return result;
}

}  // namespace drover::providers::scripted
