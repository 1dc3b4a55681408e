#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/clock.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::actors {

/// What came of one request to a model, as the provider actor reports it.
struct CallReport {
  std::variant<providers::ModelAnswer, providers::ProviderFailure> answer;
  providers::Rung asked = providers::Rung::automatic;  ///< What the model really got.
  bool structured_output_supported = false;
  std::string provider;
  std::string model;
  std::string prompt_hash;
  std::uint64_t prompt_bytes = 0;
  std::string raw_answer;
  std::uint32_t retries = 0;
  Duration queued{};      ///< In line for a slot.
  Duration called{};      ///< From the slot to the answer, retries and waits included.
  Duration screen_age{};  ///< When the slot came.
};

}  // namespace drover::actors
