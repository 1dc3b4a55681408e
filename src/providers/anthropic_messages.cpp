#include "providers/anthropic_messages.hpp"

#include <algorithm>

#include "core/json_writer.hpp"
#include "core/text.hpp"
#include "providers/answer_body.hpp"
#include "providers/base64.hpp"
#include "providers/provider_failure.hpp"
#include "providers/structured_call.hpp"
#include "providers/tool_calls.hpp"

namespace drover::providers::anthropic {
namespace {

constexpr std::uint32_t least_budget = 1024;
constexpr std::string_view cache_mark = R"({"type":"ephemeral"})";

/// The tool's schema as this format takes it: an object without alternatives at its top.
Json input_schema(const Json& parameters) {
  Json schema = parameters.is_object() ? parameters : Json::object();
  for (const auto* const key : {"oneOf", "allOf", "anyOf"}) schema.erase(key);
  schema["type"] = "object";
  return schema;
}

bool thinks(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept {
  return rung == Rung::automatic && request.thinking_budget_tokens && *request.thinking_budget_tokens > 0 &&
         capabilities.thinking != ThinkingForm::none;
}

std::uint32_t thinking_budget(const ModelRequest& request, const ModelCapabilities& capabilities) noexcept {
  const auto most = std::max(capabilities.max_output_tokens, least_budget + 1) - 1;
  return std::clamp(*request.thinking_budget_tokens, least_budget, most);
}

void write_tool_choice(JsonWriter& json, Rung rung, const ModelCapabilities& capabilities) {
  json.key("tool_choice");
  json.begin_object();
  json.member("type", rung == Rung::forced ? "any" : "auto");
  if (capabilities.parallel_calls_parameter) json.member("disable_parallel_tool_use", true);
  json.end_object();
}

void write_thinking(JsonWriter& json, const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) {
  if (thinks(request, rung, capabilities)) {
    json.key("thinking");
    json.begin_object();
    if (capabilities.thinking == ThinkingForm::adaptive) {
      // The text of the thinking is left out of the answer unless it is asked for.
      json.member("type", "adaptive");
      json.member("display", "summarized");
    } else {
      json.member("type", "enabled");
      json.member("budget_tokens", thinking_budget(request, capabilities));
    }
    json.end_object();
  } else if (rung == Rung::forced && capabilities.thinking != ThinkingForm::none &&
             capabilities.disabled_thinking == DisabledThinking::accepted) {
    json.key("thinking");
    json.raw(R"({"type":"disabled"})");
  }
}

void write_text(JsonWriter& json, std::string_view text, bool marked) {
  json.begin_object();
  json.member("type", "text");
  json.member("text", text);
  if (marked) {
    json.key("cache_control");
    json.raw(cache_mark);
  }
  json.end_object();
}

/// What the next request will repeat, a block for each line and a mark on the last: the
/// service finds what it kept at the ends of blocks only, and with the history in one block
/// that grows it would never find any of it.
void write_stable_lines(JsonWriter& json, std::string_view stable) {
  while (!stable.empty()) {
    const auto end = stable.find('\n');
    const auto line = stable.substr(0, end == std::string_view::npos ? stable.size() : end + 1);
    stable.remove_prefix(line.size());
    write_text(json, line, stable.empty());
  }
}

void write_picture(JsonWriter& json, std::string& body, const Screenshot& screenshot) {
  json.begin_object();
  json.member("type", "image");
  json.key("source");
  json.begin_object();
  json.member("type", "base64");
  json.member("media_type", screenshot.media_type);
  json.key("data");
  json.raw("\"");
  append_base64(body, screenshot.bytes);
  body += '"';
  json.end_object();
  json.end_object();
}

/// What stays the same, then the picture, then what the picture is about.
void write_user_message(JsonWriter& json, std::string& body, const ModelRequest& request, Rung rung,
                        const ModelCapabilities& capabilities) {
  const auto stable = capabilities.cache_marks ? std::min(request.stable_bytes, request.user_prompt.size()) : 0;
  json.key("messages");
  json.begin_array();
  json.begin_object();
  json.member("role", "user");
  json.key("content");
  json.begin_array();
  write_stable_lines(json, std::string_view{request.user_prompt}.substr(0, stable));
  if (capabilities.vision && request.screenshot) write_picture(json, body, *request.screenshot);
  std::string_view rest = std::string_view{request.user_prompt}.substr(stable);
  std::string reminded;
  if (rung == Rung::reminder && !request.reminder.empty()) {
    reminded = std::string{rest} + "\n\n" + request.reminder;
    rest = reminded;
  }
  // A block without text is refused.
  if (!rest.empty() || stable == 0) write_text(json, rest, false);
  json.end_array();
  json.end_object();
  json.end_array();
}

StopReason stop_reason(std::string_view word) noexcept {
  if (word == "end_turn" || word == "stop_sequence") return StopReason::end;
  if (word == "tool_use") return StopReason::tool_use;
  if (word == "max_tokens" || word == "model_context_window_exceeded") return StopReason::length;
  if (word == "refusal") return StopReason::refusal;
  return StopReason::other;
}

Usage read_usage(const Json& usage, const std::optional<Price>& price) {
  BilledTokens billed;
  billed.input = token_count(usage, "input_tokens");
  billed.cache_write = token_count(usage, "cache_creation_input_tokens");
  billed.cached_input = token_count(usage, "cache_read_input_tokens");
  billed.output = token_count(usage, "output_tokens");
  Usage result;
  result.calls = 1;
  result.input_tokens = billed.input + billed.cache_write + billed.cached_input;
  result.cached_tokens = billed.cached_input;
  result.output_tokens = billed.output;
  result.thinking_tokens = token_count(member(usage, "output_tokens_details"), "thinking_tokens");
  if (price && usage.is_object()) result.cost = cost_of(*price, billed);
  return result;
}

/// Sorts the blocks of an answer into text, thinking and calls.
std::vector<RawToolCall> read_blocks(const Json& content, ModelAnswer& answer) {
  std::vector<RawToolCall> calls;
  if (content.is_string()) answer.text_output = model_text(content.get_ref<const std::string&>());
  if (!content.is_array()) return calls;
  for (const auto& block : content) {
    const auto type = text_or(block, "type");
    if (type == "text") {
      const auto text = model_text(text_or(block, "text"));
      if (!answer.text_output.empty() && !text.empty()) answer.text_output += '\n';
      answer.text_output += text;
    } else if (type == "thinking") {
      if (answer.thinking.empty()) answer.thinking = model_text(text_or(block, "thinking"));
    } else if (type == "tool_use") {
      calls.push_back({text_or(block, "id"), text_or(block, "name"), member(block, "input")});
    } else if (type != "redacted_thinking") {
      answer.notes.push_back("a block of type " + shorten(type, 40) + " left out");
    }
  }
  return calls;
}

}  // namespace

FixedParts fixed_parts(std::string_view system_prompt, const ToolSet* tools, const ModelCapabilities& capabilities) {
  FixedParts parts;
  if (!system_prompt.empty()) {
    JsonWriter json(parts.system);
    json.begin_array();
    json.begin_object();
    json.member("type", "text");
    json.member("text", system_prompt);
    if (capabilities.cache_marks) {
      json.key("cache_control");
      json.raw(cache_mark);
    }
    json.end_object();
    json.end_array();
  }
  if (tools != nullptr && !tools->tools.empty()) {
    JsonWriter json(parts.tools);
    json.begin_array();
    for (const auto& tool : tools->tools) {
      json.begin_object();
      json.member("name", tool.name);
      json.member("description", tool.description);
      json.key("input_schema");
      json.raw(dump_json(input_schema(tool.parameters)));
      if (capabilities.cache_marks && &tool == &tools->tools.back()) {
        json.key("cache_control");
        json.raw(cache_mark);
      }
      json.end_object();
    }
    json.end_array();
    parts.structured_schema = dump_json(structured_call_schema(*tools));
  }
  return parts;
}

bool asks_for_budget(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept {
  return thinks(request, rung, capabilities) && capabilities.thinking == ThinkingForm::enabled_budget;
}

std::uint32_t output_limit(const ModelRequest& request, Rung rung, const ModelCapabilities& capabilities) noexcept {
  if (!thinks(request, rung, capabilities)) return std::min(request.max_output_tokens, capabilities.max_output_tokens);
  const auto budget = thinking_budget(request, capabilities);
  const auto room = std::uint64_t{request.max_output_tokens} + budget;
  const auto most = std::max(capabilities.max_output_tokens, budget + 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, most));
}

std::string encode_body(const ModelRequest& request, Rung rung, const FixedParts& fixed, std::string_view model,
                        const ModelCapabilities& capabilities) {
  const bool picture = capabilities.vision && request.screenshot;
  std::string body;
  body.reserve(512 + fixed.system.size() + fixed.tools.size() + request.user_prompt.size() * 9 / 8 +
               (picture ? base64_size(request.screenshot->bytes.size()) : 0));

  JsonWriter json(body);
  json.begin_object();
  json.member("model", model);
  json.member("max_tokens", output_limit(request, rung, capabilities));
  if (!fixed.system.empty()) {
    json.key("system");
    json.raw(fixed.system);
  }
  if (rung == Rung::structured && !fixed.structured_schema.empty()) {
    json.key("output_config");
    json.begin_object();
    json.key("format");
    json.begin_object();
    json.member("type", "json_schema");
    json.key("schema");
    json.raw(fixed.structured_schema);
    json.end_object();
    json.end_object();
  } else if (!fixed.tools.empty()) {
    json.key("tools");
    json.raw(fixed.tools);
    write_tool_choice(json, rung, capabilities);
  }
  write_thinking(json, request, rung, capabilities);
  write_user_message(json, body, request, rung, capabilities);
  json.end_object();
  return body;
}

DecodedAnswer decode(const net::HttpResponse& response, const std::optional<Price>& price, std::string_view secret) {
  auto read = body_of_success(response, secret);
  if (auto* failure = std::get_if<ProviderFailure>(&read)) return std::move(*failure);
  const Json& body = std::get<Json>(read);

  const Json& content = member(body, "content");
  if (!body.is_object() || (!content.is_array() && !content.is_string() && text_or(body, "type") != "message")) {
    return unreadable_answer("the answer is JSON but no message", response.status);
  }

  ModelAnswer answer;
  answer.model = shorten(text_or(body, "model"), 128);
  answer.request_id = shorten(response.headers.get("request-id"), 128);
  answer.stop = stop_reason(text_or(body, "stop_reason"));
  answer.usage = read_usage(member(body, "usage"), price);
  auto calls = read_blocks(content, answer);

  if (answer.stop == StopReason::refusal) {
    const Json& details = member(body, "stop_details");
    ProviderFailure failure;
    failure.kind = FailureKind::refused;
    failure.status = response.status;
    failure.cause = "the model refused to answer";
    if (const auto category = text_or(details, "category"); !category.empty()) {
      failure.cause += " (" + shorten(category, 60) + ")";
    }
    if (const auto why = clean_message(text_or(details, "explanation"), secret); !why.empty())
      failure.cause += ": " + why;
    failure.cause = shorten(failure.cause, 400);
    failure.usage = answer.usage;
    failure.request_id = answer.request_id;
    return failure;
  }
  if (calls.empty() && answer.text_output.empty()) answer.notes.emplace_back("the answer held neither text nor a call");
  // The service closes what was cut, so that a cut call's input reads as a whole object.
  const auto cut_off = answer.stop == StopReason::length ? CutOff::last_call : CutOff::no;
  return with_calls(std::move(answer), std::move(calls), cut_off, response.status);
}

}  // namespace drover::providers::anthropic
