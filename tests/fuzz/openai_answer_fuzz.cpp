#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "fuzz_input.hpp"
#include "providers/rate_limit_headers.hpp"
#include "providers/text_rescue.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;

namespace {

constexpr int statuses[] = {200, 200, 200, 200, 400, 401, 429, 500, 503, 302};

const ToolSet& tools() {
  static const ToolSet set{
      "1", {{"tap", "Taps.", Json::parse(R"({"type":"object","properties":{"element":{"type":"integer"}}})")}}};
  return set;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto client =
      make_client(WireFormat::openai_chat, {"http://127.0.0.1", "secret-of-the-fuzzer", "gpt-4.1"});
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
  net::HttpResponse response;
  response.status = statuses[data[0] % std::size(statuses)];
  response.headers = {{"date", "Mon, 30 Nov 2026 12:00:00 GMT"}};
  response.body = text;
  const auto decoded = client->decode(response);
  if (const auto* const failure = std::get_if<ProviderFailure>(&decoded)) {
    const bool one_line = failure->cause.find('\n') == std::string::npos;
    const bool safe = failure->cause.find("secret-of-the-fuzzer") == std::string::npos;
    if (!one_line || !safe || failure->cause.empty() || failure->cause.size() > 400) __builtin_trap();
    if (failure->retry_after && *failure->retry_after < Duration::zero()) __builtin_trap();
  } else {
    const auto& answer = std::get<ModelAnswer>(decoded);
    for (const auto& call : answer.calls) {
      if (!call.arguments.is_object() || call.name.empty() || call.id.empty()) __builtin_trap();
    }
    if (!is_valid_utf8(answer.text_output) || !is_valid_utf8(answer.thinking)) __builtin_trap();
  }
  return 0;
}
