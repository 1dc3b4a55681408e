#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/model_service.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

/// A place in a prompt up to which a service can keep it.
struct PromptBlock {
  std::uint64_t prefix = 0;  ///< Hash of everything up to here, the model and the key included.
  std::uint64_t tokens = 0;  ///< Estimated, of everything up to here.
  bool kept = false;         ///< The service keeps the prompt up to here.
};

/// The places of a request's prompt, first to last. Anthropic: the end of each block of tools,
/// system prompt and messages, kept where the block is marked. OpenAI: every 512 bytes,
/// all of them kept. A changed tool choice, thinking or model makes another prompt.
std::vector<PromptBlock> prompt_blocks(const Json& body, WireFormat format, std::string_view key);

/// Holds the marks of a request in the Anthropic format to what the service takes: four, of type
/// ephemeral, for 5m or 1h, none on an empty text. Gives the first refusal.
std::optional<Refusal> check_cache_marks(const Json& body);

/// The prompts that a service has kept, each for a while since it was last used, the same for
/// all of its formats: at least 1024 tokens, and found from a place that is kept by looking
/// back over at most 20. Source: Anthropic's and OpenAI's documentation of prompt caching,
/// November 2026. Thread-safe.
class PromptCache {
 public:
  explicit PromptCache(Duration keep_for, std::size_t most_prompts = 65536)
      : keep_for_(keep_for), most_prompts_(most_prompts) {}

  /// Tokens of the longest beginning that is known.
  std::uint64_t find(const std::vector<PromptBlock>& blocks, TimePoint now);

  /// Keeps what an answered request asks for. Gives the tokens that its kept places come to.
  std::uint64_t keep(const std::vector<PromptBlock>& blocks, TimePoint now);

 private:
  void make_room(TimePoint now);

  const Duration keep_for_;
  const std::size_t most_prompts_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, TimePoint> kept_until_;
};

}  // namespace drover::providers::scripted
