#include "providers/openai_responses.hpp"

#include <algorithm>

#include "core/json_writer.hpp"
#include "core/text.hpp"
#include "providers/answer_body.hpp"
#include "providers/base64.hpp"
#include "providers/openai_answer.hpp"
#include "providers/provider_failure.hpp"
#include "providers/structured_call.hpp"
#include "providers/tool_calls.hpp"

namespace drover::providers::openai_responses {
namespace {

/// What a model that can't be kept from reasoning may need for one small decision.
constexpr std::uint32_t room_for_reasoning = 4096;
constexpr std::uint32_t most_of_low_effort = 2048;
constexpr std::uint32_t most_of_medium_effort = 8192;

bool thinks(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept {
  return rung == Rung::automatic && request.thinking_budget_tokens && *request.thinking_budget_tokens > 0 &&
         capabilities.thinking == ThinkingForm::effort;
}

/// The effort nearest to a budget of tokens, which this format has no word for.
std::string_view effort_of(std::uint32_t budget) noexcept {
  if (budget <= most_of_low_effort) return "low";
  return budget <= most_of_medium_effort ? "medium" : "high";
}

void write_reasoning(JsonWriter& json, const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) {
  const bool thinking = thinks(request, rung, capabilities);
  if (!thinking && capabilities.least_effort.empty()) return;
  json.key("reasoning");
  json.begin_object();
  json.member("effort", thinking ? effort_of(*request.thinking_budget_tokens) : capabilities.least_effort);
  if (thinking) json.member("summary", "auto");
  json.end_object();
}

void write_input(JsonWriter& json, std::string& body, const ModelRequest& request, Rung rung, bool vision) {
  json.key("input");
  json.begin_array();
  json.begin_object();
  json.member("role", "user");
  json.key("content");
  json.begin_array();
  json.begin_object();
  json.member("type", "input_text");
  const bool reminded = rung == Rung::reminder && !request.reminder.empty();
  json.member("text", reminded ? request.user_prompt + "\n\n" + request.reminder : request.user_prompt);
  json.end_object();
  if (vision && request.screenshot) {
    json.begin_object();
    json.member("type", "input_image");
    json.member("detail", "auto");
    json.key("image_url");
    openai::write_data_url(json, body, *request.screenshot);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  json.end_array();
}

/// Everything that the items of an output hold.
struct Output {
  std::string text;
  std::string thinking;
  std::string refusal;
  std::vector<RawToolCall> calls;
};

void append(std::string& text, std::string_view part, std::string_view between) {
  if (!text.empty() && !part.empty()) text += between;
  text += part;
}

Output read_output(const Json& items) {
  Output output;
  if (!items.is_array()) return output;
  for (const auto& item : items) {
    const auto type = text_or(item, "type");
    if (type == "function_call") {
      auto id = text_or(item, "call_id");
      if (id.empty()) id = text_or(item, "id");
      output.calls.push_back({std::move(id), text_or(item, "name"), member(item, "arguments")});
    } else if (type == "reasoning") {
      // The summary is what OpenAI shows; servers of its format put the text itself into content.
      for (const auto* const key : {"summary", "content"}) {
        const Json& parts = member(item, key);
        if (!parts.is_array()) continue;
        for (const auto& part : parts) append(output.thinking, text_or(part, "text"), "\n");
      }
    } else if (type == "message") {
      const Json& parts = member(item, "content");
      if (parts.is_string()) append(output.text, parts.get_ref<const std::string&>(), "");
      if (!parts.is_array()) continue;
      for (const auto& part : parts) {
        append(output.text, text_or(part, "text"), "");
        append(output.refusal, text_or(part, "refusal"), " ");
      }
    }
  }
  return output;
}

StopReason stop_reason(std::string_view status, std::string_view incomplete_reason) noexcept {
  if (incomplete_reason == "max_output_tokens" || incomplete_reason == "max_tokens") return StopReason::length;
  if (incomplete_reason == "content_filter") return StopReason::content_filter;
  return status == "completed" ? StopReason::end : StopReason::other;
}

}  // namespace

std::uint32_t output_limit(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept {
  std::uint64_t room = request.max_output_tokens;
  if (thinks(request, rung, capabilities)) {
    room += *request.thinking_budget_tokens;
  } else if (!capabilities.least_effort.empty() && capabilities.least_effort != "none") {
    room += room_for_reasoning;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, capabilities.max_output_tokens));
}

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities) {
  FixedParts parts;
  if (!system_prompt.empty()) JsonWriter(parts.instructions).text(system_prompt);
  if (tools != nullptr && !tools->tools.empty()) {
    JsonWriter json(parts.tools);
    json.begin_array();
    for (const auto& tool : tools->tools) {
      json.begin_object();
      json.member("type", "function");
      json.member("name", tool.name);
      json.member("description", tool.description);
      json.key("parameters");
      json.raw(dump_json(tool.parameters.is_object() ? tool.parameters : Json{{"type", "object"}}));
      // Left out it would mean true, and strict tools allow no optional argument.
      if (capabilities.strict_parameter) json.member("strict", false);
      json.end_object();
    }
    json.end_array();
    parts.structured_schema = dump_json(structured_call_schema(*tools));
  }
  return parts;
}

std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities) {
  const bool picture = capabilities.vision && request.screenshot;
  std::string body;
  body.reserve(512 + fixed.instructions.size() + fixed.tools.size() + request.user_prompt.size() * 9 / 8 +
               (picture ? base64_size(request.screenshot->bytes.size()) : 0));
  JsonWriter json(body);
  json.begin_object();
  json.member("model", model);
  json.member("max_output_tokens", output_limit(request, rung, capabilities));
  if (capabilities.store_parameter) json.member("store", false);
  if (!fixed.instructions.empty()) {
    json.key("instructions");
    json.raw(fixed.instructions);
  }
  if (rung == Rung::structured && !fixed.structured_schema.empty()) {
    json.key("text");
    json.begin_object();
    json.key("format");
    json.begin_object();
    json.member("type", "json_schema");
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
  }
  write_reasoning(json, request, rung, capabilities);
  write_input(json, body, request, rung, capabilities.vision);
  json.end_object();
  return body;
}

DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret) {
  auto read = body_of_success(response, secret);
  if (auto* failure = std::get_if<ProviderFailure>(&read)) return std::move(*failure);
  const Json& body = std::get<Json>(read);

  ModelAnswer answer = openai::begin_answer(response, body);
  answer.usage = openai::read_usage(member(body, "usage"), "input_tokens", "output_tokens", price);

  const auto fails = [&](std::string cause) {
    auto failure = unreadable_answer(std::move(cause), response.status);
    failure.usage = answer.usage;
    failure.request_id = answer.request_id;
    return failure;
  };
  const auto status = text_or(body, "status");
  if (status == "failed" || status == "cancelled") {
    auto failure = fails("the service gave the answer the status " + status + " without a reason");
    failure.kind = FailureKind::server;
    return failure;
  }
  if (status == "queued" || status == "in_progress") {
    return fails("the answer's status is " + status);
  }
  if (!member(body, "output").is_array()) return fails("the answer holds no output");

  auto output = read_output(member(body, "output"));
  answer.stop = stop_reason(status, text_or(member(body, "incomplete_details"), "reason"));
  answer.text_output = model_text(output.text);
  answer.thinking = model_text(output.thinking);
  if (answer.thinking.empty()) answer.thinking = split_think_prefix(answer.text_output);
  return openai::conclude(std::move(answer), std::move(output.calls), output.refusal, secret, response.status);
}

}  // namespace drover::providers::openai_responses
