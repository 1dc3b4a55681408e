#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;

namespace {

/// The first byte picks the status, so that answers and errors are both
/// reached.
constexpr int statuses[] = {200, 200, 200, 200, 400, 401, 429, 500, 529, 302};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto client =
      make_client(WireFormat::anthropic, {"http://127.0.0.1", "secret-of-the-fuzzer", "claude-opus-4-5"});
  if (size == 0) return 0;
  net::HttpResponse response;
  response.status = statuses[data[0] % std::size(statuses)];
  response.body.assign(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto decoded = client->decode(response);
  if (const auto* const failure = std::get_if<ProviderFailure>(&decoded)) {
    const bool one_line = failure->cause.find('\n') == std::string::npos;
    const bool safe = failure->cause.find("secret-of-the-fuzzer") == std::string::npos;
    if (!one_line || !safe || failure->cause.empty() || failure->cause.size() > 400) __builtin_trap();
  } else {
    for (const auto& call : std::get<ModelAnswer>(decoded).calls) {
      if (!call.arguments.is_object() || call.name.empty() || call.id.empty()) __builtin_trap();
    }
  }
  return 0;
}
