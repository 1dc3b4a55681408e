#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/model_service.hpp"

namespace drover::providers {

struct ModelCapabilities;
struct ModelRequest;

/// Whose limit cut an answer off: tells whether asking for more would give any.
struct AnswerRoom {
  WireFormat format = WireFormat::anthropic;
  std::shared_ptr<const ModelCapabilities> capabilities;  ///< Null: not known.

  /// False where `larger` would get no more output tokens than `request` did, because
  /// the model gives no more.
  [[nodiscard]] bool grows(const ModelRequest& request, const ModelRequest& larger) const;
};

/// The most tokens of an answer, thinking included, that a format asks a model for.
std::uint32_t output_limit(WireFormat format, const ModelRequest& request,
                           const ModelCapabilities& capabilities) noexcept;

inline constexpr std::string_view remedy_for_cut_off = "allow more output tokens (planner.max_output_tokens)";

}  // namespace drover::providers
