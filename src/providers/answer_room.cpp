#include "providers/answer_room.hpp"

#include "providers/anthropic_messages.hpp"
#include "providers/openai_chat.hpp"
#include "providers/openai_responses.hpp"
#include "providers/rungs.hpp"

namespace drover::providers {

bool AnswerRoom::grows(const ModelRequest& request, const ModelRequest& larger) const {
  return !capabilities || output_limit(format, larger, *capabilities) > output_limit(format, request, *capabilities);
}

std::uint32_t output_limit(WireFormat format, const ModelRequest& request,
                           const ModelCapabilities& capabilities) noexcept {
  const Rung rung = possible_rung(request.rung, capabilities);
  switch (format) {
    case WireFormat::anthropic:
      return anthropic::output_limit(request, rung, capabilities);
    case WireFormat::openai_chat:
      return openai_chat::output_limit(request, rung, capabilities);
    case WireFormat::openai_responses:
      return openai_responses::output_limit(request, rung, capabilities);
  }
  return capabilities.max_output_tokens;
}

}  // namespace drover::providers
