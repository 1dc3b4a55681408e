#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json.hpp"
#include "core/model_service.hpp"

namespace drover::providers::scripted {

/// A tool that a request offers. The schema points into the request's body.
struct OfferedTool {
  std::string name;
  const Json* schema = nullptr;  ///< Null where the request gives none.
};

enum class ToolChoice : std::uint8_t { none, automatic, any, named };

/// What one message of the conversation said.
struct ConversationTurn {
  bool assistant = false;
  std::string text;                                 ///< Of a user: all its texts. Of a tool: its result.
  std::vector<std::pair<std::string, Json>> calls;  ///< Of an assistant: names and arguments.
  bool failed = false;                              ///< Of a tool: its result is marked as an error.
};

/// A checked request in terms of no format.
struct ModelCall {
  WireFormat format = WireFormat::anthropic;
  std::string model;
  std::vector<ConversationTurn> turns;  ///< System messages left out.
  std::vector<OfferedTool> tools;
  ToolChoice choice = ToolChoice::automatic;
  std::string named_tool;
  const Json* structured_schema = nullptr;  ///< The answer is to be JSON of this schema.
  bool stream = false;
  bool stream_usage = false;             ///< OpenAI: a last chunk with the usage is asked for.
  bool show_thinking = false;            ///< A summary of the thinking is asked for.
  bool only_warm = false;                ///< max_tokens 0: no answer is wanted.
  std::uint64_t max_output_tokens = 0;   ///< 0: as many as the model gives.
  std::uint64_t input_tokens = 0;        ///< Estimated.
  std::uint64_t cached_tokens = 0;       ///< Of the input: read from the prompt cache.
  std::uint64_t cache_write_tokens = 0;  ///< Of the input: newly kept there.
};

/// Why a request is not served, in terms of no format.
struct Refusal {
  int status = 400;
  std::string type = "invalid_request_error";
  std::string message;
  std::string param;  ///< OpenAI: the field to blame; empty: null.
  std::string code;   ///< OpenAI: code, Anthropic: details.error_code; empty: none.
};

using CheckedCall = std::variant<ModelCall, Refusal>;

/// The kinds of answer content that the formats render.
struct ModelReply {
  std::string text;                 ///< Before the call; may be empty.
  std::string tool;                 ///< Empty: no call.
  std::string arguments;            ///< As JSON text; malformed on purpose at times.
  std::string thinking;             ///< Shown where asked for.
  bool cut_off = false;             ///< The output limit ended the answer.
  std::uint64_t output_tokens = 0;  ///< Estimated.
};

// Checks that both formats make alike.

/// Whether a tool's name has 1 to `longest` letters, digits, `_` or `-`.
bool is_tool_name(std::string_view name, std::size_t longest) noexcept;

/// "a, b and c" of the first members of an object that are not in the space-separated list; empty: none.
std::string unknown_members(const Json& object, std::string_view known);

}  // namespace drover::providers::scripted
