// Members that the vendors' types require of every answer; tests/peers holds the answers to the types themselves.
#include <sstream>
#include <vector>

#include "model_server_fixture.hpp"

using namespace drover;
using namespace drover::test;

namespace {

void check_members(const Json& object, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    INFO(name << " of " << dump_json(object));
    CHECK(object.contains(name));
  }
}

/// The data of server-sent events.
std::vector<Json> events_of(const std::string& body) {
  std::vector<Json> events;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("data: {", 0) == 0) events.push_back(Json::parse(line.substr(6)));
  }
  return events;
}

Json streamed(Json body) {
  body["stream"] = true;
  return body;
}

const std::vector<std::string> message_members = {"id",        "type",        "role",        "model",
                                                  "usage",     "content",     "stop_reason", "stop_sequence",
                                                  "container", "diagnostics", "stop_details"};
const std::vector<std::string> usage_members = {"input_tokens",
                                                "output_tokens",
                                                "cache_creation",
                                                "cache_creation_input_tokens",
                                                "cache_read_input_tokens",
                                                "inference_geo",
                                                "output_tokens_details",
                                                "server_tool_use",
                                                "service_tier",
                                                "speed"};
const std::vector<std::string> response_members = {
    "id",          "object", "created_at", "status",      "error", "incomplete_details", "instructions",
    "model",       "tools",  "output",     "tool_choice", "top_p", "metadata",           "parallel_tool_calls",
    "temperature", "text",   "usage",      "reasoning"};

}  // namespace

TEST_CASE("a message states every member of its type, null where there is nothing to tell") {
  ModelServerFixture fixture;
  const auto message = read(fixture.messages(messages_body()));
  check_members(message, message_members);
  for (const auto* const name : {"container", "diagnostics", "stop_details", "stop_sequence"}) {
    CHECK(message[name].is_null());
  }
  check_members(message["usage"], usage_members);
  CHECK(message["usage"]["output_tokens_details"] == Json{{"thinking_tokens", 0}});
  CHECK(tool_block(message)["caller"] == Json{{"type", "direct"}});
  CHECK(message["content"][0]["type"] == "text");
  CHECK(message["content"][0]["citations"].is_null());
}

TEST_CASE("a message tells for how long what it wrote to the prompt cache is kept") {
  ModelServerFixture fixture;
  auto body = messages_body();
  body["system"] =
      Json::array({{{"type", "text"}, {"text", std::string(20000, 'x')}, {"cache_control", {{"type", "ephemeral"}}}}});
  const auto usage = read(fixture.messages(body))["usage"];
  CHECK(usage["cache_creation_input_tokens"] > 0);
  CHECK(usage["cache_creation"] ==
        Json{{"ephemeral_5m_input_tokens", usage["cache_creation_input_tokens"]}, {"ephemeral_1h_input_tokens", 0}});
}

TEST_CASE("the events of a message state what the message would") {
  ModelServerFixture fixture;
  const auto events = events_of(fixture.messages(streamed(messages_body())).body);
  REQUIRE(events.size() > 4);
  check_members(events.front()["message"], message_members);
  check_members(events.front()["message"]["usage"], usage_members);
  bool called = false;
  for (const auto& event : events) {
    if (event["type"] == "content_block_start") {
      const auto& block = event["content_block"];
      called = called || block["type"] == "tool_use";
      CHECK(block.contains(block["type"] == "tool_use" ? "caller" : "citations"));
    }
    if (event["type"] == "message_delta") {
      check_members(event["delta"], {"container", "stop_details", "stop_reason", "stop_sequence"});
      check_members(event["usage"], {"input_tokens", "output_tokens", "cache_creation_input_tokens",
                                     "cache_read_input_tokens", "output_tokens_details", "server_tool_use"});
    }
  }
  CHECK(called);
}

TEST_CASE("a chat completion states refusal, annotations and logprobs, which are empty") {
  ModelServerFixture fixture;
  const auto completion = read(fixture.chat(chat_body()));
  const auto& choice = completion["choices"][0];
  CHECK(choice["logprobs"] == nullptr);
  CHECK(choice["message"]["refusal"] == nullptr);
  CHECK(choice["message"]["annotations"] == Json::array());
  check_members(completion["usage"], {"prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details",
                                      "completion_tokens_details"});
}

TEST_CASE("a response states every member of its type, also before it is complete") {
  ModelServerFixture fixture;
  const auto response = read(fixture.responses(responses_body()));
  check_members(response, response_members);
  CHECK(response["completed_at"] == response["created_at"]);
  check_members(response["usage"]["input_tokens_details"], {"cached_tokens", "cache_write_tokens"});

  const auto events = events_of(fixture.responses(streamed(responses_body())).body);
  REQUIRE_FALSE(events.empty());
  check_members(events.front()["response"], response_members);
  CHECK(events.front()["response"]["completed_at"].is_null());
  CHECK(events.front()["response"]["usage"].is_null());
}

TEST_CASE("a model of the Messages format states its life, and no capabilities that nobody measured") {
  ModelServerFixture fixture;
  const auto outcome =
      fixture.exchange({"GET", fixture.url("/v1/models/drover-rules-1"), ModelServerFixture::anthropic_headers(), ""});
  REQUIRE(outcome.response.ok());
  const auto model = read(*outcome.response);
  CHECK(model["lifecycle"] == "active");
  CHECK(model["capabilities"].is_null());
  check_members(model, {"line", "deprecated_at", "retires_at"});
}
