#include "providers/scripted/responses_request.hpp"

#include <set>

#include "core/text.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/scripted/chat_refusal.hpp"
#include "providers/scripted/openai_tool_choice.hpp"
#include "providers/scripted/responses_input.hpp"
#include "providers/scripted/tool_schema.hpp"

namespace drover::providers::scripted {
namespace {

constexpr std::size_t most_tools = 128;
constexpr std::size_t tokens_of_an_image = 1100;
constexpr std::int64_t least_output_tokens = 16;
constexpr std::string_view known_members =
    "model input instructions tools tool_choice parallel_tool_calls max_output_tokens max_tool_calls temperature top_p "
    "stream stream_options reasoning text store include previous_response_id conversation truncation metadata user "
    "safety_identifier prompt_cache_key prompt_cache_options prompt_cache_retention service_tier background prompt "
    "top_logprobs";

using Complaint = std::optional<Refusal>;

class ResponsesChecker {
 public:
  ResponsesChecker(const net::HttpRequest& request, const Json& body) : body_(body), size_(request.body.size()) {}

  CheckedCall check() {
    if (!body_.is_object()) return refuse("The body must be a JSON object.", {});
    call_.format = WireFormat::openai_responses;
    if (const auto unknown = unknown_members(body_, known_members); !unknown.empty()) {
      return refuse("Unknown parameter: '" + unknown + "'.", unknown, "unknown_parameter");
    }
    for (const auto step :
         {&ResponsesChecker::check_model, &ResponsesChecker::check_limits, &ResponsesChecker::check_stored,
          &ResponsesChecker::check_sampling, &ResponsesChecker::check_tools, &ResponsesChecker::check_choice,
          &ResponsesChecker::check_reasoning, &ResponsesChecker::check_format, &ResponsesChecker::check_input}) {
      if (auto refusal = (this->*step)()) return *std::move(refusal);
    }
    call_.input_tokens = measure_.tokens_of(size_, tokens_of_an_image);
    return std::move(call_);
  }

 private:
  bool given(const char* name) const { return !member(body_, name).is_null(); }
  bool reasons() const { return !capabilities_.least_effort.empty(); }
  bool is_openais() const { return capabilities_.row != "unknown" && capabilities_.row != "built-in rules"; }

  static Refusal unsupported(const std::string& name) {
    return refuse("Unsupported parameter: '" + name + "' is not supported with this model.", name,
                  "unsupported_parameter");
  }

  Complaint check_model() {
    if (!given("model")) return missing("model");
    if (!body_["model"].is_string() || body_["model"].get_ref<const std::string&>().empty()) {
      return wrong_type("model", "a string");
    }
    call_.model = shorten(repair_utf8(body_["model"].get_ref<const std::string&>()), 200);
    capabilities_ = capabilities_of(WireFormat::openai_responses, call_.model);
    return std::nullopt;
  }

  Complaint check_limits() {
    if (given("max_output_tokens")) {
      const Json& value = body_["max_output_tokens"];
      if (!value.is_number_integer()) return wrong_type("max_output_tokens", "an integer");
      if (value.get<std::int64_t>() < least_output_tokens) {
        return refuse("Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.",
                      "max_output_tokens", "integer_below_min_value");
      }
      call_.max_output_tokens = value.get<std::uint64_t>();
    }
    if (given("stream") && !body_["stream"].is_boolean()) return wrong_type("stream", "a boolean");
    call_.stream = boolean_or(body_, "stream");
    if (given("background") && body_["background"] != false) {
      return refuse("Responses in the background are not kept here.", "background", "unsupported_value");
    }
    return std::nullopt;
  }

  Complaint check_stored() {
    if (given("store") && !body_["store"].is_boolean()) return wrong_type("store", "a boolean");
    if (!given("previous_response_id")) return std::nullopt;
    auto refusal =
        refuse("Previous response with id '" + shorten(text_or(body_, "previous_response_id"), 80) + "' not found.",
               "previous_response_id", "previous_response_not_found");
    refusal.status = 404;
    return refusal;
  }

  Complaint check_sampling() {
    const auto effort = text_or(member(body_, "reasoning"), "effort");
    if (!reasons() || effort == "none") return std::nullopt;
    for (const auto* name : {"temperature", "top_p", "top_logprobs"}) {
      if (given(name)) return unsupported(name);
    }
    return std::nullopt;
  }

