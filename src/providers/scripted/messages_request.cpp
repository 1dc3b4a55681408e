#include "providers/scripted/messages_request.hpp"

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/scripted/messages_conversation.hpp"
#include "providers/scripted/messages_refusal.hpp"
#include "providers/scripted/prompt_cache.hpp"
#include "providers/scripted/tool_schema.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t largest_request = 32u << 20;
constexpr std::int64_t least_budget = 1024;
constexpr std::size_t tokens_of_an_image = 1600;
constexpr std::string_view newest_version = "2026-10-21";
constexpr std::string_view known_members =
    "model max_tokens messages system tools tool_choice thinking output_config cache_control stop_sequences stream "
    "metadata service_tier speed inference_geo container diagnostics temperature top_p top_k context_management "
    "mcp_servers";

/// Thrown nowhere: checks return the first refusal they meet.
using Complaint = std::optional<Refusal>;

class MessagesChecker {
 public:
  MessagesChecker(const net::HttpRequest& request, const Json& body, bool counting)
      : body_(body),
        counting_(counting),
        newest_(request.headers.get("anthropic-version") == newest_version),
        size_(request.body.size()) {}

  CheckedCall check() {
    if (!body_.is_object()) return refuse("The body must be a JSON object.");
    if (const auto unknown = unknown_members(body_, known_members); !unknown.empty()) {
      return refuse(unknown + ": Extra inputs are not permitted");
    }
    for (const auto step :
         {&MessagesChecker::check_model, &MessagesChecker::check_sampling, &MessagesChecker::check_system,
          &MessagesChecker::check_tools, &MessagesChecker::check_choice, &MessagesChecker::check_thinking,
          &MessagesChecker::check_output, &MessagesChecker::check_messages}) {
      if (auto refusal = (this->*step)()) return *std::move(refusal);
    }
    if (auto refusal = check_cache_marks(body_)) return *std::move(refusal);
    call_.input_tokens = measure_.tokens_of(size_, tokens_of_an_image);
    return std::move(call_);
  }

 private:
  Complaint check_model() {
    const Json& model = member(body_, "model");
    if (model.is_null()) return refuse("model: Field required");
    if (!model.is_string() || model.get_ref<const std::string&>().empty()) {
      return refuse("model: Input should be a valid string");
    }
    call_.model = shorten(repair_utf8(model.get_ref<const std::string&>()), 200);
    capabilities_ = capabilities_of(WireFormat::anthropic, call_.model);
    known_model_ = capabilities_.row != "unknown";
    if (counting_) return std::nullopt;
    const Json& limit = member(body_, "max_tokens");
    if (limit.is_null()) return refuse("max_tokens: Field required");
    if (!limit.is_number_integer() || limit.get<std::int64_t>() < 0) {
      return refuse("max_tokens: Input should be an integer that is not negative");
    }
    call_.max_output_tokens = limit.get<std::uint64_t>();
    call_.only_warm = call_.max_output_tokens == 0;
    if (known_model_ && call_.max_output_tokens > capabilities_.max_output_tokens) {
      return refuse("max_tokens: " + std::to_string(call_.max_output_tokens) + " > " +
                    std::to_string(capabilities_.max_output_tokens) + ", which is the most output tokens that " +
                    call_.model + " gives");
    }
    const Json& stream = member(body_, "stream");
    if (!stream.is_null() && !stream.is_boolean()) return refuse("stream: Input should be a boolean");
    call_.stream = stream.is_boolean() && stream.get<bool>();
    const Json& stops = member(body_, "stop_sequences");
    if (!stops.is_null() && !(stops.is_array() && std::all_of(stops.begin(), stops.end(),
                                                              [](const Json& stop) { return stop.is_string(); }))) {
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
      if (newest_) {
        return refuse(std::string{name} + ": sampling parameters are not supported in API version " +
                      std::string{newest_version});
      }
      const bool old_model = !known_model_ || capabilities_.row == "built-in rules" ||
                             capabilities_.row.ends_with("-4-5") || capabilities_.row.ends_with("-4-6");
      if (!old_model) return refuse(std::string{name} + ": sampling parameters are not supported for this model");
      if (!value.is_number()) return refuse(std::string{name} + ": Input should be a number");
    }
    return std::nullopt;
  }

