#include "providers/scripted/replies.hpp"

#include <chrono>
#include <vector>

#include "core/json_writer.hpp"
#include "core/text.hpp"
#include "providers/scripted/responses_reply.hpp"
#include "providers/scripted/rules.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::int64_t model_created = 1'796'000'000;

std::int64_t unix_seconds(UtcTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

net::HttpResponse json_response(int status, std::string body, WireFormat format, const ReplyStamp& stamp) {
  net::HttpResponse response;
  response.status = status;
  response.headers.set("content-type", "application/json");
  response.headers.set(format == WireFormat::anthropic ? "request-id" : "x-request-id", "req_" + stamp.id);
  response.body = std::move(body);
  return response;
}

std::string_view stop_reason(const ModelReply& reply) {
  if (reply.cut_off) return "max_tokens";
  return reply.tool.empty() ? "end_turn" : "tool_use";
}

std::string_view finish_reason(const ModelCall& call, const ModelReply& reply) {
  if (reply.cut_off) return "length";
  if (reply.tool.empty() || call.choice == ToolChoice::named) return "stop";
  return "tool_calls";
}

/// Arguments as an object; what is no JSON is handed on as a text, as gateways do.
void write_input(JsonWriter& json, const std::string& arguments) {
  const auto parsed = parse_json(arguments, "arguments");
  if (parsed.ok() && parsed->is_object()) {
    json.raw(arguments);
  } else {
    json.text(arguments);
  }
}

void write_usage(JsonWriter& json, const ModelCall& call, std::uint64_t output_tokens) {
  json.begin_object();
  json.member("input_tokens", call.input_tokens - call.cached_tokens - call.cache_write_tokens);
  json.member("cache_creation_input_tokens", call.cache_write_tokens);
  json.member("cache_read_input_tokens", call.cached_tokens);
  json.key("cache_creation");
  json.begin_object();
  json.member("ephemeral_5m_input_tokens", call.cache_write_tokens);
  json.member("ephemeral_1h_input_tokens", 0);
  json.end_object();
  json.member("output_tokens", output_tokens);
  json.key("output_tokens_details");
  json.raw(R"({"thinking_tokens":0})");
  for (const auto* const name : {"server_tool_use", "inference_geo"}) {
    json.key(name);
    json.null();
  }
  json.member("service_tier", "standard");
  json.member("speed", "standard");
  json.end_object();
}

void write_chat_usage(JsonWriter& json, const ModelCall& call, const ModelReply& reply) {
  json.begin_object();
  json.member("prompt_tokens", call.input_tokens);
  json.member("completion_tokens", reply.output_tokens);
  json.member("total_tokens", call.input_tokens + reply.output_tokens);
  json.key("prompt_tokens_details");
  json.begin_object();
  json.member("cached_tokens", call.cached_tokens);
  json.end_object();
  json.key("completion_tokens_details");
  json.raw(R"({"reasoning_tokens":0})");
  json.end_object();
}

std::string messages_body(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  std::string body;
  body.reserve(512 + reply.text.size() + reply.arguments.size() + reply.thinking.size());
  JsonWriter json{body};
  json.begin_object();
  json.member("id", "msg_" + stamp.id);
  json.member("type", "message");
  json.member("role", "assistant");
  json.member("model", call.model);
  json.key("content");
  json.begin_array();
  if (!reply.thinking.empty()) {
    json.begin_object();
    json.member("type", "thinking");
    json.member("thinking", reply.thinking);
    json.member("signature", "rules-" + stamp.id);
    json.end_object();
  }
  if (!reply.text.empty()) {
    json.begin_object();
    json.member("type", "text");
    json.member("text", reply.text);
    json.key("citations");
    json.null();
    json.end_object();
  }
  if (!reply.tool.empty()) {
    json.begin_object();
    json.member("type", "tool_use");
    json.member("id", "toolu_" + stamp.id);
    json.member("name", reply.tool);
    json.key("input");
    write_input(json, reply.arguments);
    json.key("caller");
    json.raw(R"({"type":"direct"})");
    json.end_object();
  }
  json.end_array();
  json.member("stop_reason", stop_reason(reply));
  for (const auto* const name : {"stop_sequence", "stop_details", "container", "diagnostics"}) {
    json.key(name);
    json.null();
  }
  json.key("usage");
  write_usage(json, call, reply.output_tokens);
  json.end_object();
  return body;
}

std::string chat_body(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  std::string body;
  body.reserve(640 + reply.text.size() + reply.arguments.size() * 5 / 4);
  JsonWriter json{body};
  json.begin_object();
  json.member("id", "chatcmpl-" + stamp.id);
  json.member("object", "chat.completion");
  json.member("created", unix_seconds(stamp.at));
  json.member("model", call.model);
  json.key("choices");
  json.begin_array();
  json.begin_object();
  json.member("index", 0);
  json.key("message");
  json.begin_object();
  json.member("role", "assistant");
  json.key("content");
  if (reply.text.empty()) {
    json.null();
  } else {
    json.text(reply.text);
  }
  json.key("refusal");
  json.null();
  json.key("annotations");
  json.raw("[]");
  if (!reply.tool.empty()) {
    json.key("tool_calls");
    json.begin_array();
    json.begin_object();
    json.member("id", "call_" + stamp.id);
    json.member("type", "function");
    json.key("function");
    json.begin_object();
    json.member("name", reply.tool);
    json.member("arguments", reply.arguments);
    json.end_object();
    json.end_object();
    json.end_array();
  }
  json.end_object();
  json.key("logprobs");
  json.null();
  json.member("finish_reason", finish_reason(call, reply));
  json.end_object();
  json.end_array();
  json.key("usage");
  write_chat_usage(json, call, reply);
  json.member("service_tier", "default");
  json.end_object();
  return body;
}

// --- streams: the whole answer as its events ---

void add_event(std::string& out, std::string_view name, const Json& data) {
  out += "event: ";
  out += name;
  out += "\ndata: " + dump_json(data) + "\n\n";
}

std::string messages_events(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  std::string out;
  std::string usage;
  JsonWriter usage_writer{usage};
  write_usage(usage_writer, call, 1);
  add_event(out, "message_start",
            {{"type", "message_start"},
             {"message",
              {{"id", "msg_" + stamp.id},
               {"type", "message"},
               {"role", "assistant"},
               {"model", call.model},
               {"content", Json::array()},
               {"stop_reason", nullptr},
               {"stop_sequence", nullptr},
               {"stop_details", nullptr},
               {"container", nullptr},
               {"diagnostics", nullptr},
               {"usage", Json::parse(usage)}}}});
  int index = 0;
  const auto add_block = [&](const Json& block, const std::vector<Json>& deltas) {
    add_event(out, "content_block_start",
              {{"type", "content_block_start"}, {"index", index}, {"content_block", block}});
    for (const auto& delta : deltas) {
      add_event(out, "content_block_delta", {{"type", "content_block_delta"}, {"index", index}, {"delta", delta}});
    }
    add_event(out, "content_block_stop", {{"type", "content_block_stop"}, {"index", index}});
    ++index;
  };
  if (!reply.thinking.empty()) {
    add_block({{"type", "thinking"}, {"thinking", ""}, {"signature", ""}},
              {{{"type", "thinking_delta"}, {"thinking", reply.thinking}},
               {{"type", "signature_delta"}, {"signature", "rules-" + stamp.id}}});
  }
  if (!reply.text.empty()) {
    add_block({{"type", "text"}, {"text", ""}, {"citations", nullptr}},
              {{{"type", "text_delta"}, {"text", reply.text}}});
  }
  if (!reply.tool.empty()) {
    add_block({{"type", "tool_use"},
               {"id", "toolu_" + stamp.id},
               {"name", reply.tool},
               {"input", Json::object()},
               {"caller", {{"type", "direct"}}}},
              {{{"type", "input_json_delta"}, {"partial_json", reply.arguments}}});
  }
  add_event(out, "message_delta",
            {{"type", "message_delta"},
             {"delta",
              {{"stop_reason", stop_reason(reply)},
               {"stop_sequence", nullptr},
               {"stop_details", nullptr},
               {"container", nullptr}}},
             {"usage",
              {{"input_tokens", call.input_tokens - call.cached_tokens - call.cache_write_tokens},
               {"cache_creation_input_tokens", call.cache_write_tokens},
               {"cache_read_input_tokens", call.cached_tokens},
               {"output_tokens", reply.output_tokens},
               {"output_tokens_details", {{"thinking_tokens", 0}}},
               {"server_tool_use", nullptr}}}});
  add_event(out, "message_stop", {{"type", "message_stop"}});
  return out;
}

std::string chat_events(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  std::string out;
  const auto add_chunk = [&](const Json& choices, const Json& usage) {
    Json chunk = {{"id", "chatcmpl-" + stamp.id},
                  {"object", "chat.completion.chunk"},
                  {"created", unix_seconds(stamp.at)},
                  {"model", call.model},
                  {"choices", choices}};
    if (call.stream_usage) chunk["usage"] = usage;
    out += "data: " + dump_json(chunk) + "\n\n";
  };
  const auto choice = [](const Json& delta, const Json& finish) {
    return Json::array({{{"index", 0}, {"delta", delta}, {"logprobs", nullptr}, {"finish_reason", finish}}});
  };
  add_chunk(choice({{"role", "assistant"}, {"content", reply.text.empty() ? Json(nullptr) : Json("")}}, nullptr),
            nullptr);
  if (!reply.text.empty()) add_chunk(choice({{"content", reply.text}}, nullptr), nullptr);
  if (!reply.tool.empty()) {
    const Json call_delta = {{"index", 0},
                             {"id", "call_" + stamp.id},
                             {"type", "function"},
                             {"function", {{"name", reply.tool}, {"arguments", reply.arguments}}}};
    add_chunk(choice({{"tool_calls", Json::array({call_delta})}}, nullptr), nullptr);
  }
  add_chunk(choice(Json::object(), std::string{finish_reason(call, reply)}), nullptr);
  if (call.stream_usage) {
    add_chunk(Json::array(), {{"prompt_tokens", call.input_tokens},
                              {"completion_tokens", reply.output_tokens},
                              {"total_tokens", call.input_tokens + reply.output_tokens}});
  }
  out += "data: [DONE]\n\n";
  return out;
}

Json describe_model(WireFormat format, const std::string& id) {
  if (format != WireFormat::anthropic) {
    return {{"id", id}, {"object", "model"}, {"created", model_created}, {"owned_by", "drover"}};
  }
  return {{"type", "model"},
          {"id", id},
          {"display_name", "Drover built-in rules (not a language model)"},
          {"created_at", "2026-11-30T00:00:00Z"},
          {"max_input_tokens", 200000},
          {"max_tokens", 16384},
          {"capabilities", nullptr},
          {"lifecycle", "active"},
          {"line", nullptr},
          {"deprecated_at", nullptr},
          {"retires_at", nullptr}};
}

std::string body_of(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  switch (call.format) {
    case WireFormat::anthropic:
      return messages_body(call, reply, stamp);
    case WireFormat::openai_chat:
      return chat_body(call, reply, stamp);
    case WireFormat::openai_responses:
      return responses_body(call, reply, stamp);
  }
  return "";
}

std::string events_of(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  switch (call.format) {
    case WireFormat::anthropic:
      return messages_events(call, reply, stamp);
    case WireFormat::openai_chat:
      return chat_events(call, reply, stamp);
    case WireFormat::openai_responses:
      return responses_events(call, reply, stamp);
  }
  return "";
}

}  // namespace

