#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace drover {

/// Seeded behaviour of the built-in model server. Shares are 0 to 1 and of
/// requests unless said otherwise.
struct ModelServerSettings {
  Duration latency = std::chrono::milliseconds{400};  ///< Median thinking time, before the time scale.
  double latency_spread = 0.35;                       ///< Standard deviation of its logarithm.
  double rate_limited_share = 0;                      ///< 429 with retry-after.
  double overloaded_share = 0;                        ///< 529.
  double dropped_share = 0;                           ///< Connection closed without an answer.
  double timeout_share = 0;                           ///< Never answers.
  double no_tool_call_share = 0;                      ///< Text without a call where none is forced.
  double malformed_share = 0;                         ///< Arguments that lack a field or are no JSON.
  double lie_share = 0;                               ///< Of goals: success is claimed at once.
  std::vector<std::string> lie_about;                 ///< Goals that contain one of these are lied about, too.
  std::uint32_t requests_per_minute = 0;              ///< Enforced by a real bucket; 0: no limit.
  bool operator==(const ModelServerSettings&) const = default;
};

/// Seeded faults of simulated phones. Shares are of the operations they can happen to.
struct PhoneFaultSettings {
  double null_root = 0;           ///< A dump finds no root node.
  double dump_failure = 0;        ///< A dump fails, is cut short or comes glued to a message.
  double swallowed_tap = 0;       ///< A tap that does nothing.
  double disconnect = 0;          ///< The phone goes away and comes back within seconds.
  double popup = 0;               ///< A dialog puts itself in the way.
  std::vector<std::string> lost;  ///< Phones that go away for good: `phone-07@12` at its 12th operation.
  bool operator==(const PhoneFaultSettings&) const = default;
};

/// How long simulated phones take for what they do.
enum class LatencyProfile : std::uint8_t { none, quick, typical, slow };

/// The id of a simulated phone: `phone-07` of 24, `phone-007` of 100. Numbers begin at 1.
std::string simulated_phone_name(std::uint32_t number, std::uint32_t count);
/// The id of the phone that somebody calls `phone-7` or `phone-007`, among `count`.
std::optional<std::string> find_simulated_phone(std::string_view name, std::uint32_t count);

/// Reads `phone-07@12` (or `phone-07`: at its first operation). Nothing when the
/// number is not one from 1.
struct LostPhone {
  std::string id;
  std::uint64_t operation = 1;
};
std::optional<LostPhone> parse_lost_phone(std::string_view text);

}  // namespace drover