  Complaint check_system() {
    const Json& system = member(body_, "system");
    if (system.is_null()) return std::nullopt;
    if (system.is_string()) {
      measure_.count_text(system.get_ref<const std::string&>());
      return std::nullopt;
    }
    if (!system.is_array()) return refuse("system: Input should be a string or a list of text blocks");
    for (std::size_t i = 0; i < system.size(); ++i) {
      if (text_or(system[i], "type") != "text" || !member(system[i], "text").is_string()) {
        return refuse(item_path("system", i) + ": Input should be a text block");
      }
      measure_.count_text(system[i]["text"].get_ref<const std::string&>());
    }
    return std::nullopt;
  }

  Complaint check_tools() {
    const Json& tools = member(body_, "tools");
    if (tools.is_null()) return std::nullopt;
    if (!tools.is_array()) return refuse("tools: Input should be a list");
    std::set<std::string> names;
    for (std::size_t i = 0; i < tools.size(); ++i) {
      const auto path = item_path("tools", i);
      const Json& tool = tools[i];
      if (!tool.is_object()) return refuse(path + ": Input should be an object");
      const auto type = text_or(tool, "type", "custom");
      if (type != "custom") {
        return refuse(path + ".type: tools that the service runs itself are not supported by this model");
      }
      const auto name = text_or(tool, "name");
      const auto place = path + ".custom";
      if (auto refusal = check_tool_name(name, place)) return refusal;
      if (!names.insert(name).second) {
        return refuse("tools: Tool names must be unique; " + name + " stands there twice");
      }
      const Json& schema = member(tool, "input_schema");
      if (auto refusal = check_input_schema(schema, place + ".input_schema")) return refusal;
      call_.tools.push_back({name, &schema});
    }
    return std::nullopt;
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
    if (!flag.is_null() && !flag.is_boolean()) {
      return refuse("tool_choice.disable_parallel_tool_use: Input should be a boolean");
    }
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
      const bool offered = std::any_of(call_.tools.begin(), call_.tools.end(),
                                       [&](const OfferedTool& tool) { return tool.name == call_.named_tool; });
      if (!offered) {
        return refuse("tool_choice.name: Tool '" + shorten(call_.named_tool, 60) + "' not found in provided tools");
      }
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
      if (known_model_ && capabilities_.row != "sonnet-5-5") {
        return refuse("thinking.type: \"between_tools\" is not supported for this model");
      }
    } else {
      return refuse("thinking.type: Input should be 'adaptive', 'enabled', 'disabled' or 'between_tools'");
    }
    const auto display = text_or(thinking, "display");
    if (!display.empty() && display != "summarized" && display != "omitted") {
      return refuse("thinking.display: Input should be 'summarized' or 'omitted'");
    }
    call_.show_thinking =
        (type == "adaptive" && display == "summarized") || (type == "enabled" && display != "omitted");
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
    if (text_or(format, "type") != "json_schema") {
      return refuse("output_config.format.type: Input should be 'json_schema'");
    }
    if (!member(format, "schema").is_object()) return refuse("output_config.format.schema: Input should be an object");
    if (auto refusal = check_output_schema(format["schema"], "output_config.format.schema")) return refusal;
    call_.structured_schema = &member(format, "schema");
    return std::nullopt;
  }

  Complaint check_messages() {
    const ConversationRules rules{newest_, !known_model_ || capabilities_.row.ends_with("-4-5")};
    return check_conversation(member(body_, "messages"), rules, call_.turns, measure_);
  }

  const Json& body_;
  bool counting_;
  bool newest_;
  std::size_t size_;
  ModelCall call_;
  ModelCapabilities capabilities_;
  bool known_model_ = true;
  InputMeasure measure_;
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
