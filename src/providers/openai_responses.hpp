#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"
#include "providers/prices.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers::openai_responses {

/// The parts of a body that stay the same from request to request, as JSON.
struct FixedParts {
  std::string instructions;       ///< A JSON text; empty for no system prompt.
  std::string tools;              ///< Empty for no tools.
  std::string structured_schema;  ///< Schema of a call as structured output; empty for no tools.
};

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities);

/// The body of POST /v1/responses for a rung that the model can take. Stateless:
/// one user message, nothing stored, no earlier response referred to. A model that
/// reasons gets room for that beside the room for the answer, since the limit
/// counts both.
std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities);

/// The most tokens of an answer that encode_body asks for, thinking included.
std::uint32_t output_limit(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept;

/// Reads what came back, whatever the status; an answer of HTTP 200 whose status is
/// "failed" is the failure that it names, or one of the server where it names none. `price`: of the model, if known.
DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret);

}  // namespace drover::providers::openai_responses
