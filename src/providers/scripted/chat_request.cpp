#include "providers/scripted/chat_request.hpp"

#include <set>

#include "core/text.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/scripted/chat_conversation.hpp"
#include "providers/scripted/chat_refusal.hpp"
#include "providers/scripted/openai_tool_choice.hpp"
#include "providers/scripted/tool_schema.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t largest_request = 25u << 20;
constexpr std::size_t most_tools = 128;
constexpr std::size_t tokens_of_an_image = 1100;
constexpr std::string_view known_members =
    "model messages tools tool_choice parallel_tool_calls max_tokens max_completion_tokens temperature top_p n stream "
    "stream_options stop presence_penalty frequency_penalty logit_bias logprobs top_logprobs user seed response_format "
    "reasoning_effort service_tier store metadata prompt_cache_key prompt_cache_options safety_identifier verbosity "
    "modalities prediction functions function_call web_search_options audio prompt_cache_retention";

using Complaint = std::optional<Refusal>;

class ChatChecker {
 public:
  ChatChecker(const net::HttpRequest& request, const Json& body) : body_(body), size_(request.body.size()) {}

  CheckedCall check() {
    if (!body_.is_object()) return refuse("The body must be a JSON object.", {});
    call_.format = WireFormat::openai_chat;
    if (const auto unknown = unknown_members(body_, known_members); !unknown.empty()) {
      return refuse("Unrecognized request argument supplied: " + unknown, unknown, "unknown_parameter");
    }
    for (const auto step : {&ChatChecker::check_model, &ChatChecker::check_limits, &ChatChecker::check_sampling,
                            &ChatChecker::check_tools, &ChatChecker::check_choice, &ChatChecker::check_reasoning,
                            &ChatChecker::check_format, &ChatChecker::check_messages}) {
      if (auto refusal = (this->*step)()) return *std::move(refusal);
    }
    call_.input_tokens = measure_.tokens_of(size_, tokens_of_an_image);
    return std::move(call_);
  }

 private:
  bool given(const char* name) const { return !member(body_, name).is_null(); }
  bool reasons() const { return capabilities_.developer_role; }

  Refusal unsupported(const char* name, std::string_view remedy = {}) const {
    auto message = "Unsupported parameter: '" + std::string{name} + "' is not supported with this model.";
    if (!remedy.empty()) message += " " + std::string{remedy};
    return refuse(std::move(message), name, "unsupported_parameter");
  }

  Complaint check_model() {
    if (!given("model")) return refuse("you must provide a model parameter", {});
    if (!body_["model"].is_string() || body_["model"].get_ref<const std::string&>().empty()) {
      return wrong_type("model", "a string");
    }
    call_.model = shorten(repair_utf8(body_["model"].get_ref<const std::string&>()), 200);
    capabilities_ = capabilities_of(WireFormat::openai_chat, call_.model);
    return std::nullopt;
  }

