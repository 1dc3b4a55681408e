#include "providers/openai_chat.hpp"

#include <algorithm>

#include "core/json_writer.hpp"
#include "core/text.hpp"
#include "providers/answer_body.hpp"
#include "providers/base64.hpp"
#include "providers/openai_answer.hpp"
#include "providers/provider_failure.hpp"
#include "providers/structured_call.hpp"
#include "providers/tool_calls.hpp"

namespace drover::providers::openai_chat {
namespace {

void write_user_message(JsonWriter& json, std::string& body, const ModelRequest& request, Rung rung, bool vision) {
  const bool reminded = rung == Rung::reminder && !request.reminder.empty();
  const std::string joined = reminded ? request.user_prompt + "\n\n" + request.reminder : std::string();
  const std::string& text = reminded ? joined : request.user_prompt;
  json.begin_object();
  json.member("role", "user");
  // A plain text where there is no picture: some servers take no list of parts.
  if (!vision || !request.screenshot) {
    json.member("content", text);
    json.end_object();
    return;
  }
  json.key("content");
  json.begin_array();
  json.begin_object();
  json.member("type", "text");
  json.member("text", text);
  json.end_object();
  json.begin_object();
  json.member("type", "image_url");
  json.key("image_url");
  json.begin_object();
  json.key("url");
  openai::write_data_url(json, body, *request.screenshot);
  json.end_object();
  json.end_object();
  json.end_array();
  json.end_object();
}

StopReason stop_reason(std::string_view word) noexcept {
  if (word == "stop") return StopReason::end;
  if (word == "tool_calls" || word == "function_call") return StopReason::tool_use;
  if (word == "length" || word == "max_tokens") return StopReason::length;
  if (word == "content_filter") return StopReason::content_filter;
  return StopReason::other;
}

/// A message's content: a text, null, or a list of parts.
std::string content_text(const Json& content) {
  if (content.is_string()) return model_text(content.get_ref<const std::string&>());
  std::string text;
  if (!content.is_array()) return text;
  for (const auto& part : content) {
    if (part.is_string()) text += part.get_ref<const std::string&>();
    text += text_or(part, "text");
  }
  return model_text(text);
}

/// The spellings of the reasoning, in the order in which they count.
std::string thinking_text(const Json& message, std::string& text) {
  for (const auto* const key : {"reasoning_content", "reasoning"}) {
    if (auto thinking = text_or(message, key); !thinking.empty()) return model_text(thinking);
  }
  if (const Json& details = member(message, "reasoning_details"); details.is_array()) {
    std::string joined;
    for (const auto& detail : details) {
      auto part = text_or(detail, "text");
      if (part.empty()) part = text_or(detail, "summary");
      if (!joined.empty() && !part.empty()) joined += '\n';
      joined += part;
    }
    if (!joined.empty()) return model_text(joined);
  }
  if (auto thinking = text_or(message, "thinking"); !thinking.empty()) return model_text(thinking);
  return split_think_prefix(text);
}

std::vector<RawToolCall> raw_calls(const Json& message) {
  std::vector<RawToolCall> calls;
  const auto add = [&](const Json& function, std::string id) {
    const Json& arguments = member(function, "arguments");
    calls.push_back(
        {std::move(id), text_or(function, "name"), arguments.is_null() ? member(function, "parameters") : arguments});
  };
  if (const Json& listed = member(message, "tool_calls"); listed.is_array()) {
    for (const auto& call : listed) {
      const Json& function = member(call, "function");
      add(function.is_object() ? function : call, text_or(call, "id"));
    }
  }
  const Json& legacy = member(message, "function_call");
  if (calls.empty() && legacy.is_object()) add(legacy, "");
  return calls;
}

}  // namespace

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities) {
  FixedParts parts;
  if (!system_prompt.empty()) {
    JsonWriter json(parts.system_message);
    json.begin_object();
    json.member("role", capabilities.developer_role ? "developer" : "system");
    json.member("content", system_prompt);
    json.end_object();
  }
  if (tools != nullptr && !tools->tools.empty()) {
    JsonWriter json(parts.tools);
    json.begin_array();
    for (const auto& tool : tools->tools) {
      json.begin_object();
      json.member("type", "function");
      json.key("function");
      json.begin_object();
      json.member("name", tool.name);
      json.member("description", tool.description);
      json.key("parameters");
      json.raw(dump_json(tool.parameters.is_object() ? tool.parameters : Json{{"type", "object"}}));
      json.end_object();
      json.end_object();
    }
    json.end_array();
    parts.structured_schema = dump_json(structured_call_schema(*tools));
  }
  return parts;
}

