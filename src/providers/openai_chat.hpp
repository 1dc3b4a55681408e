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

namespace drover::providers::openai_chat {

/// The parts of a body that stay the same from request to request, as JSON.
struct FixedParts {
  std::string system_message;     ///< One message, role system or developer; empty for no system prompt.
  std::string tools;              ///< Empty for no tools.
  std::string structured_schema;  ///< Schema of a call as structured output; empty for no tools.
};

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities);

/// The body of POST /v1/chat/completions for a rung that the model can take.
std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities);

/// The most tokens of an answer that encode_body asks for, thinking included.
std::uint32_t output_limit(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept;

/// Reads what came back, whatever the status, from OpenAI and from servers that
/// speak its format. `price`: of the model, if known.
DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret);

}  // namespace drover::providers::openai_chat
