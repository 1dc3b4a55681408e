#include "providers/scripted/output_limit.hpp"

#include "core/text.hpp"

namespace drover::providers::scripted {

void settle_output(const ModelCall& call, ModelReply& reply) {
  const auto text = estimate_tokens(reply.text) + estimate_tokens(reply.thinking);
  const auto arguments = reply.tool.empty() ? 0 : estimate_tokens(reply.arguments) + estimate_tokens(reply.tool) + 8;
  reply.output_tokens = text + arguments;
  const auto most = call.max_output_tokens;
  if (call.only_warm || most == 0 || reply.output_tokens <= most) return;
  reply.cut_off = true;
  reply.output_tokens = most;
  if (text >= most) {
    reply.text = shorten(reply.text, static_cast<std::size_t>(most) * 3 + 3);
    reply.tool.clear();
    reply.arguments.clear();
    return;
  }
  const auto kept = reply.arguments.size() * (most - text) / (arguments + 1);
  reply.arguments =
      call.format == WireFormat::anthropic ? std::string{"{}"} : repair_utf8(reply.arguments.substr(0, kept));
}

}  // namespace drover::providers::scripted