std::uint32_t output_limit(const ModelRequest& request, Rung, const ModelCapabilities& capabilities) noexcept {
  return std::min(request.max_output_tokens, capabilities.max_output_tokens);
}

std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities) {
  const bool picture = capabilities.vision && request.screenshot;
  std::string body;
  body.reserve(512 + fixed.system_message.size() + fixed.tools.size() + request.user_prompt.size() * 9 / 8 +
               (picture ? base64_size(request.screenshot->bytes.size()) : 0));

  JsonWriter json(body);
  json.begin_object();
  json.member("model", model);
  json.member(capabilities.max_completion_tokens ? "max_completion_tokens" : "max_tokens",
              output_limit(request, rung, capabilities));
  json.key("messages");
  json.begin_array();
  if (!fixed.system_message.empty()) json.raw(fixed.system_message);
  write_user_message(json, body, request, rung, capabilities.vision);
  json.end_array();
  if (rung == Rung::structured && !fixed.structured_schema.empty()) {
    json.key("response_format");
    json.begin_object();
    json.member("type", "json_schema");
    json.key("json_schema");
    json.begin_object();
    json.member("name", "tool_call");
    json.key("schema");
    json.raw(fixed.structured_schema);
    // The strict subset wants every argument required, which tools with a choice of arguments can't say.
    if (capabilities.strict_parameter) json.member("strict", false);
    json.end_object();
    json.end_object();
  } else if (!fixed.tools.empty()) {
    json.key("tools");
    json.raw(fixed.tools);
    json.member("tool_choice", rung == Rung::forced ? "required" : "auto");
    if (capabilities.parallel_calls_parameter) json.member("parallel_tool_calls", false);
    if (capabilities.tools_need_effort_none) json.member("reasoning_effort", "none");
  }
  json.end_object();
  return body;
}

DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret) {
  auto read = body_of_success(response, secret);
  if (auto* failure = std::get_if<ProviderFailure>(&read)) return std::move(*failure);
  const Json& body = std::get<Json>(read);

  ModelAnswer answer = openai::begin_answer(response, body);
  answer.usage = openai::read_usage(member(body, "usage"), "prompt_tokens", "completion_tokens", price);

  const Json& choices = member(body, "choices");
  if (!choices.is_array() || choices.empty() || !choices.front().is_object()) {
    auto failure = unreadable_answer("the answer holds no choice", response.status);
    failure.usage = answer.usage;
    failure.request_id = answer.request_id;
    return failure;
  }
  const Json& choice = choices.front();
  const auto finish = text_or(choice, "finish_reason");
  if (const Json& error = error_in(choice); finish == "error" || error.is_object()) {
    auto failure = classify_failure(response, choice, secret);
    failure.usage = answer.usage;
    return failure;
  }
  const Json& message = member(choice, "message");
  if (!message.is_object()) return unreadable_answer("the answer's choice holds no message", response.status);

  answer.stop = stop_reason(finish);
  answer.text_output = content_text(member(message, "content"));
  answer.thinking = thinking_text(message, answer.text_output);
  auto calls = raw_calls(message);
  return openai::conclude(std::move(answer), std::move(calls), text_or(message, "refusal"), secret, response.status);
}

}  // namespace drover::providers::openai_chat
