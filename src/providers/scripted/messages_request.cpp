#include "providers/scripted/messages_request.hpp"

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/scripted/image_limits.hpp"
#include "providers/scripted/rules.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t largest_request = 32u << 20;
constexpr std::size_t most_messages = 100'000;
constexpr std::size_t longest_tool_name = 128;
constexpr std::size_t longest_property = 64;
constexpr std::size_t largest_image = 5'242'880;
constexpr std::size_t most_images = 100;
constexpr std::size_t many_images = 20;
constexpr int longest_side = 8000;
constexpr int longest_side_of_many = 2000;
constexpr std::int64_t least_budget = 1024;
constexpr std::size_t tokens_of_an_image = 1600;
constexpr std::string_view newest_version = "2026-10-21";
constexpr std::string_view known_members =
    "model max_tokens messages system tools tool_choice thinking output_config cache_control stop_sequences stream metadata "
    "service_tier speed inference_geo container diagnostics temperature top_p top_k context_management mcp_servers";

Refusal refuse(std::string message) {
  Refusal refusal;
  refusal.message = std::move(message);
  return refusal;
}

/// Thrown nowhere: checks return the first refusal they meet.
using Complaint = std::optional<Refusal>;

std::string at(std::string_view path, std::size_t index) {
  return std::string{path} + "." + std::to_string(index);
}

class MessagesChecker {
 public:
  MessagesChecker(const net::HttpRequest& request, const Json& body, bool counting)
      : body_(body), counting_(counting), newest_(request.headers.get("anthropic-version") == newest_version), size_(request.body.size()) {}

  CheckedCall check() {
    if (!body_.is_object()) return refuse("The body must be a JSON object.");
    if (const auto unknown = unknown_members(body_, known_members); !unknown.empty()) {
      return refuse(unknown + ": Extra inputs are not permitted");
    }
    for (const auto step : {&MessagesChecker::check_model, &MessagesChecker::check_sampling, &MessagesChecker::check_system,
                            &MessagesChecker::check_tools, &MessagesChecker::check_choice, &MessagesChecker::check_thinking,
                            &MessagesChecker::check_output, &MessagesChecker::check_messages, &MessagesChecker::check_images}) {
      if (auto refusal = (this->*step)()) return *std::move(refusal);
    }
    const auto other_bytes = size_ - std::min(size_, text_bytes_ + image_bytes_);
    call_.input_tokens = text_tokens_ + other_bytes / 4 + images_.size() * tokens_of_an_image;
    return std::move(call_);
  }

 private:
  struct Image {
    std::string path;
    std::optional<ImageHead> head;
  };

  void count_text(const std::string& text) {
    text_bytes_ += text.size();
    text_tokens_ += estimate_tokens(text);
  }

  Complaint check_model() {
    const Json& model = member(body_, "model");
    if (model.is_null()) return refuse("model: Field required");
    if (!model.is_string() || model.get_ref<const std::string&>().empty()) return refuse("model: Input should be a valid string");
    call_.model = shorten(repair_utf8(model.get_ref<const std::string&>()), 200);
    capabilities_ = capabilities_of("anthropic", call_.model);
    known_model_ = capabilities_.row != "unknown";
    if (counting_) return std::nullopt;
    const Json& limit = member(body_, "max_tokens");
    if (limit.is_null()) return refuse("max_tokens: Field required");
    if (!limit.is_number_integer() || limit.get<std::int64_t>() < 0) return refuse("max_tokens: Input should be an integer that is not negative");
    call_.max_output_tokens = limit.get<std::uint64_t>();
    call_.only_warm = call_.max_output_tokens == 0;
    if (known_model_ && call_.max_output_tokens > capabilities_.max_output_tokens) {
      return refuse("max_tokens: " + std::to_string(call_.max_output_tokens) + " > " + std::to_string(capabilities_.max_output_tokens) +
                    ", which is the most output tokens that " + call_.model + " gives");
    }
    const Json& stream = member(body_, "stream");
    if (!stream.is_null() && !stream.is_boolean()) return refuse("stream: Input should be a boolean");
    call_.stream = stream.is_boolean() && stream.get<bool>();
    const Json& stops = member(body_, "stop_sequences");
    if (!stops.is_null() && !(stops.is_array() && std::all_of(stops.begin(), stops.end(), [](const Json& stop) { return stop.is_string(); }))) {
      return refuse("stop_sequences: Input should be a list of strings");
    }
    const Json& metadata = member(body_, "metadata");
    if (!metadata.is_null() && !metadata.is_object()) return refuse("metadata: Input should be an object");
    return std::nullopt;
  }

