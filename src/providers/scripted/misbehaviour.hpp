#pragma once

#include <cstdint>
#include <string_view>

#include "core/clock.hpp"
#include "core/model_faults.hpp"
#include "core/simulation.hpp"
#include "providers/scripted/answering.hpp"
#include "providers/scripted/model_call.hpp"
#include "providers/scripted/prompt.hpp"

namespace drover::providers::scripted {

/// What becomes of an answer on its way.
enum class DeliveryFault : std::uint8_t { none, error_in_200, cut_body, slow_body, closed_keep_alive };

/// "error_in_200", "cut_body", "slow_body", "closed_keep_alive"; empty for none.
std::string_view name_of(DeliveryFault fault) noexcept;

/// What happens to one request apart from its answer.
struct Misbehaviour {
  TransportFault transport = TransportFault::none;
  AnswerFault answer = AnswerFault::none;
  DeliveryFault delivery = DeliveryFault::none;
  Duration latency{};      ///< Before the time scale.
  Duration retry_after{};  ///< For rate_limited, before the time scale.
  double cut_at = 0;       ///< For cut_body: the part of the body that is sent, 0 to 1.
};

/// What the misbehaviour of a request follows from, besides the seed.
struct RequestContent {
  std::uint64_t key = 0;    ///< content_key(), or a hash of a body that can't be read.
  std::uint32_t tries = 1;  ///< How often the same content has come, this time included.
  bool corrects = false;    ///< It asks again for an answer that could not be used.
};

/// A hash of what a request is about: goal, step, history and choice of tools. The
/// screen has no part in it, since it shows the time and the phone's own name.
std::uint64_t content_key(const ModelCall& call, const Prompt& prompt);

/// Draws it from the seed and the content alone, so that neither the order nor the
/// time in which requests arrive makes a difference; but of two tasks that read
/// alike, the one that asks first has the first draw. An identical request that
/// comes again draws anew. One that corrects an answer gets a good answer, so that
/// a bad one is never the end of a task.
Misbehaviour draw_misbehaviour(const ModelServerSettings& settings, const ModelFaultSettings& faults,
                               std::uint64_t seed, const RequestContent& content);

}  // namespace drover::providers::scripted
