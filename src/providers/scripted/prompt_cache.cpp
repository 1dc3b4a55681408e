#include "providers/scripted/prompt_cache.hpp"

#include <algorithm>
#include <string>

#include "core/random.hpp"
#include "core/text.hpp"
#include "providers/scripted/messages_refusal.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::uint64_t least_tokens = 1024;
constexpr std::size_t most_places_back = 20;
constexpr std::size_t most_marks = 4;
constexpr std::size_t piece_bytes = 512;
constexpr std::uint64_t tokens_of_an_image = 1600;

class BlockList {
 public:
  explicit BlockList(std::uint64_t start) : prefix_(start) {}

  /// Adds to the prompt without ending a block there.
  void add(std::string_view text) { prefix_ = stable_hash(text, prefix_); }

  void end_block(std::string_view text, std::uint64_t tokens, bool kept) {
    add(text);
    tokens_ += tokens;
    blocks_.push_back({prefix_, tokens_, kept});
  }

  std::vector<PromptBlock> take() { return std::move(blocks_); }

 private:
  std::uint64_t prefix_;
  std::uint64_t tokens_ = 0;
  std::vector<PromptBlock> blocks_;
};

bool is_marked(const Json& block) { return member(block, "cache_control").is_object(); }

void add_block(const Json& block, BlockList& blocks) {
  if (text_or(block, "type") == "text" && member(block, "text").is_string()) {
    const auto& text = block["text"].get_ref<const std::string&>();
    return blocks.end_block(text, estimate_tokens(text), is_marked(block));
  }
  const bool image = text_or(block, "type") == "image";
  Json bare = block;
  if (bare.is_object()) bare.erase("cache_control");
  const auto text = dump_json(bare);
  blocks.end_block(text, image ? tokens_of_an_image : text.size() / 4, is_marked(block));
}

/// A text, or each part of a list.
void add_content(const Json& content, BlockList& blocks) {
  if (content.is_string()) {
    const auto& text = content.get_ref<const std::string&>();
    return blocks.end_block(text, estimate_tokens(text), false);
  }
  if (!content.is_array()) return;
  for (const auto& block : content) add_block(block, blocks);
}

std::vector<PromptBlock> messages_blocks(const Json& body, BlockList blocks) {
  for (const auto& tool : member(body, "tools")) add_block(tool, blocks);
  add_content(member(body, "system"), blocks);
  for (const auto* const setting : {"tool_choice", "thinking"}) blocks.add(dump_json(member(body, setting)));
  for (const auto& message : member(body, "messages")) {
    blocks.add(text_or(message, "role"));
    add_content(member(message, "content"), blocks);
  }
  return blocks.take();
}

std::vector<PromptBlock> piecewise_blocks(const Json& body, BlockList blocks) {
  std::string prompt;
  for (const auto* const part : {"tools", "instructions", "messages", "input"}) {
    if (body.contains(part)) prompt += dump_json(body[part]);
  }
  for (std::string_view rest = prompt; rest.size() >= piece_bytes; rest.remove_prefix(piece_bytes)) {
    const auto piece = rest.substr(0, piece_bytes);
    blocks.end_block(piece, estimate_tokens(piece), true);
  }
  return blocks.take();
}

std::optional<Refusal> check_mark(const Json& block, const std::string& place, std::size_t& marks) {
  const Json& mark = member(block, "cache_control");
  if (mark.is_null()) return std::nullopt;
  if (text_or(mark, "type") != "ephemeral") return refuse(place + ".cache_control.type: Input should be 'ephemeral'");
  const auto kept = text_or(mark, "ttl", "5m");
  if (kept != "5m" && kept != "1h") return refuse(place + ".cache_control.ttl: Input should be '5m' or '1h'");
  if (text_or(block, "type") == "text" && text_or(block, "text").empty()) {
    return refuse(place + ": cache_control cannot be set for empty text blocks");
  }
  ++marks;
  return std::nullopt;
}

std::optional<Refusal> check_marks_in(const Json& blocks, const std::string& place, std::size_t& marks) {
  if (!blocks.is_array()) return std::nullopt;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (auto refusal = check_mark(blocks[i], item_path(place, i), marks)) return refusal;
  }
  return std::nullopt;
}

}  // namespace

std::vector<PromptBlock> prompt_blocks(const Json& body, WireFormat format, std::string_view key) {
  BlockList blocks(stable_hash(key, stable_hash(text_or(body, "model"))));
  return format == WireFormat::anthropic ? messages_blocks(body, std::move(blocks))
                                         : piecewise_blocks(body, std::move(blocks));
}

std::optional<Refusal> check_cache_marks(const Json& body) {
  std::size_t marks = 0;
  for (const auto* const list : {"tools", "system"}) {
    if (auto refusal = check_marks_in(member(body, list), list, marks)) return refusal;
  }
  const Json& messages = member(body, "messages");
  for (std::size_t i = 0; messages.is_array() && i < messages.size(); ++i) {
    const auto place = item_path("messages", i) + ".content";
    if (auto refusal = check_marks_in(member(messages[i], "content"), place, marks)) return refusal;
  }
  if (member(body, "cache_control").is_object()) ++marks;
  if (marks <= most_marks) return std::nullopt;
  return refuse("A maximum of " + std::to_string(most_marks) + " blocks with cache_control may be provided. Found " +
                std::to_string(marks) + ".");
}

std::uint64_t PromptCache::find(const std::vector<PromptBlock>& blocks, TimePoint now) {
  const std::lock_guard lock{mutex_};
  std::size_t places_left = 0;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    if (block->kept) places_left = most_places_back;
    if (places_left == 0) continue;
    --places_left;
    if (block->tokens < least_tokens) break;
    const auto found = kept_until_.find(block->prefix);
    if (found == kept_until_.end() || found->second <= now) continue;
    found->second = now + keep_for_;
    return block->tokens;
  }
  return 0;
}

std::uint64_t PromptCache::keep(const std::vector<PromptBlock>& blocks, TimePoint now) {
  const std::lock_guard lock{mutex_};
  std::uint64_t tokens = 0;
  for (const auto& block : blocks) {
    if (!block.kept || block.tokens < least_tokens) continue;
    if (kept_until_.size() >= most_prompts_) make_room(now);
    kept_until_[block.prefix] = now + keep_for_;
    tokens = block.tokens;
  }
  return tokens;
}

void PromptCache::make_room(TimePoint now) {
  std::erase_if(kept_until_, [&](const auto& entry) { return entry.second <= now; });
  // All of them are in use: a cache that forgets is slower for a while and never wrong.
  if (kept_until_.size() >= most_prompts_) kept_until_.clear();
}

}  // namespace drover::providers::scripted