  Complaint check_tools() {
    if (!given("tools")) return std::nullopt;
    const Json& tools = body_["tools"];
    if (!tools.is_array()) return wrong_type("tools", "an array of objects");
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
      const auto name = text_or(tool, "name");
      if (name.empty()) return missing(path + ".name");
      if (!is_tool_name(name, longest_function_name)) {
        return refuse("Invalid '" + path + ".name': string does not match pattern '^[a-zA-Z0-9_-]+$'.", path + ".name",
                      "invalid_value");
      }
      if (!names.insert(name).second) {
        return refuse("Tool names must be unique; '" + name + "' stands there twice.", path + ".name", "invalid_value");
      }
      const Json& schema = member(tool, "parameters");
      if (!schema.is_null()) {
        // Left out, strict is true in this format.
        const bool strict = boolean_or(tool, "strict", true);
        if (auto refusal = check_function_schema(schema, name, path + ".parameters", strict)) return refusal;
      }
      call_.tools.push_back({name, schema.is_object() ? &schema : nullptr});
    }
    return std::nullopt;
  }

  Complaint check_choice() {
    const bool tools = !call_.tools.empty();
    if (given("parallel_tool_calls")) {
      if (!capabilities_.parallel_calls_parameter && is_openais()) return unsupported("parallel_tool_calls");
      if (!body_["parallel_tool_calls"].is_boolean()) return wrong_type("parallel_tool_calls", "a boolean");
    }
    if (!given("tool_choice")) {
      call_.choice = tools ? ToolChoice::automatic : ToolChoice::none;
      return std::nullopt;
    }
    const Json& choice = body_["tool_choice"];
    if (choice.is_string()) {
      const auto& word = choice.get_ref<const std::string&>();
      if (word != "none" && word != "auto" && word != "required") {
        return invalid_value("tool_choice", word, "'none', 'auto', and 'required'");
      }
      if (word == "required" && !tools) {
        return refuse("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice");
      }
      call_.choice = word == "required"        ? ToolChoice::any
                     : word == "auto" && tools ? ToolChoice::automatic
                                               : ToolChoice::none;
      return std::nullopt;
    }
    if (!choice.is_object()) return wrong_type("tool_choice", "one of 'none', 'auto', 'required' or an object");
    const auto type = text_or(choice, "type");
    if (type == "function") return choose_function(call_, text_or(choice, "name"), "tool_choice.name");
    if (type == "allowed_tools") {
      return allow_tools(call_, choice, "tool_choice", [](const Json& tool) { return text_or(tool, "name"); });
    }
    return invalid_value("tool_choice.type", type, "'function' and 'allowed_tools'");
  }

  Complaint check_reasoning() {
    if (!given("reasoning")) return std::nullopt;
    const Json& reasoning = body_["reasoning"];
    if (!reasoning.is_object()) return wrong_type("reasoning", "an object");
    if (is_openais() && !reasons()) return unsupported("reasoning.effort");
    const auto summary = text_or(reasoning, "summary");
    if (!summary.empty() && summary != "auto" && summary != "concise" && summary != "detailed") {
      return invalid_value("reasoning.summary", summary, "'auto', 'concise', and 'detailed'");
    }
    call_.show_thinking = !summary.empty();
    const auto effort = text_or(reasoning, "effort");
    if (effort.empty()) return std::nullopt;
    constexpr std::string_view efforts = " none minimal low medium high xhigh max ";
    const bool known = efforts.find(" " + effort + " ") != std::string_view::npos;
    const bool too_little =
        (effort == "none" || effort == "minimal") && reasons() && effort != capabilities_.least_effort;
    if (known && !too_little) return std::nullopt;
    return refuse(
        "Unsupported value: '" + shorten(effort, 40) + "' is not supported with the '" + call_.model + "' model.",
        "reasoning.effort", "unsupported_value");
  }

  Complaint check_format() {
    const Json& format = member(member(body_, "text"), "format");
    if (format.is_null()) return std::nullopt;
    return ask_for_structure(call_, format, format, "text.format", "text.format");
  }

  Complaint check_input() {
    if (given("instructions")) {
      if (!body_["instructions"].is_string()) return wrong_type("instructions", "a string");
      measure_.count_text(body_["instructions"].get_ref<const std::string&>());
    }
    return check_responses_input(member(body_, "input"), call_.turns, measure_);
  }

  const Json& body_;
  std::size_t size_;
  ModelCall call_;
  ModelCapabilities capabilities_;
  InputMeasure measure_;
};

}  // namespace

CheckedCall check_responses_request(const net::HttpRequest& request, const Json& body) {
  return ResponsesChecker{request, body}.check();
}

}  // namespace drover::providers::scripted
