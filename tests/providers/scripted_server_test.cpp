#include <catch2/catch.hpp>
#include <future>
#include <string>
#include <vector>

#include "providers/model_server_fixture.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::test;

TEST_CASE("a request by curl in the Anthropic format gets one tool call with text before it") {
  ModelServerFixture fixture;
  const auto response = fixture.messages(messages_body());
  CHECK(response.status == 200);
  const auto body = read(response);
  CHECK(body["type"] == "message");
  CHECK(body["role"] == "assistant");
  CHECK(body["model"] == "drover-rules-1");
  CHECK(body["stop_reason"] == "tool_use");
  CHECK(body["content"][0]["type"] == "text");
  const auto call = tool_block(body);
  CHECK(call["name"] == "tap");
  CHECK(call["input"]["element"] == 2);
  CHECK_FALSE(call["input"]["purpose"].get<std::string>().empty());
  CHECK(call["id"].get<std::string>().rfind("toolu_", 0) == 0);
  CHECK(body["usage"]["input_tokens"].get<int>() > 50);
  CHECK(body["usage"]["output_tokens"].get<int>() > 10);
}

TEST_CASE("a request by curl in the OpenAI format gets one tool call with its arguments as text") {
  ModelServerFixture fixture;
  const auto response = fixture.chat(chat_body());
  CHECK(response.status == 200);
  const auto body = read(response);
  CHECK(body["object"] == "chat.completion");
  const auto& choice = body["choices"][0];
  CHECK(choice["finish_reason"] == "tool_calls");
  const auto& call = choice["message"]["tool_calls"][0];
  CHECK(call["function"]["name"] == "tap");
  const auto arguments = Json::parse(call["function"]["arguments"].get<std::string>());
  CHECK(arguments["element"] == 2);
  CHECK(body["usage"]["total_tokens"] ==
        body["usage"]["prompt_tokens"].get<int>() + body["usage"]["completion_tokens"].get<int>());
}

TEST_CASE("the same prompt gets the same decision in both formats") {
  ModelServerFixture fixture;
  const auto anthropic = read(fixture.messages(messages_body()));
  const auto openai = read(fixture.chat(chat_body()));
  const auto& message = openai["choices"][0]["message"];
  CHECK(anthropic["content"][0]["text"] == message["content"]);
  CHECK(tool_block(anthropic)["name"] == message["tool_calls"][0]["function"]["name"]);
  CHECK(tool_block(anthropic)["input"] ==
        Json::parse(message["tool_calls"][0]["function"]["arguments"].get<std::string>()));
}

TEST_CASE("Drover's own clients get the same answers as curl") {
  ModelServerFixture fixture;
  auto tools = std::make_shared<ToolSet>();
  tools->version = "test";
  tools->tools = {{"tap", "Tap.", tap_schema()}, {"finish_task", "Finish.", finish_schema()}};
  ModelRequest request;
  request.system_prompt = "You drive a phone.";
  request.user_prompt = std::string{task_prompt};
  request.tools = tools;
  request.reminder = "Call one tool.";
  const auto rung = GENERATE(Rung::automatic, Rung::forced, Rung::reminder);
  request.rung = rung;
  for (const auto format : {WireFormat::anthropic, WireFormat::openai_chat, WireFormat::openai_responses}) {
    ClientOptions options;
    options.base_url = format == WireFormat::anthropic ? fixture.url("") : fixture.url("/v1");
    options.api_key = "any";
    options.model = "drover-rules-1";
    const auto client = make_client(format, options);
    auto outcome = fixture.exchange(client->encode(request).http);
    REQUIRE(outcome.response.ok());
    INFO(outcome.response->body);
    const auto decoded = client->decode(*outcome.response);
    REQUIRE(std::holds_alternative<ModelAnswer>(decoded));
    const auto& answer = std::get<ModelAnswer>(decoded);
    REQUIRE(answer.calls.size() == 1);
    CHECK(answer.calls[0].name == "tap");
    CHECK(answer.calls[0].arguments["element"] == 2);
    CHECK(answer.usage.input_tokens > 0);
    CHECK(answer.text_output.empty() == (rung == Rung::forced));
  }
}

TEST_CASE("structured output names the call where no tools are offered") {
  ModelServerFixture fixture;
  const Json schema = {
      {"type", "object"},
      {"properties",
       {{"tool", {{"type", "string"}, {"enum", {"tap", "finish_task"}}}}, {"arguments", {{"type", "object"}}}}},
      {"required", {"tool", "arguments"}}};
  auto body = messages_body();
  body.erase("tools");
  body["output_config"] = {{"format", {{"type", "json_schema"}, {"schema", schema}}}};
  const auto text = read(fixture.messages(body))["content"][0]["text"].get<std::string>();
  CHECK(Json::parse(text)["tool"] == "tap");
  auto chat = chat_body();
  chat.erase("tools");
  chat["response_format"] = {{"type", "json_schema"}, {"json_schema", {{"name", "call"}, {"schema", schema}}}};
  const auto content = read(fixture.chat(chat))["choices"][0]["message"]["content"].get<std::string>();
  CHECK(Json::parse(content)["arguments"]["element"] == 2);
}

