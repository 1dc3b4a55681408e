#include "providers/scripted/misbehaviour.hpp"

#include <string>

#include "core/random.hpp"

namespace drover::providers::scripted {

std::string_view name_of(TransportFault fault) noexcept {
  switch (fault) {
    case TransportFault::none:
      return "";
    case TransportFault::rate_limited:
      return "rate_limited";
    case TransportFault::overloaded:
      return "overloaded";
    case TransportFault::dropped:
      return "dropped";
    case TransportFault::timed_out:
      return "timed_out";
  }
  return "";
}

Misbehaviour draw_misbehaviour(const ModelServerSettings& settings, std::uint64_t seed, std::uint64_t request_number) {
  Random draw{stable_hash("request", seed) + request_number * 0x9E3779B97F4A7C15ULL};
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
  if (settings.latency > Duration::zero()) result.latency = draw.log_normal(settings.latency, settings.latency_spread);
  result.retry_after = draw.between(std::chrono::seconds{1}, std::chrono::seconds{4});
  return result;
}

}  // namespace drover::providers::scripted
