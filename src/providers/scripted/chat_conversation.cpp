#include "providers/scripted/chat_conversation.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "providers/scripted/chat_refusal.hpp"
#include "providers/scripted/image_limits.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t largest_image = 20u << 20;

class ConversationChecker {
 public:
  ConversationChecker(std::vector<ConversationTurn>& turns, InputMeasure& measure) : turns_(turns), measure_(measure) {}

  std::optional<Refusal> check(const Json& messages) {
    if (messages.is_null()) return missing("messages");
    if (!messages.is_array()) return wrong_type("messages", "an array of objects");
    if (messages.empty()) {
      return refuse("Invalid 'messages': empty array. Expected an array with minimum length 1.", "messages",
                    "empty_array");
    }
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto path = indexed("messages", i);
      if (!messages[i].is_object()) return wrong_type(path, "an object");
      if (auto refusal = check_message(messages[i], path)) return refusal;
    }
    if (!pending_.empty()) return unanswered("messages");
    return std::nullopt;
  }

 private:
  Refusal unanswered(const std::string& path) const {
    return refuse(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        "The following tool_call_ids did not have response messages: " +
            shorten(*pending_.begin(), 80),
        path);
  }

  std::optional<Refusal> check_message(const Json& message, const std::string& path) {
    const auto role = text_or(message, "role");
    if (role.empty()) return missing(path + ".role");
    const bool known = role == "system" || role == "developer" || role == "user" || role == "assistant" ||
                       role == "tool" || role == "function";
    if (!known) {
      return invalid_value(path + ".role", role, "'system', 'developer', 'assistant', 'user', 'function', and 'tool'");
    }
    if (!pending_.empty() && role != "tool") return unanswered(path);
    ConversationTurn turn;
    turn.assistant = role == "assistant";
    const Json& content = member(message, "content");
    const Json& calls = member(message, "tool_calls");
    if (content.is_string()) {
      turn.text = content.get_ref<const std::string&>();
      measure_.count_text(turn.text);
    } else if (content.is_array()) {
      for (std::size_t i = 0; i < content.size(); ++i) {
        if (auto refusal = check_part(content[i], role, path + "." + indexed("content", i), turn)) return refusal;
      }
    } else if (!(turn.assistant && !calls.is_null())) {
      return content.is_null() ? refuse("Invalid value for 'content': expected a string, got null.", path + ".content")
                               : wrong_type(path + ".content", "a string or an array of parts");
    }
    if (!calls.is_null()) {
      if (!turn.assistant) return refuse("'tool_calls' is only allowed in assistant messages.", path + ".tool_calls");
      if (auto refusal = check_calls(calls, path, turn)) return refusal;
    }
    if (role == "tool") {
      const auto id = text_or(message, "tool_call_id");
      if (id.empty()) return missing(path + ".tool_call_id");
      if (pending_.erase(id) == 0) {
        return refuse(
            "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
            path + ".role");
      }
    }
    if (role != "system" && role != "developer") turns_.push_back(std::move(turn));
    return std::nullopt;
  }

  std::optional<Refusal> check_calls(const Json& calls, const std::string& path, ConversationTurn& turn) {
    if (!calls.is_array() || calls.empty()) {
      return wrong_type(path + ".tool_calls", "an array of objects that is not empty");
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const auto place = path + "." + indexed("tool_calls", i);
      const Json& call = calls[i];
      const auto id = text_or(call, "id");
      if (id.empty()) return missing(place + ".id");
      const Json& function = member(call, "function");
      const auto name = text_or(function, "name");
      if (!is_tool_name(name, longest_function_name)) {
        return refuse("Invalid '" + place + ".function.name'.", place + ".function.name", "invalid_value");
      }
      if (!member(function, "arguments").is_string()) return wrong_type(place + ".function.arguments", "a string");
      auto arguments = parse_json(function["arguments"].get_ref<const std::string&>(), "arguments");
      turn.calls.emplace_back(name, arguments.ok() && arguments->is_object() ? *std::move(arguments) : Json::object());
      pending_.insert(id);
    }
    return std::nullopt;
  }

  std::optional<Refusal> check_part(const Json& part, const std::string& role, const std::string& place,
                                    ConversationTurn& turn) {
    if (!part.is_object()) return wrong_type(place, "an object");
    const auto type = text_or(part, "type");
    if (type == "text") {
      const Json& text = member(part, "text");
      if (!text.is_string()) return missing(place + ".text");
      if (!turn.text.empty()) turn.text += "\n";
      turn.text += text.get_ref<const std::string&>();
      measure_.count_text(text.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (type == "image_url") {
      if (role != "user") {
        return refuse(
            "Invalid 'content': Image URLs are only allowed for messages with role 'user', but this message with role "
            "'" +
                role + "' contains an image URL.",
            place);
      }
      return check_image(member(part, "image_url"), place);
    }
    if (type == "refusal" && turn.assistant) return std::nullopt;
    return invalid_value(place + ".type", type, "'text' and 'image_url'");
  }

  std::optional<Refusal> check_image(const Json& image, const std::string& place) {
    const Json& url = member(image, "url");
    if (!url.is_string()) return missing(place + ".image_url.url");
    return check_image_url(url.get_ref<const std::string&>(), text_or(image, "detail", "auto"),
                           place + ".image_url.url", measure_);
  }

  std::vector<ConversationTurn>& turns_;
  InputMeasure& measure_;
  std::set<std::string> pending_;  ///< Calls that no tool message has answered yet.
};

}  // namespace

std::optional<Refusal> check_image_url(const std::string& url, const std::string& detail, const std::string& place,
                                       InputMeasure& measure) {
  if (detail != "auto" && detail != "low" && detail != "high") {
    return invalid_value(place + ".detail", detail, "'auto', 'low', and 'high'");
  }
  ++measure.images;
  if (url.rfind("http://", 0) == 0 || url.rfind("https://", 0) == 0) return std::nullopt;
  const auto invalid = [&](std::string message, std::string code) {
    return refuse(std::move(message), place, std::move(code));
  };
  if (url.rfind("data:", 0) != 0) {
    return invalid("Invalid URL: expected an http(s) URL or a base64-encoded data URL.", "invalid_value");
  }
  const auto comma = url.find(";base64,");
  if (comma == std::string::npos) {
    return invalid("Invalid data URL: expected a base64-encoded image.", "invalid_value");
  }
  const auto base64 = std::string_view{url}.substr(comma + 8);
  measure.image_bytes += base64.size();
  if (decoded_size(base64) > largest_image) return invalid("The image is larger than 20 MB.", "image_too_large");
  if (!read_base64_image_head(base64)) {
    return invalid(
        "You uploaded an unsupported image. Please make sure your image has one of the formats 'png', 'jpeg', 'gif', "
        "'webp'.",
        "invalid_image_format");
  }
  return std::nullopt;
}

std::optional<Refusal> check_chat_conversation(const Json& messages, std::vector<ConversationTurn>& turns,
                                               InputMeasure& measure) {
  return ConversationChecker{turns, measure}.check(messages);
}

}  // namespace drover::providers::scripted
