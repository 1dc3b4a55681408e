#include "providers/scripted/server_options.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace drover::providers::scripted {

namespace {

constexpr Duration longest_time = std::chrono::hours{24};

bool is_share(double value) { return value >= 0 && value <= 1; }

}  // namespace

Status check(const ModelServerOptions& options) {
  const auto& behaviour = options.behaviour;
  const auto& faults = options.faults;
  const std::pair<std::string_view, double> shares[] = {{"rate_limited_share", behaviour.rate_limited_share},
                                                        {"overloaded_share", behaviour.overloaded_share},
                                                        {"dropped_share", behaviour.dropped_share},
                                                        {"timeout_share", behaviour.timeout_share},
                                                        {"no_tool_call_share", behaviour.no_tool_call_share},
                                                        {"malformed_share", behaviour.malformed_share},
                                                        {"lie_share", behaviour.lie_share},
                                                        {"html_520_share", faults.html_520_share},
                                                        {"error_in_200_share", faults.error_in_200_share},
                                                        {"cut_body_share", faults.cut_body_share},
                                                        {"slow_body_share", faults.slow_body_share},
                                                        {"closed_keep_alive_share", faults.closed_keep_alive_share}};
  double sum = 0;
  for (const auto& [name, value] : shares) {
    if (!is_share(value)) return Error{Errc::invalid_argument, std::string{name} + " must be from 0 to 1", {}};
    if (name != "lie_share") sum += value;
  }
  // A little more for what ten tenths come to.
  if (sum > 1 + 1e-9)
    return Error{Errc::invalid_argument, "the shares of faults add up to more than 1",
                 "one request has one fault; lower them"};
  if (!(options.time_scale >= 0) || options.time_scale > 1e6) {
    return Error{Errc::invalid_argument, "the time scale must be 0 or more", {}};
  }
  if (behaviour.latency < Duration::zero() || behaviour.latency > std::chrono::hours{1} ||
      !(behaviour.latency_spread >= 0) || behaviour.latency_spread > 5) {
    return Error{Errc::invalid_argument, "the latency must be from 0 to 1 hour and its spread from 0 to 5", {}};
  }
  if (faults.slow_body_time < Duration::zero() || faults.slow_body_time > longest_time) {
    return Error{Errc::invalid_argument, "the time of a slow body must be from 0 to 24 hours", {}};
  }
  for (const auto& storm : faults.storms) {
    const bool times = storm.at >= Duration::zero() && storm.at <= longest_time && storm.length >= Duration::zero() &&
                       storm.length <= longest_time && storm.retry_after.value_or(Duration::zero()) >= Duration::zero();
    if (!times || !is_share(storm.share) || storm.answer == TransportFault::none) {
      return Error{Errc::invalid_argument,
                   "a storm needs a begin and a length from 0 to 24 hours, a share from 0 to 1 and an answer",
                   {}};
    }
  }
  if (faults.ramp_limit && !(faults.ramp_limit->growth_percent >= 0)) {
    return Error{Errc::invalid_argument, "the growth of a ramp limit must be 0 or more per cent", {}};
  }
  return Done{};
}

}  // namespace drover::providers::scripted
