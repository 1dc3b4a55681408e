#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/http_message.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"
#include "providers/prices.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers::anthropic {

/// The version of the format that is asked for unless the configuration says otherwise.
inline constexpr std::string_view newest_version = "2026-10-21";

/// Needed only where thinking is asked for with a budget.
inline constexpr std::string_view interleaved_thinking = "interleaved-thinking-2025-05-14";

/// The parts of a body that stay the same from request to request, as JSON.
struct FixedParts {
  std::string
      system;  ///< Array of one text block, with a cache mark where the model takes any; empty for no system prompt.
  std::string tools;              ///< Array, the last tool with such a mark; empty for no tools.
  std::string structured_schema;  ///< Schema of a call as structured output; empty for no tools.
};

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities);

/// The body of POST /v1/messages for a rung that the model can take. Stateless:
/// one user message, no replay of earlier turns.
std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities);

/// Whether encode_body puts a thinking budget into the body, which needs the
/// interleaved-thinking header.
bool asks_for_budget(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept;

/// The most tokens of an answer that encode_body asks for: of a model that thinks the budget
/// beside the room for the answer, since the limit counts both.
std::uint32_t output_limit(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept;

/// Reads what came back, whatever the status. `price`: of the model, if known.
DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret);

}  // namespace drover::providers::anthropic
