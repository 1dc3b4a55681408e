#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "decoded_answer.hpp"
#include "fuzz_input.hpp"
#include "providers/rate_limit_headers.hpp"
#include "providers/text_rescue.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;

namespace {

const ToolSet& tools() {
  static const ToolSet set{
      "1", {{"tap", "Taps.", Json::parse(R"({"type":"object","properties":{"element":{"type":"integer"}}})")}}};
  return set;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto client =
      make_client(WireFormat::openai_chat, {"http://127.0.0.1", std::string(fuzz::secret), "gpt-4.1"});
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] >= 192) {
    const auto state = parse_rate_limits(fuzz::headers_in(text), UtcTime{std::chrono::seconds{1'800'000'000}});
    for (const auto* const limit :
         {&state.requests, &state.tokens, &state.input_tokens, &state.output_tokens, &state.window}) {
      if (limit->reset && *limit->reset < Duration::zero()) __builtin_trap();
    }
    return 0;
  }
  if (data[0] >= 160) {
    const auto call = rescue_call_from_text(text, tools());
    if (call && (call->call.name != "tap" || !call->call.arguments.is_object())) __builtin_trap();
    return 0;
  }
  fuzz::check_decoding(*client, data[0], text);
  return 0;
}