  Complaint check_limits() {
    for (const auto* name : {"max_tokens", "max_completion_tokens"}) {
      if (!given(name)) continue;
      const Json& value = body_[name];
      if (!value.is_number_integer()) return wrong_type(name, "an integer");
      if (value.get<std::int64_t>() < 1) {
        return refuse("Invalid '" + std::string{name} + "': integer below minimum value. Expected a value >= 1.", name,
                      "integer_below_min_value");
      }
      call_.max_output_tokens = value.get<std::uint64_t>();
    }
    if (given("max_tokens") && given("max_completion_tokens")) {
      return refuse("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", "max_tokens",
                    "invalid_request");
    }
    if (given("max_tokens") && reasons()) return unsupported("max_tokens", "Use 'max_completion_tokens' instead.");
    if (given("n") && body_["n"] != 1) {
      return refuse("This model gives one choice; 'n' must be 1.", "n", "unsupported_value");
    }
    if (given("stream") && !body_["stream"].is_boolean()) return wrong_type("stream", "a boolean");
    call_.stream = boolean_or(body_, "stream");
    if (given("stream_options") && !call_.stream) {
      return refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options",
                    "invalid_request");
    }
    call_.stream_usage = boolean_or(member(body_, "stream_options"), "include_usage");
    return std::nullopt;
  }

  Complaint check_sampling() {
    if (!reasons()) {
      if (given("temperature")) {
        const Json& value = body_["temperature"];
        if (!value.is_number()) return wrong_type("temperature", "a number");
        if (value.get<double>() < 0 || value.get<double>() > 2) {
          return refuse("Invalid 'temperature': expected a value from 0 to 2.", "temperature",
                        "decimal_above_max_value");
        }
      }
      return std::nullopt;
    }
    // gpt-5.1 to 5.x take sampling with effort none; the others never.
    const bool relaxed = text_or(body_, "reasoning_effort") == "none" && capabilities_.row != "o-series" &&
                         capabilities_.row.rfind("gpt-6", 0) != 0;
    if (relaxed) return std::nullopt;
    if (given("temperature") && body_["temperature"] != 1) {
      return refuse("Unsupported value: 'temperature' does not support " + dump_json(body_["temperature"]) +
                        " with this model. Only the default (1) value is supported.",
                    "temperature", "unsupported_value");
    }
    for (const auto* name :
         {"top_p", "presence_penalty", "frequency_penalty", "logprobs", "top_logprobs", "logit_bias"}) {
      if (given(name)) return unsupported(name);
    }
    if (given("stop") && capabilities_.row == "o-series") return unsupported("stop");
    return std::nullopt;
  }

  Complaint check_tools() {
    if (!given("tools")) return std::nullopt;
    const Json& tools = body_["tools"];
    if (!tools.is_array()) return wrong_type("tools", "an array of objects");
    if (tools.empty()) {
      return refuse("Invalid 'tools': empty array. Expected an array with minimum length 1.", "tools", "empty_array");
    }
    if (tools.size() > most_tools) {
      return refuse("Invalid 'tools': array too long. Expected at most 128 tools.", "tools", "array_above_max_length");
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < tools.size(); ++i) {
      const auto path = indexed("tools", i);
      const Json& tool = tools[i];
      if (!tool.is_object()) return wrong_type(path, "an object");
      const auto type = text_or(tool, "type");
      if (type.empty()) return missing(path + ".type");
      if (type != "function") return invalid_value(path + ".type", type, "'function'");
      const Json& function = member(tool, "function");
      if (!function.is_object()) return missing(path + ".function");
      const auto name = text_or(function, "name");
      if (name.empty()) return missing(path + ".function.name");
      if (!is_tool_name(name, longest_function_name)) {
        return refuse("Invalid '" + path +
                          ".function.name': string does not match pattern. Expected a string that matches the pattern "
                          "'^[a-zA-Z0-9_-]{1,64}$'.",
                      path + ".function.name", "invalid_value");
      }
      if (!names.insert(name).second) {
        return refuse("Tool names must be unique; '" + name + "' stands there twice.", path + ".function.name",
                      "invalid_value");
      }
      const Json& schema = member(function, "parameters");
      if (!schema.is_null()) {
        const auto param = path + ".function.parameters";
        if (auto refusal = check_function_schema(schema, name, param, boolean_or(function, "strict"))) return refusal;
      }
      call_.tools.push_back({name, schema.is_object() ? &schema : nullptr});
    }
    return std::nullopt;
  }

  Complaint check_choice() {
    const bool tools = !call_.tools.empty();
    if (given("parallel_tool_calls")) {
      if (!capabilities_.parallel_calls_parameter && capabilities_.row == "o-series") {
        return unsupported("parallel_tool_calls");
      }
      if (!body_["parallel_tool_calls"].is_boolean()) return wrong_type("parallel_tool_calls", "a boolean");
      if (!tools) {
        return refuse(
            "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are "
            "specified.",
            "parallel_tool_calls");
      }
    }
    if (!given("tool_choice")) {
      call_.choice = tools ? ToolChoice::automatic : ToolChoice::none;
      return std::nullopt;
    }
    if (!tools) {
      return refuse("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
                    "tool_choice");
    }
    const Json& choice = body_["tool_choice"];
    if (choice.is_string()) {
      const auto& word = choice.get_ref<const std::string&>();
      if (word == "none")
        call_.choice = ToolChoice::none;
      else if (word == "auto")
        call_.choice = ToolChoice::automatic;
      else if (word == "required")
        call_.choice = ToolChoice::any;
      else
        return invalid_value("tool_choice", word, "'none', 'auto', and 'required'");
      return std::nullopt;
    }
    if (!choice.is_object()) return wrong_type("tool_choice", "one of 'none', 'auto', 'required' or an object");
    const auto type = text_or(choice, "type");
    if (type == "function") {
      return choose_function(call_, text_or(member(choice, "function"), "name"), "tool_choice.function.name");
    }
    if (type == "allowed_tools") {
      return allow_tools(call_, member(choice, "allowed_tools"), "tool_choice.allowed_tools",
                         [](const Json& tool) { return text_or(member(tool, "function"), "name"); });
    }
    return invalid_value("tool_choice.type", type, "'function' and 'allowed_tools'");
  }

  Complaint check_reasoning() {
    const auto effort = text_or(body_, "reasoning_effort");
    if (given("reasoning_effort")) {
      if (!reasons() && capabilities_.row != "unknown" && capabilities_.row != "built-in rules") {
        return unsupported("reasoning_effort");
      }
      constexpr std::string_view efforts = " none minimal low medium high xhigh max ";
      if (efforts.find(" " + effort + " ") == std::string_view::npos) {
        return invalid_value("reasoning_effort", effort,
                             "'none', 'minimal', 'low', 'medium', 'high', 'xhigh' and 'max'");
      }
    }
    if (call_.tools.empty()) return std::nullopt;
    const bool refuses = !capabilities_.function_tools || (capabilities_.tools_need_effort_none && effort != "none");
    if (!refuses) return std::nullopt;
    return refuse("Function tools with reasoning_effort are not supported for " + call_.model +
                      " in /v1/chat/completions. Use reasoning_effort 'none' or /v1/responses.",
                  "reasoning_effort");
  }

  Complaint check_format() {
    if (!given("response_format")) return std::nullopt;
    const Json& format = body_["response_format"];
    return ask_for_structure(call_, format, member(format, "json_schema"), "response_format",
                             "response_format.json_schema");
  }

  Complaint check_messages() { return check_chat_conversation(member(body_, "messages"), call_.turns, measure_); }

  const Json& body_;
  std::size_t size_;
  ModelCall call_;
  ModelCapabilities capabilities_;
  InputMeasure measure_;
};

}  // namespace

std::optional<Refusal> check_chat_headers(const net::HttpRequest& request) {
  const auto authorization = request.headers.get("authorization");
  if (!(authorization.size() > 7 && to_lower_ascii(authorization.substr(0, 7)) == "bearer ")) {
    auto refusal = refuse(
        "You didn't provide an API key. Send it in an Authorization header with Bearer auth (Authorization: Bearer "
        "YOUR_KEY).",
        {});
    refusal.status = 401;
    return refusal;
  }
  if (request.method != "POST") return std::nullopt;
  if (to_lower_ascii(request.headers.get("content-type")).rfind("application/json", 0) != 0) {
    auto refusal =
        refuse("Unsupported content type; send the body as application/json.", {}, "unsupported_content_type");
    refusal.status = 415;
    return refusal;
  }
  if (request.body.size() > largest_request) {
    auto refusal = refuse("The request is larger than 25 MiB.", {}, "request_too_large");
    refusal.status = 413;
    return refusal;
  }
  return std::nullopt;
}

CheckedCall check_chat_request(const net::HttpRequest& request, const Json& body) {
  return ChatChecker{request, body}.check();
}

}  // namespace drover::providers::scripted