TEST_CASE("a conversation with tool results is followed like one prompt") {
  ModelServerFixture fixture;
  auto body = messages_body();
  body["messages"].push_back(
      {{"role", "assistant"},
       {"content",
        Json::array({{{"type", "tool_use"}, {"id", "toolu_1"}, {"name", "tap"}, {"input", {{"element", 2}}}}})}});
  body["messages"].push_back(
      {{"role", "user"},
       {"content", Json::array({{{"type", "tool_result"},
                                 {"tool_use_id", "toolu_1"},
                                 {"content",
                                  "page com.demo.settings/network app com.demo.settings size 1080x2400\n"
                                  "1 text \"Network & internet\"\n2 toggle \"Airplane mode\" on\n"}}})}});
  const auto call = tool_block(read(fixture.messages(body)));
  CHECK(call["name"] == "finish_task");
  CHECK(call["input"]["success"] == true);
}

TEST_CASE("a stream holds the same answer in events") {
  ModelServerFixture fixture;
  auto body = messages_body();
  body["stream"] = true;
  const auto anthropic = fixture.messages(body);
  CHECK(anthropic.headers.get("content-type").find("text/event-stream") == 0);
  CHECK(anthropic.body.find("event: message_start") == 0);
  CHECK(anthropic.body.find("input_json_delta") != std::string::npos);
  CHECK(anthropic.body.find("event: message_stop") != std::string::npos);
  auto chat = chat_body();
  chat["stream"] = true;
  chat["stream_options"] = {{"include_usage", true}};
  const auto openai = fixture.chat(chat);
  CHECK(openai.body.find("chat.completion.chunk") != std::string::npos);
  CHECK(openai.body.find("\"usage\":{\"completion_tokens\"") != std::string::npos);
  CHECK(openai.body.find("data: [DONE]") != std::string::npos);
}

TEST_CASE("the server says what it is and never claims to be a language model") {
  ModelServerFixture fixture;
  const auto index = fixture.exchange({"GET", fixture.url("/"), {}, {}});
  REQUIRE(index.response.ok());
  CHECK(index.response->body.find("built-in rules, not a language model") != std::string::npos);
  const auto openai = fixture.exchange({"GET", fixture.url("/v1/models"), ModelServerFixture::openai_headers(), {}});
  REQUIRE(openai.response.ok());
  CHECK(read(*openai.response)["data"][0]["id"] == "drover-rules-1");
  const auto anthropic =
      fixture.exchange({"GET", fixture.url("/v1/models/drover-rules-1"), ModelServerFixture::anthropic_headers(), {}});
  REQUIRE(anthropic.response.ok());
  CHECK(read(*anthropic.response)["type"] == "model");
  const auto absent =
      fixture.exchange({"GET", fixture.url("/v1/models/gpt-9"), ModelServerFixture::openai_headers(), {}});
  REQUIRE(absent.response.ok());
  CHECK(absent.response->status == 404);
}

TEST_CASE("tokens are counted without an answer") {
  ModelServerFixture fixture;
  auto body = messages_body();
  body.erase("max_tokens");
  const auto response = fixture.post("/v1/messages/count_tokens", body, ModelServerFixture::anthropic_headers());
  CHECK(response.status == 200);
  CHECK(read(response)["input_tokens"].get<int>() > 50);
  CHECK(fixture.server().counts().requests == 0);
}

TEST_CASE("only tools that are offered are called, with arguments of their schemas") {
  ModelServerFixture fixture;
  const Json weather = {{"name", "get_weather"},
                        {"input_schema",
                         {{"type", "object"},
                          {"properties",
                           {{"city", {{"type", "string"}}},
                            {"days", {{"type", "integer"}, {"minimum", 1}}},
                            {"unit", {{"type", "string"}, {"enum", {"C", "F"}}}}}},
                          {"required", {"city", "days", "unit"}}}}};
  auto body = messages_body("How is the weather?");
  body["tools"] = Json::array({weather});
  const auto free = read(fixture.messages(body));
  CHECK(tool_block(free).is_null());
  CHECK(free["stop_reason"] == "end_turn");
  body["tool_choice"] = {{"type", "any"}};
  const auto call = tool_block(read(fixture.messages(body)));
  CHECK(call["name"] == "get_weather");
  CHECK(call["input"]["days"] == 1);
  CHECK(call["input"]["unit"] == "C");
  CHECK(call["input"]["city"].is_string());
  CHECK(call["input"].size() == 3);
  body["tool_choice"] = {{"type", "none"}};
  CHECK(tool_block(read(fixture.messages(body))).is_null());
}

TEST_CASE("an answer is cut at the output limit and says so") {
  ModelServerFixture fixture;
  auto body = chat_body();
  body["max_completion_tokens"] = 30;
  const auto answer = read(fixture.chat(body));
  CHECK(answer["choices"][0]["finish_reason"] == "length");
  CHECK(answer["usage"]["completion_tokens"] == 30);
  auto warm = messages_body();
  warm["max_tokens"] = 0;
  CHECK(read(fixture.messages(warm))["content"].empty());
}

TEST_CASE("many clients at once are all answered") {
  ModelServerFixture fixture;
  std::vector<std::future<net::HttpOutcome>> open;
  for (int i = 0; i < 200; ++i) {
    if (i % 2 == 0) {
      open.push_back(fixture.send(
          {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())}));
    } else {
      open.push_back(fixture.send(
          {"POST", fixture.url("/v1/chat/completions"), ModelServerFixture::openai_headers(), dump_json(chat_body())}));
    }
  }
  for (auto& future : open) {
    const auto outcome = fixture.wait(future);
    REQUIRE(outcome.response.ok());
    CHECK(outcome.response->status == 200);
  }
  CHECK(fixture.server().counts().requests == 200);
  CHECK(fixture.server().counts().answered == 200);
}
