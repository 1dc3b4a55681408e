#include "providers/scripted/messages_conversation.hpp"

#include <set>

#include "core/text.hpp"
#include "providers/scripted/image_limits.hpp"
#include "providers/scripted/messages_refusal.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t most_messages = 100'000;
constexpr std::size_t largest_image = 5'242'880;
constexpr std::size_t most_images = 100;
constexpr std::size_t many_images = 20;
constexpr int longest_side = 8000;
constexpr int longest_side_of_many = 2000;

class ConversationChecker {
 public:
  ConversationChecker(const ConversationRules& rules, std::vector<ConversationTurn>& turns, InputMeasure& measure)
      : rules_(rules), turns_(turns), measure_(measure) {}

  std::optional<Refusal> check(const Json& messages) {
    if (messages.is_null()) return refuse("messages: Field required");
    if (!messages.is_array()) return refuse("messages: Input should be a list");
    if (messages.empty()) return refuse("messages: at least one message is required");
    if (messages.size() > most_messages) return refuse("messages: at most 100000 messages are allowed");
    bool user_seen = false;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto path = item_path("messages", i);
      const Json& message = messages[i];
      if (!message.is_object()) return refuse(path + ": Input should be an object");
      const auto role = text_or(message, "role");
      const bool system = role == "system" && rules_.newest_version;
      if (role != "user" && role != "assistant" && !system) {
        return refuse(path + ".role: Input should be " +
                      (rules_.newest_version ? "'user', 'assistant' or 'system'" : "'user' or 'assistant'"));
      }
      user_seen = user_seen || role == "user";
      if (!pending_.empty() && role == "assistant") return refuse(path + unanswered());
      if (auto refusal = check_content(message, role, path)) return refusal;
    }
    if (!user_seen) return refuse("messages: at least one user message is required");
    if (!pending_.empty()) return refuse("messages" + unanswered());
    if (text_or(messages.back(), "role") == "assistant" && !rules_.prefill) {
      return refuse(
          "This model does not support assistant message prefill. The conversation must end with a user message.");
    }
    return check_images();
  }

 private:
  struct Image {
    std::string path;
    std::optional<ImageHead> head;
  };

  std::string unanswered() const {
    return ": `tool_use` ids were found without `tool_result` blocks immediately after: " +
           shorten(*pending_.begin(), 80) +
           ". Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
  }

  std::optional<Refusal> check_content(const Json& message, const std::string& role, const std::string& path) {
    ConversationTurn turn;
    turn.assistant = role == "assistant";
    const Json& content = member(message, "content");
    if (content.is_null()) return refuse(path + ".content: Field required");
    if (content.is_string()) {
      turn.text = content.get_ref<const std::string&>();
      measure_.count_text(turn.text);
      if (turn.text.empty() && role == "user") return refuse(path + ": user messages must have non-empty content");
      if (!pending_.empty() && role == "user") return refuse(path + unanswered());
    } else if (content.is_array()) {
      if (content.empty() && role == "user") return refuse(path + ": user messages must have non-empty content");
      const auto waiting = pending_;
      bool other_block = false;
      for (std::size_t i = 0; i < content.size(); ++i) {
        const auto place = path + "." + item_path("content", i);
        const Json& block = content[i];
        if (!block.is_object()) return refuse(place + ": Input should be an object");
        if (text_or(block, "type") == "tool_result") {
          if (role != "user") return refuse(place + ": `tool_result` blocks can only be in `user` messages");
          const auto id = text_or(block, "tool_use_id");
          if (!waiting.contains(id)) {
            return refuse(
                place + ": unexpected `tool_use_id` found in `tool_result` blocks: " + shorten(id, 80) +
                ". Each `tool_result` block must have a corresponding `tool_use` block in the previous message.");
          }
          if (other_block) return refuse(place + ": `tool_result` blocks must come before other content");
          pending_.erase(id);
          if (auto refusal = check_result(block, place, turn)) return refusal;
        } else {
          other_block = true;
          if (auto refusal = check_block(block, role, place, turn)) return refusal;
        }
      }
      if (role == "user" && !waiting.empty() && !pending_.empty()) return refuse(path + unanswered());
    } else {
      return refuse(path + ".content: Input should be a string or a list of blocks");
    }
    if (role != "system") turns_.push_back(std::move(turn));
    return std::nullopt;
  }

  std::optional<Refusal> check_block(const Json& block, const std::string& role, const std::string& place,
                                     ConversationTurn& turn) {
    const auto type = text_or(block, "type");
    if (type == "text") {
      const Json& text = member(block, "text");
      if (!text.is_string()) return refuse(place + ".text: Field required");
      if (text.get_ref<const std::string&>().empty()) return refuse(place + ": text content blocks must be non-empty");
      if (rules_.newest_version && role == "user" && member(block, "citations").is_array() &&
          !member(block, "citations").empty()) {
        return refuse(place + ".citations: citations are not supported in user messages");
      }
      if (!turn.text.empty() && turn.text.back() != '\n') turn.text += "\n";
      turn.text += text.get_ref<const std::string&>();
      measure_.count_text(text.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (type == "image") {
      if (role != "user") return refuse(place + ": `image` blocks can only be in `user` messages");
      return check_image(block, place);
    }
    if (type == "tool_use") {
      if (role != "assistant") return refuse(place + ": `tool_use` blocks can only be in `assistant` messages");
      const auto id = text_or(block, "id");
      const auto name = text_or(block, "name");
      if (id.empty()) return refuse(place + ".id: Field required");
      if (auto refusal = check_tool_name(name, place)) return refusal;
      if (!member(block, "input").is_object()) return refuse(place + ".input: Input should be an object");
      if (!pending_.insert(id).second) return refuse(place + ": `tool_use` ids must be unique");
      turn.calls.emplace_back(name, block["input"]);
      return std::nullopt;
    }
    if (type == "thinking" || type == "redacted_thinking") {
      if (role != "assistant") return refuse(place + ": `" + type + "` blocks can only be in `assistant` messages");
      return std::nullopt;
    }
    if (type == "document" && role == "user") return std::nullopt;
    return refuse(place + ": Input tag '" + shorten(type, 40) +
                  "' is not one of the expected tags: 'text', 'image', 'document', "
                  "'tool_use', 'tool_result', 'thinking', 'redacted_thinking'");
  }

  std::optional<Refusal> check_result(const Json& block, const std::string& place, ConversationTurn& turn) {
    const Json& content = member(block, "content");
    if (boolean_or(block, "is_error")) turn.failed = true;
    if (content.is_null()) return std::nullopt;
    if (content.is_string()) {
      if (!turn.text.empty()) turn.text += "\n";
      turn.text += content.get_ref<const std::string&>();
      measure_.count_text(content.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (!content.is_array()) return refuse(place + ".content: Input should be a string or a list of blocks");
    for (std::size_t i = 0; i < content.size(); ++i) {
      const auto inner = place + "." + item_path("content", i);
      const auto type = text_or(content[i], "type");
      if (type == "image") {
        if (auto refusal = check_image(content[i], inner)) return refusal;
      } else if (type == "text") {
        if (auto refusal = check_block(content[i], "user", inner, turn)) return refusal;
      } else if (type != "document" && type != "search_result") {
        return refuse(inner + ": Input tag '" + shorten(type, 40) + "' is not allowed in a tool result");
      }
    }
    return std::nullopt;
  }

  // --- pictures ---

  std::optional<Refusal> check_image(const Json& block, const std::string& place) {
    const Json& source = member(block, "source");
    const auto type = text_or(source, "type");
    Image image;
    image.path = place;
    if (type == "base64") {
      const auto media = text_or(source, "media_type");
      if (media != "image/jpeg" && media != "image/png" && media != "image/gif" && media != "image/webp") {
        return refuse(
            place +
            ".source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'");
      }
      const Json& data = member(source, "data");
      if (!data.is_string() || data.get_ref<const std::string&>().empty()) {
        return refuse(place + ".source.base64.data: Field required");
      }
      const auto& base64 = data.get_ref<const std::string&>();
      measure_.image_bytes += base64.size();
      const auto bytes = decoded_size(base64);
      if (bytes > largest_image) {
        return refuse(place + ".source.base64: image exceeds 5 MB maximum: " + std::to_string(bytes) + " bytes > " +
                      std::to_string(largest_image) + " bytes");
      }
      image.head = read_base64_image_head(base64);
      if (!image.head) return refuse(place + ".source.base64.data: Could not process image");
      if (image.head->media_type != media) {
        return refuse(place + ".source.base64: The image was specified using the " + media +
                      " media type, but it appears to be " + std::string{image.head->media_type});
      }
    } else if (type != "url" && type != "file") {
      return refuse(place + ".source.type: Input should be 'base64', 'url' or 'file'");
    }
    images_.push_back(std::move(image));
    ++measure_.images;
    return std::nullopt;
  }

  std::optional<Refusal> check_images() {
    if (images_.size() > most_images) return refuse("messages: at most 100 images are allowed in a request");
    const int most = images_.size() > many_images ? longest_side_of_many : longest_side;
    for (const auto& image : images_) {
      if (!image.head || (image.head->width <= most && image.head->height <= most)) continue;
      auto refusal =
          refuse(image.path +
                 ".source.base64.data: At least one of the image dimensions exceeds the maximum for this request: " +
                 std::to_string(most) + " pixels");
      refusal.code = "image_dimensions_too_large";
      return refusal;
    }
    return std::nullopt;
  }

  ConversationRules rules_;
  std::vector<ConversationTurn>& turns_;
  InputMeasure& measure_;
  std::set<std::string> pending_;  ///< Calls that no result has answered yet.
  std::vector<Image> images_;
};

}  // namespace

std::optional<Refusal> check_conversation(const Json& messages, const ConversationRules& rules,
                                          std::vector<ConversationTurn>& turns, InputMeasure& measure) {
  return ConversationChecker{rules, turns, measure}.check(messages);
}

}  // namespace drover::providers::scripted
