#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/clock.hpp"
#include "core/model_service.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::actors {

/// An answer as it came, but for the key that was cut out of it.
struct RawAnswer {
  int status = 0;  ///< HTTP; 0: no answer came.
  std::string body;
};

/// What came of one request to a model, as the provider actor reports it.
struct CallReport {
  std::variant<providers::ModelAnswer, providers::ProviderFailure> answer;
  providers::Rung asked = providers::Rung::automatic;  ///< What the model really got.
  bool structured_output_supported = false;
  std::string provider;
  std::string model;
  std::string prompt_hash;
  std::uint64_t prompt_bytes = 0;
  RawAnswer raw;
  WireFormat wire_format = WireFormat::anthropic;  ///< In which it was asked.
  bool picture = false;                            ///< One was sent.
  std::uint32_t retries = 0;
  std::uint64_t sent = 0;  ///< Of OpenCall, what it is about; 0: none that was sent.
  Duration queued{};       ///< In line for a slot.
  Duration called{};       ///< From the slot to the answer, retries and waits included.
  Duration screen_age{};   ///< When the slot came.
};

}  // namespace drover::actors
