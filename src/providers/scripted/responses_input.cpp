#include "providers/scripted/responses_input.hpp"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "providers/scripted/chat_conversation.hpp"
#include "providers/scripted/chat_refusal.hpp"

namespace drover::providers::scripted {
namespace {

class InputChecker {
 public:
  InputChecker(std::vector<ConversationTurn>& turns, InputMeasure& measure) : turns_(turns), measure_(measure) {}

  std::optional<Refusal> check(const Json& input) {
    if (input.is_null()) return missing("input");
    if (input.is_string()) {
      turns_.push_back({false, input.get_ref<const std::string&>(), {}, false});
      measure_.count_text(turns_.back().text);
      return std::nullopt;
    }
    if (!input.is_array()) return wrong_type("input", "a string or an array of input items");
    if (input.empty()) {
      return refuse("Invalid 'input': empty array. Expected an array with minimum length 1.", "input", "empty_array");
    }
    for (std::size_t i = 0; i < input.size(); ++i) {
      const auto path = indexed("input", i);
      if (!input[i].is_object()) return wrong_type(path, "an object");
      if (auto refusal = check_item(input[i], path)) return refusal;
    }
    if (!pending_.empty()) {
      return refuse("No tool output found for function call " + shorten(*pending_.begin(), 80) + ".", "input");
    }
    return std::nullopt;
  }

 private:
  std::optional<Refusal> check_item(const Json& item, const std::string& path) {
    const auto type = text_or(item, "type", item.contains("role") ? "message" : "");
    if (type == "message") return check_message(item, path);
    if (type == "function_call") return check_call(item, path);
    if (type == "function_call_output") return check_output(item, path);
    if (type == "reasoning") {
      if (!member(item, "summary").is_array()) return missing(path + ".summary");
      return std::nullopt;
    }
    if (type.empty()) return missing(path + ".type");
    return invalid_value(path + ".type", type, "'message', 'function_call', 'function_call_output', and 'reasoning'");
  }

  std::optional<Refusal> check_message(const Json& message, const std::string& path) {
    const auto role = text_or(message, "role");
    if (role.empty()) return missing(path + ".role");
    if (role != "system" && role != "developer" && role != "user" && role != "assistant") {
      return invalid_value(path + ".role", role, "'assistant', 'system', 'developer', and 'user'");
    }
    ConversationTurn turn;
    turn.assistant = role == "assistant";
    const Json& content = member(message, "content");
    if (content.is_string()) {
      turn.text = content.get_ref<const std::string&>();
      measure_.count_text(turn.text);
    } else if (content.is_array()) {
      for (std::size_t i = 0; i < content.size(); ++i) {
        const auto place = path + "." + indexed("content", i);
        if (auto refusal = check_part(content[i], turn.assistant, place, turn)) return refusal;
      }
    } else {
      return content.is_null() ? missing(path + ".content")
                               : wrong_type(path + ".content", "a string or an array of parts");
    }
    if (role == "user" || role == "assistant") turns_.push_back(std::move(turn));
    return std::nullopt;
  }

  std::optional<Refusal> check_part(const Json& part, bool assistant, const std::string& place,
                                    ConversationTurn& turn) {
    if (!part.is_object()) return wrong_type(place, "an object");
    const auto type = text_or(part, "type");
    if (type == (assistant ? "output_text" : "input_text")) {
      const Json& text = member(part, "text");
      if (!text.is_string()) return missing(place + ".text");
      if (!turn.text.empty()) turn.text += "\n";
      turn.text += text.get_ref<const std::string&>();
      measure_.count_text(text.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (type == "input_image" && !assistant) {
      const Json& url = member(part, "image_url");
      if (!url.is_string()) return missing(place + ".image_url");
      return check_image_url(url.get_ref<const std::string&>(), text_or(part, "detail", "auto"), place + ".image_url",
                             measure_);
    }
    if (type == "refusal" && assistant) return std::nullopt;
    return invalid_value(place + ".type", type,
                         assistant ? "'output_text' and 'refusal'" : "'input_text' and 'input_image'");
  }

  std::optional<Refusal> check_call(const Json& call, const std::string& path) {
    const auto id = text_or(call, "call_id");
    if (id.empty()) return missing(path + ".call_id");
    const auto name = text_or(call, "name");
    if (!is_tool_name(name, longest_function_name)) {
      return refuse("Invalid '" + path + ".name'.", path + ".name", "invalid_value");
    }
    if (!member(call, "arguments").is_string()) return wrong_type(path + ".arguments", "a string");
    auto arguments = parse_json(call["arguments"].get_ref<const std::string&>(), "arguments");
    ConversationTurn turn;
    turn.assistant = true;
    turn.calls.emplace_back(name, arguments.ok() && arguments->is_object() ? *std::move(arguments) : Json::object());
    turns_.push_back(std::move(turn));
    pending_.insert(id);
    return std::nullopt;
  }

  std::optional<Refusal> check_output(const Json& output, const std::string& path) {
    const auto id = text_or(output, "call_id");
    if (id.empty()) return missing(path + ".call_id");
    if (pending_.erase(id) == 0) {
      return refuse("No tool call found for function call output with call_id " + shorten(id, 80) + ".", path);
    }
    const Json& said = member(output, "output");
    ConversationTurn turn;
    if (said.is_string()) {
      turn.text = said.get_ref<const std::string&>();
      measure_.count_text(turn.text);
    } else if (said.is_array()) {
      for (std::size_t i = 0; i < said.size(); ++i) {
        const auto place = path + "." + indexed("output", i);
        if (auto refusal = check_part(said[i], false, place, turn)) return refusal;
      }
    } else {
      return missing(path + ".output");
    }
    turns_.push_back(std::move(turn));
    return std::nullopt;
  }

  std::vector<ConversationTurn>& turns_;
  InputMeasure& measure_;
  std::set<std::string> pending_;  ///< Calls without an output so far.
};

}  // namespace

std::optional<Refusal> check_responses_input(const Json& input, std::vector<ConversationTurn>& turns,
                                             InputMeasure& measure) {
  return InputChecker{turns, measure}.check(input);
}

}  // namespace drover::providers::scripted