net::HttpResponse render_reply(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  if (call.stream) {
    auto response = json_response(200, events_of(call, reply, stamp), call.format, stamp);
    response.headers.set("content-type", "text/event-stream; charset=utf-8");
    response.headers.set("cache-control", "no-cache");
    return response;
  }
  return json_response(200, body_of(call, reply, stamp), call.format, stamp);
}

net::HttpResponse render_refusal(WireFormat format, const Refusal& refusal, const ReplyStamp& stamp) {
  Json body;
  if (format == WireFormat::anthropic) {
    Json error = {{"type", refusal.type}, {"message", refusal.message}};
    if (!refusal.code.empty()) error["details"] = {{"error_code", refusal.code}};
    body = {{"type", "error"}, {"error", std::move(error)}, {"request_id", "req_" + stamp.id}};
  } else {
    const auto or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    body = {{"error",
             {{"message", refusal.message},
              {"type", refusal.type},
              {"param", or_null(refusal.param)},
              {"code", or_null(refusal.code)}}}};
  }
  return json_response(refusal.status, dump_json(body), format, stamp);
}

net::HttpResponse render_token_count(std::uint64_t tokens, const ReplyStamp& stamp) {
  return json_response(200, dump_json({{"input_tokens", tokens}}), WireFormat::anthropic, stamp);
}

net::HttpResponse render_models(WireFormat format, const std::string& only, const ReplyStamp& stamp) {
  const std::string id{model_id};
  if (!only.empty() && only != id) {
    Refusal refusal;
    refusal.status = 404;
    refusal.type = format == WireFormat::anthropic ? "not_found_error" : "invalid_request_error";
    refusal.message =
        "The model '" + shorten(repair_utf8(only), 100) + "' is not listed here; any id is accepted in requests.";
    if (format != WireFormat::anthropic) refusal.code = "model_not_found";
    return render_refusal(format, refusal, stamp);
  }
  const auto model = describe_model(format, id);
  if (!only.empty()) return json_response(200, dump_json(model), format, stamp);
  const Json list = format != WireFormat::anthropic
                        ? Json{{"object", "list"}, {"data", Json::array({model})}}
                        : Json{{"data", Json::array({model})}, {"has_more", false}, {"first_id", id}, {"last_id", id}};
  return json_response(200, dump_json(list), format, stamp);
}

}  // namespace drover::providers::scripted