  Complaint check_sampling() {
    for (const auto* name : {"temperature", "top_p", "top_k"}) {
      const Json& value = member(body_, name);
      if (value.is_null() && !body_.contains(name)) continue;
      if (newest_) return refuse(std::string{name} + ": sampling parameters are not supported in API version " + std::string{newest_version});
      const bool old_model = !known_model_ || capabilities_.row == "built-in rules" || capabilities_.row.ends_with("-4-5") || capabilities_.row.ends_with("-4-6");
      if (!old_model) return refuse(std::string{name} + ": sampling parameters are not supported for this model");
      if (!value.is_number()) return refuse(std::string{name} + ": Input should be a number");
    }
    return std::nullopt;
  }

  Complaint check_system() {
    const Json& system = member(body_, "system");
    if (system.is_null()) return std::nullopt;
    if (system.is_string()) {
      count_text(system.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (!system.is_array()) return refuse("system: Input should be a string or a list of text blocks");
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (text_or(system[i], "type") != "text" || !member(system[i], "text").is_string()) {
        return refuse(at("system", i) + ": Input should be a text block");
      }
      count_text(system[i]["text"].get_ref<const std::string&>());
    }
    return std::nullopt;
  }

  Complaint check_tools() {
    const Json& tools = member(body_, "tools");
    if (tools.is_null()) return std::nullopt;
    if (!tools.is_array()) return refuse("tools: Input should be a list");
    std::set<std::string> names;
    for (std::size_t i = 0; i < tools.size(); ++i) {
      const auto path = at("tools", i);
      const Json& tool = tools[i];
      if (!tool.is_object()) return refuse(path + ": Input should be an object");
      const auto type = text_or(tool, "type", "custom");
      if (type != "custom") return refuse(path + ".type: tools that the service runs itself are not supported by this model");
      const auto name = text_or(tool, "name");
      if (!is_tool_name(name, longest_tool_name)) {
        return refuse(path + ".name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
      }
      if (!names.insert(name).second) return refuse("tools: Tool names must be unique; " + name + " stands there twice");
      const Json& schema = member(tool, "input_schema");
      if (schema.is_null()) return refuse(path + ".input_schema: Field required");
      if (!schema.is_object()) return refuse(path + ".input_schema: Input should be an object");
      if (text_or(schema, "type") != "object") return refuse(path + ".input_schema.type: Input should be 'object'");
      for (const auto* alternative : {"oneOf", "allOf", "anyOf"}) {
        if (schema.contains(alternative)) {
          return refuse(path + ".input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level");
        }
      }
      const Json& properties = member(schema, "properties");
      if (!properties.is_null() && !properties.is_object()) return refuse(path + ".input_schema.properties: Input should be an object");
      if (properties.is_object()) {
        for (const auto& [key, value] : properties.items()) {
          if (!is_property_key(key)) return refuse(path + ".input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'");
        }
      }
      call_.tools.push_back({name, &schema});
    }
    return std::nullopt;
  }

  static bool is_property_key(const std::string& key) {
    return !key.empty() && key.size() <= longest_property && std::all_of(key.begin(), key.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
    });
  }

  Complaint check_choice() {
    const Json& choice = member(body_, "tool_choice");
    if (choice.is_null()) {
      if (call_.tools.empty()) call_.choice = ToolChoice::none;
      return std::nullopt;
    }
    if (!choice.is_object()) return refuse("tool_choice: Input should be an object");
    const auto type = text_or(choice, "type");
    if (call_.tools.empty()) return refuse("tool_choice: tool_choice may only be specified while providing tools");
    const Json& flag = member(choice, "disable_parallel_tool_use");
    if (!flag.is_null() && !flag.is_boolean()) return refuse("tool_choice.disable_parallel_tool_use: Input should be a boolean");
    if (type == "auto") {
      call_.choice = ToolChoice::automatic;
    } else if (type == "none") {
      call_.choice = ToolChoice::none;
    } else if (type == "any") {
      call_.choice = ToolChoice::any;
    } else if (type == "tool") {
      call_.choice = ToolChoice::named;
      call_.named_tool = text_or(choice, "name");
      if (call_.named_tool.empty()) return refuse("tool_choice.name: Field required");
      const bool offered = std::any_of(call_.tools.begin(), call_.tools.end(), [&](const OfferedTool& tool) { return tool.name == call_.named_tool; });
      if (!offered) return refuse("tool_choice.name: Tool '" + shorten(call_.named_tool, 60) + "' not found in provided tools");
    } else {
      return refuse("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'");
    }
    const bool forced = call_.choice == ToolChoice::any || call_.choice == ToolChoice::named;
    if (forced && known_model_ && !capabilities_.forced_choice) {
      return refuse("tool_choice: type \"tool\" and \"any\" are not supported for this model.");
    }
    return std::nullopt;
  }

  Complaint check_thinking() {
    const Json& thinking = member(body_, "thinking");
    if (thinking.is_null()) {
      if (body_.contains("thinking")) return refuse("thinking: Input should be an object");
      return std::nullopt;
    }
    const auto type = text_or(thinking, "type");
    const bool rules = capabilities_.row == "built-in rules";
    const bool forced = call_.choice == ToolChoice::any || call_.choice == ToolChoice::named;
    if (type == "enabled") {
      const bool takes_budget = capabilities_.thinking == ThinkingForm::enabled_budget || !known_model_ ||
                                capabilities_.row == "opus-4-6" || capabilities_.row == "sonnet-4-6";
      if (rules || !takes_budget) {
        return refuse(rules ? "thinking: this model does not think"
                            : "thinking.type: \"enabled\" is not supported for this model; use \"adaptive\"");
      }
      const Json& budget = member(thinking, "budget_tokens");
      if (!budget.is_number_integer()) return refuse("thinking.enabled.budget_tokens: Field required");
      if (budget.get<std::int64_t>() < least_budget) {
        return refuse("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
      }
      if (!counting_ && budget.get<std::uint64_t>() >= call_.max_output_tokens) {
        return refuse("max_tokens must be greater than thinking.budget_tokens");
      }
      if (forced) return refuse("Thinking may not be enabled when tool_choice forces tool use.");
    } else if (type == "adaptive") {
      if (rules || capabilities_.thinking == ThinkingForm::enabled_budget) {
        return refuse("thinking.type: \"adaptive\" is not supported for this model");
      }
    } else if (type == "disabled") {
      if (!rules && known_model_ && capabilities_.disabled_thinking == DisabledThinking::refused) {
        return refuse("thinking.type: \"disabled\" is not supported for this model");
      }
    } else if (type == "between_tools") {
      if (known_model_ && capabilities_.row != "sonnet-5-5") return refuse("thinking.type: \"between_tools\" is not supported for this model");
    } else {
      return refuse("thinking.type: Input should be 'adaptive', 'enabled', 'disabled' or 'between_tools'");
    }
    const auto display = text_or(thinking, "display");
    if (!display.empty() && display != "summarized" && display != "omitted") {
      return refuse("thinking.display: Input should be 'summarized' or 'omitted'");
    }
    call_.show_thinking = (type == "adaptive" && display == "summarized") || (type == "enabled" && display != "omitted");
    return std::nullopt;
  }

  Complaint check_output() {
    const Json& output = member(body_, "output_config");
    if (output.is_null()) return std::nullopt;
    if (!output.is_object()) return refuse("output_config: Input should be an object");
    const Json& effort = member(output, "effort");
    if (!effort.is_null()) {
      const auto word = text_or(output, "effort");
      if (word != "low" && word != "medium" && word != "high" && word != "xhigh" && word != "max") {
        return refuse("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
      }
      if (capabilities_.row == "sonnet-4-5" || capabilities_.row == "haiku-4-5") {
        return refuse("output_config.effort: This model does not support the effort parameter.");
      }
    }
    const Json& format = member(output, "format");
    if (format.is_null()) return std::nullopt;
    if (text_or(format, "type") != "json_schema") return refuse("output_config.format.type: Input should be 'json_schema'");
    if (!member(format, "schema").is_object()) return refuse("output_config.format.schema: Input should be an object");
    call_.structured_schema = &member(format, "schema");
    return std::nullopt;
  }

  // --- messages ---

  Complaint check_messages() {
    const Json& messages = member(body_, "messages");
    if (messages.is_null()) return refuse("messages: Field required");
    if (!messages.is_array()) return refuse("messages: Input should be a list");
    if (messages.empty()) return refuse("messages: at least one message is required");
    if (messages.size() > most_messages) return refuse("messages: at most 100000 messages are allowed");
    bool user_seen = false;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto path = at("messages", i);
      const Json& message = messages[i];
      if (!message.is_object()) return refuse(path + ": Input should be an object");
      const auto role = text_or(message, "role");
      const bool system = role == "system" && newest_;
      if (role != "user" && role != "assistant" && !system) {
        return refuse(path + ".role: Input should be " + (newest_ ? "'user', 'assistant' or 'system'" : "'user' or 'assistant'"));
      }
      user_seen = user_seen || role == "user";
      if (!pending_.empty() && role == "assistant") return refuse(path + unanswered());
      if (auto refusal = check_content(message, role, path)) return refusal;
    }
    if (!user_seen) return refuse("messages: at least one user message is required");
    if (!pending_.empty()) return refuse("messages" + unanswered());
    if (text_or(messages.back(), "role") == "assistant" && known_model_ && !capabilities_.row.ends_with("-4-5")) {
      return refuse("This model does not support assistant message prefill. The conversation must end with a user message.");
    }
    return std::nullopt;
  }

  std::string unanswered() const {
    return ": `tool_use` ids were found without `tool_result` blocks immediately after: " + shorten(*pending_.begin(), 80) +
           ". Each `tool_use` block must have a corresponding `tool_result` block in the next message.";
  }

  Complaint check_content(const Json& message, const std::string& role, const std::string& path) {
    ConversationTurn turn;
    turn.assistant = role == "assistant";
    const Json& content = member(message, "content");
    if (content.is_null()) return refuse(path + ".content: Field required");
    if (content.is_string()) {
      turn.text = content.get_ref<const std::string&>();
      count_text(turn.text);
      if (turn.text.empty() && role == "user") return refuse(path + ": user messages must have non-empty content");
      if (!pending_.empty() && role == "user") return refuse(path + unanswered());
    } else if (content.is_array()) {
      if (content.empty() && role == "user") return refuse(path + ": user messages must have non-empty content");
      const auto waiting = pending_;
      bool other_block = false;
      for (std::size_t i = 0; i < content.size(); ++i) {
        const auto place = path + "." + at("content", i);
        const Json& block = content[i];
        if (!block.is_object()) return refuse(place + ": Input should be an object");
        if (text_or(block, "type") == "tool_result") {
          if (role != "user") return refuse(place + ": `tool_result` blocks can only be in `user` messages");
          const auto id = text_or(block, "tool_use_id");
          if (!waiting.contains(id)) {
            return refuse(place + ": unexpected `tool_use_id` found in `tool_result` blocks: " + shorten(id, 80) +
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
    if (role != "system") call_.turns.push_back(std::move(turn));
    return std::nullopt;
  }

  Complaint check_block(const Json& block, const std::string& role, const std::string& place, ConversationTurn& turn) {
    const auto type = text_or(block, "type");
    if (type == "text") {
      const Json& text = member(block, "text");
      if (!text.is_string()) return refuse(place + ".text: Field required");
      if (text.get_ref<const std::string&>().empty()) return refuse(place + ": text content blocks must be non-empty");
      if (newest_ && role == "user" && member(block, "citations").is_array() && !member(block, "citations").empty()) {
        return refuse(place + ".citations: citations are not supported in user messages");
      }
      if (!turn.text.empty()) turn.text += "\n";
      turn.text += text.get_ref<const std::string&>();
      count_text(text.get_ref<const std::string&>());
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
      if (!is_tool_name(name, longest_tool_name)) return refuse(place + ".name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
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
    return refuse(place + ": Input tag '" + shorten(type, 40) + "' is not one of the expected tags: 'text', 'image', 'document', "
                  "'tool_use', 'tool_result', 'thinking', 'redacted_thinking'");
  }

  Complaint check_result(const Json& block, const std::string& place, ConversationTurn& turn) {
    const Json& content = member(block, "content");
    if (content.is_null()) return std::nullopt;
    if (content.is_string()) {
      if (!turn.text.empty()) turn.text += "\n";
      turn.text += content.get_ref<const std::string&>();
      count_text(content.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (!content.is_array()) return refuse(place + ".content: Input should be a string or a list of blocks");
    for (std::size_t i = 0; i < content.size(); ++i) {
      const auto inner = place + "." + at("content", i);
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

  Complaint check_image(const Json& block, const std::string& place) {
    const Json& source = member(block, "source");
    const auto type = text_or(source, "type");
    Image image;
    image.path = place;
    if (type == "base64") {
      const auto media = text_or(source, "media_type");
      if (media != "image/jpeg" && media != "image/png" && media != "image/gif" && media != "image/webp") {
        return refuse(place + ".source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'");
      }
      const Json& data = member(source, "data");
      if (!data.is_string() || data.get_ref<const std::string&>().empty()) return refuse(place + ".source.base64.data: Field required");
      const auto& base64 = data.get_ref<const std::string&>();
      image_bytes_ += base64.size();
      const auto bytes = decoded_size(base64);
      if (bytes > largest_image) {
        return refuse(place + ".source.base64: image exceeds 5 MB maximum: " + std::to_string(bytes) + " bytes > " + std::to_string(largest_image) + " bytes");
      }
      image.head = read_base64_image_head(base64);
      if (!image.head) return refuse(place + ".source.base64.data: Could not process image");
      if (image.head->media_type != media) {
        return refuse(place + ".source.base64: The image was specified using the " + media + " media type, but it appears to be " + std::string{image.head->media_type});
      }
    } else if (type != "url" && type != "file") {
      return refuse(place + ".source.type: Input should be 'base64', 'url' or 'file'");
    }
    images_.push_back(std::move(image));
    return std::nullopt;
  }

  Complaint check_images() {
    if (images_.size() > most_images) return refuse("messages: at most 100 images are allowed in a request");
    const int most = images_.size() > many_images ? longest_side_of_many : longest_side;
    for (const auto& image : images_) {
      if (!image.head || (image.head->width <= most && image.head->height <= most)) continue;
      auto refusal = refuse(image.path + ".source.base64.data: At least one of the image dimensions exceeds the maximum for this request: " +
                            std::to_string(most) + " pixels");
      refusal.code = "image_dimensions_too_large";
      return refusal;
    }
    return std::nullopt;
  }

  const Json& body_;
  bool counting_;
  bool newest_;
  std::size_t size_;
  ModelCall call_;
  ModelCapabilities capabilities_;
  bool known_model_ = true;
  std::set<std::string> pending_;
  std::vector<Image> images_;
  std::size_t text_bytes_ = 0;
  std::size_t text_tokens_ = 0;
  std::size_t image_bytes_ = 0;
};

}  // namespace

std::optional<Refusal> check_messages_headers(const net::HttpRequest& request) {
  const auto authorization = request.headers.get("authorization");
  const bool bearer = authorization.size() > 7 && to_lower_ascii(authorization.substr(0, 7)) == "bearer ";
  if (request.headers.get("x-api-key").empty() && !bearer) {
    Refusal refusal = refuse("x-api-key header is required");
    refusal.status = 401;
    refusal.type = "authentication_error";
    return refusal;
  }
  const auto version = request.headers.get("anthropic-version");
  if (version.empty()) return refuse("anthropic-version: header is required");
  if (version != newest_version && version != "2023-06-01") {
    return refuse("anthropic-version: \"" + shorten(version, 40) + "\" is not a valid version");
  }
  if (request.method != "POST") return std::nullopt;
  if (to_lower_ascii(request.headers.get("content-type")).rfind("application/json", 0) != 0) {
    return refuse("content-type: the body must be sent as application/json");
  }
  if (request.body.size() > largest_request) {
    Refusal refusal = refuse("Request exceeds the maximum size of 32 MB");
    refusal.status = 413;
    refusal.type = "request_too_large";
    return refusal;
  }
  return std::nullopt;
}

CheckedCall check_messages_request(const net::HttpRequest& request, const Json& body, bool counting) {
  return MessagesChecker{request, body, counting}.check();
}

}  // namespace drover::providers::scripted
