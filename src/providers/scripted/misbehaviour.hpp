#pragma once

#include <cstdint>
#include <string_view>

#include "core/clock.hpp"
#include "core/simulation.hpp"
#include "providers/scripted/answering.hpp"

namespace drover::providers::scripted {

enum class TransportFault : std::uint8_t { none, rate_limited, overloaded, dropped, timed_out };

/// "rate_limited", "overloaded", "dropped", "timed_out"; empty for none.
std::string_view name_of(TransportFault fault) noexcept;

/// What happens to one request apart from its answer.
struct Misbehaviour {
  TransportFault transport = TransportFault::none;
  AnswerFault answer = AnswerFault::none;
  Duration latency{};      ///< Before the time scale.
  Duration retry_after{};  ///< For rate_limited, before the time scale.
};

/// Draws it from the seed and the request's number alone: the same seed gives the
/// same sequence, whatever the requests are and how long they take.
Misbehaviour draw_misbehaviour(const ModelServerSettings& settings, std::uint64_t seed, std::uint64_t request_number);

}  // namespace drover::providers::scripted
