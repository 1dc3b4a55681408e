#include <cstddef>
#include <cstdint>
#include <string>

#include "decoded_answer.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto client =
      make_client(WireFormat::anthropic, {"http://127.0.0.1", std::string(fuzz::secret), "claude-opus-4-5"});
  if (size == 0) return 0;
  fuzz::check_decoding(*client, data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
