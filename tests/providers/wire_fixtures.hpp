#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "core/json.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers::testing {

inline std::shared_ptr<const ToolSet> two_tools() {
  static const auto tools = [] {
    auto set = std::make_shared<ToolSet>();
    set->version = "1";
    set->tools.push_back({"tap", "Taps an element.",
                          Json::parse(R"({"type":"object","properties":{"element":{"type":"integer","minimum":1},
                              "purpose":{"type":"string","minLength":1}},
                              "required":["purpose"],"additionalProperties":false})")});
    set->tools.push_back(
        {"finish_task", "Ends the task.", Json::parse(R"({"type":"object","properties":{"success":{"type":"boolean"},
                              "reason":{"type":"string"}},"required":["success","reason"],
                              "additionalProperties":false})")});
    return std::shared_ptr<const ToolSet>(std::move(set));
  }();
  return tools;
}

inline ModelRequest sample_request() {
  ModelRequest request;
  request.system_prompt = "You drive a phone.";
  request.user_prompt = "Goal: open \"Settings\"\n1 button Settings";
  request.tools = two_tools();
  request.reminder = "Answer with one tool call.";
  return request;
}

inline std::shared_ptr<const Screenshot> sample_picture() {
  return std::make_shared<Screenshot>(Screenshot{"image/png", "\x89PNG\r\n", 1080, 2400});
}

inline std::unique_ptr<ToolCallingClient> anthropic_client(std::string model) {
  return make_client(WireFormat::anthropic, {"https://api.example.com", "secret-key-1", std::move(model)});
}

inline std::unique_ptr<ToolCallingClient> openai_client(std::string model) {
  return make_client(WireFormat::openai_chat, {"https://api.example.com/v1/", "secret-key-2", std::move(model)});
}

inline std::unique_ptr<ToolCallingClient> responses_client(std::string model) {
  return make_client(WireFormat::openai_responses, {"https://api.example.com", "secret-key-3", std::move(model)});
}

inline Json body_of(const ToolCallingClient& client, const ModelRequest& request) {
  return Json::parse(client.encode(request).http.body);
}

inline DecodedAnswer decoded(const ToolCallingClient& client, int status, std::string body, net::Headers headers = {}) {
  return client.decode({status, std::move(headers), std::move(body)});
}

inline const ModelAnswer& answer_in(const DecodedAnswer& decoded) { return std::get<ModelAnswer>(decoded); }
inline const ProviderFailure& failure_in(const DecodedAnswer& decoded) { return std::get<ProviderFailure>(decoded); }

/// An Anthropic answer with these content blocks.
inline std::string message_with(const std::string& blocks, const std::string& stop = "tool_use") {
  return R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[)" + blocks +
         R"(],"stop_reason":")" + stop + R"(","usage":{"input_tokens":10,"output_tokens":5}})";
}

/// An OpenAI answer with this message and finish reason.
inline std::string choice_with(const std::string& message, const std::string& finish = "tool_calls") {
  return R"({"id":"chatcmpl-1","object":"chat.completion","model":"m","choices":[{"index":0,"message":)" + message +
         R"(,"finish_reason":")" + finish + R"("}],"usage":{"prompt_tokens":10,"completion_tokens":5}})";
}

/// An OpenAI message with one call of tap; `arguments` is JSON of any kind.
inline std::string message_calling_tap(const std::string& arguments) {
  return R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function",)"
         R"("function":{"name":"tap","arguments":)" +
         arguments + "}}]}";
}

}  // namespace drover::providers::testing
