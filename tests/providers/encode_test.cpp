#include <catch2/catch.hpp>

#include "providers/anthropic_messages.hpp"
#include "providers/rungs.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

TEST_CASE("both formats carry the same prompts and the same tools", "[C1]") {
  const auto request = sample_request();
  const auto anthropic = body_of(*anthropic_client("claude-haiku-5-5"), request);
  const auto openai = body_of(*openai_client("gpt-4.1"), request);

  CHECK(anthropic["system"][0]["text"] == request.system_prompt);
  CHECK(openai["messages"][0] == Json{{"role", "system"}, {"content", request.system_prompt}});
  CHECK(anthropic["messages"][0]["content"][0]["text"] == request.user_prompt);
  CHECK(openai["messages"][1]["content"] == request.user_prompt);
  REQUIRE(anthropic["tools"].size() == 2);
  REQUIRE(openai["tools"].size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(anthropic["tools"][i]["name"] == openai["tools"][i]["function"]["name"]);
    CHECK(anthropic["tools"][i]["description"] == openai["tools"][i]["function"]["description"]);
    CHECK(anthropic["tools"][i]["input_schema"] == openai["tools"][i]["function"]["parameters"]);
  }
}

TEST_CASE("requests go to the format's own path with its own headers") {
  const auto anthropic = anthropic_client("claude-haiku-5-5")->encode(sample_request()).http;
  CHECK(anthropic.method == "POST");
  CHECK(anthropic.target == "https://api.example.com/v1/messages");
  CHECK(anthropic.headers.get("anthropic-version") == "2026-10-21");
  CHECK(anthropic.headers.get("x-api-key") == "secret-key-1");
  CHECK_FALSE(anthropic.headers.has("authorization"));
  CHECK_FALSE(anthropic.headers.has("anthropic-beta"));

  const auto openai = openai_client("gpt-4.1")->encode(sample_request()).http;
  CHECK(openai.target == "https://api.example.com/v1/chat/completions");
  CHECK(openai.headers.get("authorization") == "Bearer secret-key-2");

  const auto bearer = make_client(
      WireFormat::anthropic, {"https://gateway.example/", "k", "claude-haiku-5-5", "2023-06-01", KeyHeader::bearer});
  const auto encoded = bearer->encode(sample_request()).http;
  CHECK(encoded.target == "https://gateway.example/v1/messages");
  CHECK(encoded.headers.get("authorization") == "Bearer k");
  CHECK(encoded.headers.get("anthropic-version") == "2023-06-01");
  CHECK_FALSE(encoded.headers.has("x-api-key"));

  const auto keyless = make_client(WireFormat::openai_chat, {"http://127.0.0.1:1", "", "llama3"});
  CHECK_FALSE(keyless->encode(sample_request()).http.headers.has("authorization"));
}

TEST_CASE("no sampling parameter is ever sent") {
  for (const auto& body : {body_of(*anthropic_client("claude-opus-4-6"), sample_request()),
                           body_of(*openai_client("gpt-4o"), sample_request())}) {
    for (const auto* const key : {"temperature", "top_p", "top_k", "frequency_penalty", "presence_penalty"}) {
      CHECK_FALSE(body.contains(key));
    }
  }
}

TEST_CASE("parallel calls are switched off, and the switch is left out where the model refuses it", "[C2]") {
  CHECK(body_of(*anthropic_client("claude-opus-5-5"), sample_request())["tool_choice"] ==
        Json{{"type", "auto"}, {"disable_parallel_tool_use", true}});
  CHECK(body_of(*openai_client("gpt-5"), sample_request())["parallel_tool_calls"] == false);
  for (const auto* const model : {"o1", "o3", "o3-mini", "o4-mini-2025-04-16", "qwen3:8b"}) {
    CHECK_FALSE(body_of(*openai_client(model), sample_request()).contains("parallel_tool_calls"));
  }
}

TEST_CASE("the first rung leaves the choice to the model", "[C3]") {
  CHECK(body_of(*anthropic_client("claude-haiku-4-5"), sample_request())["tool_choice"]["type"] == "auto");
  CHECK(body_of(*openai_client("gpt-4.1"), sample_request())["tool_choice"] == "auto");
}

TEST_CASE("the forced rung forces a call without thinking where the model takes that", "[C3]") {
  auto request = sample_request();
  request.rung = Rung::forced;
  request.thinking_budget_tokens = 2048;

  const auto haiku = anthropic_client("claude-haiku-4-5-20251001");
  CHECK(possible_rung(Rung::forced, *haiku->capabilities()) == Rung::forced);
  const auto body = body_of(*haiku, request);
  CHECK(body["tool_choice"]["type"] == "any");
  CHECK(body["thinking"] == Json{{"type", "disabled"}});
  CHECK(body["messages"][0]["content"][0]["text"] == request.user_prompt);
  CHECK_FALSE(haiku->encode(request).http.headers.has("anthropic-beta"));

  CHECK(body_of(*openai_client("gpt-4.1"), request)["tool_choice"] == "required");
}

TEST_CASE("the disabled form of thinking is left out where the model refuses it", "[C3]") {
  auto request = sample_request();
  request.rung = Rung::forced;
  const auto body = body_of(*anthropic_client("claude-fable-5"), request);
  CHECK(body["tool_choice"]["type"] == "any");
  CHECK_FALSE(body.contains("thinking"));
}

TEST_CASE("where no choice can be forced the model is asked again with the reminder", "[C3]") {
  auto request = sample_request();
  request.rung = Rung::forced;
  for (const auto* const model : {"claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1", "claude-fable-5-2",
                                  "claude-mythos-5-1", "some-model-of-next-year"}) {
    const auto client = anthropic_client(model);
    CHECK(possible_rung(Rung::forced, *client->capabilities()) == Rung::reminder);
    const auto body = body_of(*client, request);
    CHECK(body["tool_choice"]["type"] == "auto");
    CHECK(body["tools"].size() == 2);
    CHECK(body["messages"].size() == 1);
    CHECK(body["messages"][0]["content"][0]["text"] == request.user_prompt + "\n\nAnswer with one tool call.");
    CHECK_FALSE(body.contains("thinking"));
  }
  const auto local = openai_client("llama3.3");
  CHECK(possible_rung(Rung::forced, *local->capabilities()) == Rung::reminder);
  CHECK(body_of(*local, request)["tool_choice"] == "auto");
}

TEST_CASE("the structured rung asks for a tool and its arguments by schema", "[C3]") {
  auto request = sample_request();
  request.rung = Rung::structured;

  const auto anthropic = body_of(*anthropic_client("claude-opus-5-5"), request);
  CHECK_FALSE(anthropic.contains("tools"));
  CHECK_FALSE(anthropic.contains("tool_choice"));
  CHECK(anthropic["output_config"]["format"]["type"] == "json_schema");
  const auto schema = anthropic["output_config"]["format"]["schema"];
  CHECK(schema["properties"]["tool"]["enum"] == Json{"tap", "finish_task"});
  CHECK(schema["required"] == Json{"tool", "arguments"});
  CHECK(schema["additionalProperties"] == false);
  const auto tap = schema["properties"]["arguments"]["anyOf"][0];
  CHECK(tap["properties"]["element"]["type"] == "integer");
  CHECK_FALSE(tap["properties"]["element"].contains("minimum"));
  CHECK_FALSE(tap["properties"]["purpose"].contains("minLength"));
  CHECK(tap["required"] == Json{"purpose"});

  const auto openai = body_of(*openai_client("gpt-5"), request);
  CHECK(openai["response_format"]["type"] == "json_schema");
  CHECK(openai["response_format"]["json_schema"]["schema"] == schema);

  CHECK(possible_rung(Rung::structured, *openai_client("llama3.3")->capabilities()) == Rung::reminder);
}

TEST_CASE("thinking is asked for only when a budget is set", "[C5]") {
  CHECK_FALSE(body_of(*anthropic_client("claude-opus-4-5"), sample_request()).contains("thinking"));
}

TEST_CASE("a model with the budget form gets budget, header and room for the answer", "[C5]") {
  auto request = sample_request();
  request.thinking_budget_tokens = 2000;
  request.max_output_tokens = 1024;
  const auto client = anthropic_client("claude-opus-4-5-20251101");
  const auto body = body_of(*client, request);
  CHECK(body["thinking"] == Json{{"type", "enabled"}, {"budget_tokens", 2000}});
  CHECK(body["max_tokens"] == 3024);
  CHECK(client->encode(request).http.headers.get("anthropic-beta") == "interleaved-thinking-2025-05-14");

  request.max_output_tokens = 8000;
  CHECK(body_of(*client, request)["max_tokens"] == 10000);
}

TEST_CASE("a budget below what the service takes is raised to it", "[C5]") {
  auto request = sample_request();
  request.thinking_budget_tokens = 100;
  const auto body = body_of(*anthropic_client("claude-haiku-4-5"), request);
  CHECK(body["thinking"]["budget_tokens"] == 1024);
  CHECK(body["max_tokens"] == 2048);
}

TEST_CASE("a model with the adaptive form gets that with a summarised display and no header", "[C5]") {
  auto request = sample_request();
  request.thinking_budget_tokens = 2000;
  for (const auto* const model : {"claude-sonnet-5-5", "claude-opus-5", "claude-opus-4-7", "claude-opus-4-6"}) {
    const auto client = anthropic_client(model);
    const auto body = body_of(*client, request);
    CHECK(body["thinking"] == Json{{"type", "adaptive"}, {"display", "summarized"}});
    CHECK(body["max_tokens"] == 3024);
    CHECK_FALSE(client->encode(request).http.headers.has("anthropic-beta"));
  }
}

TEST_CASE("models without thinking get none, with a warning to show once", "[C5]") {
  auto request = sample_request();
  request.thinking_budget_tokens = 2000;
  const auto rules = anthropic_client("drover-rules-1");
  CHECK_FALSE(body_of(*rules, request).contains("thinking"));
  CHECK(body_of(*rules, request)["max_tokens"] == 1024);
  CHECK_FALSE(body_of(*openai_client("gpt-4.1"), request).contains("thinking"));
  CHECK(capability_warnings(*rules->capabilities(), "drover-rules-1", true, false).size() == 1);
  CHECK(capability_warnings(*rules->capabilities(), "drover-rules-1", false, false).empty());
}

TEST_CASE("a screenshot goes along as base64, and not to a model that can't see", "[P9]") {
  auto request = sample_request();
  request.screenshot = sample_picture();
  const auto anthropic = body_of(*anthropic_client("claude-opus-5-5"), request);
  CHECK(anthropic["messages"][0]["content"][0] ==
        Json{{"type", "image"}, {"source", {{"type", "base64"}, {"media_type", "image/png"}, {"data", "iVBORw0K"}}}});
  CHECK(anthropic["messages"][0]["content"][1]["type"] == "text");

  const auto openai = body_of(*openai_client("gpt-5"), request);
  const auto content = openai["messages"][1]["content"];
  CHECK(content[0]["text"] == request.user_prompt);
  CHECK(content[1] == Json{{"type", "image_url"}, {"image_url", {{"url", "data:image/png;base64,iVBORw0K"}}}});

  CHECK(anthropic_client("drover-rules-1")->encode(request).http.body.find("image") == std::string::npos);
  CHECK(openai_client("deepseek-chat")->encode(request).http.body.find("image") == std::string::npos);
}

TEST_CASE("the constant parts carry cache marks for Anthropic and none for OpenAI") {
  const auto anthropic = body_of(*anthropic_client("claude-opus-5-5"), sample_request());
  CHECK(anthropic["system"][0]["cache_control"] == Json{{"type", "ephemeral"}});
  CHECK_FALSE(anthropic["tools"][0].contains("cache_control"));
  CHECK(anthropic["tools"][1]["cache_control"] == Json{{"type", "ephemeral"}});
  CHECK(openai_client("gpt-5")->encode(sample_request()).http.body.find("cache_control") == std::string::npos);
}

TEST_CASE("what the next request repeats is one block a line, marked at its end, before the picture and the screen") {
  auto request = sample_request();
  const std::string stable = "Task: \"t\"\nHistory:\n{\"page\":1}\n{\"page\":2}\n";
  request.user_prompt = stable + "Step: 3 of 9\n<screen>\n</screen>\n";
  request.stable_bytes = stable.size();
  request.screenshot = sample_picture();
  const auto content = body_of(*anthropic_client("claude-opus-5-5"), request)["messages"][0]["content"];
  REQUIRE(content.size() == 6);
  std::string text;
  for (std::size_t i = 0; i < content.size(); ++i) {
    CAPTURE(i);
    CHECK(content[i].contains("cache_control") == (i == 3));
    CHECK((content[i]["type"] == "image") == (i == 4));
    text += content[i].value("text", "");
  }
  CHECK(content[3]["text"] == "{\"page\":2}\n");
  CHECK(text == request.user_prompt);
}

TEST_CASE("a history that grew by a line repeats the blocks of the request before it") {
  auto request = sample_request();
  const std::string history = "Task: \"t\"\nHistory:\n{\"page\":1}\n";
  request.user_prompt = history + "Step: 2 of 9\n";
  request.stable_bytes = history.size();
  const auto client = anthropic_client("claude-opus-5-5");
  const auto before = body_of(*client, request)["messages"][0]["content"];
  const std::string longer = history + "{\"page\":2}\n";
  request.user_prompt = longer + "Step: 3 of 9\n";
  request.stable_bytes = longer.size();
  const auto after = body_of(*client, request)["messages"][0]["content"];
  REQUIRE(before.size() == 4);
  REQUIRE(after.size() == 5);
  for (std::size_t i = 0; i < 3; ++i) CHECK(after[i]["text"] == before[i]["text"]);
}

TEST_CASE("a prompt that is stable to its end, or that names more than there is, sends no empty block") {
  auto request = sample_request();
  for (const std::size_t past : {0, 7}) {
    request.stable_bytes = request.user_prompt.size() + past;
    const auto content = body_of(*anthropic_client("claude-opus-5-5"), request)["messages"][0]["content"];
    REQUIRE(content.size() == 2);
    CHECK(content[1].contains("cache_control"));
    CHECK(content[0]["text"].get<std::string>() + content[1]["text"].get<std::string>() == request.user_prompt);
  }
}

TEST_CASE("formats and models without cache marks get the prompt in one piece") {
  auto request = sample_request();
  request.stable_bytes = request.user_prompt.find('\n') + 1;
  CHECK(body_of(*openai_client("gpt-4.1"), request)["messages"][1]["content"] == request.user_prompt);
  CHECK(body_of(*responses_client("gpt-5.6"), request)["input"][0]["content"][0]["text"] == request.user_prompt);
}

TEST_CASE("OpenAI reasoning models get the developer role and the newer name of the output limit") {
  const auto reasoning = body_of(*openai_client("gpt-5.1"), sample_request());
  CHECK(reasoning["messages"][0]["role"] == "developer");
  CHECK(reasoning["max_completion_tokens"] == 1024);
  CHECK_FALSE(reasoning.contains("max_tokens"));
  CHECK(body_of(*openai_client("gpt-5-chat-latest"), sample_request())["messages"][0]["role"] == "system");

  const auto local = body_of(*openai_client("qwen3:8b"), sample_request());
  CHECK(local["messages"][0]["role"] == "system");
  CHECK(local["max_tokens"] == 1024);
  CHECK_FALSE(local.contains("max_completion_tokens"));
}

TEST_CASE("models that refuse tools while reasoning get effort none, and no other model gets an effort") {
  for (const auto* const model : {"gpt-5.6", "gpt-5.6-mini", "gpt-6-sol", "gpt-6-luna", "gpt-6.1-terra"}) {
    CHECK(body_of(*openai_client(model), sample_request())["reasoning_effort"] == "none");
  }
  for (const auto* const model : {"gpt-5.4", "gpt-5", "o3", "gpt-4.1", "llama3"}) {
    CHECK_FALSE(body_of(*openai_client(model), sample_request()).contains("reasoning_effort"));
  }
}

TEST_CASE("a model that takes no tools in this format is asked for structured output on every rung") {
  const auto client = openai_client("gpt-6-nova");
  CHECK(possible_rung(Rung::automatic, *client->capabilities()) == Rung::structured);
  const auto body = body_of(*client, sample_request());
  CHECK_FALSE(body.contains("tools"));
  CHECK(body.contains("response_format"));
}

TEST_CASE("a request without tools names no tool choice") {
  auto request = sample_request();
  request.tools = nullptr;
  for (const auto& body :
       {body_of(*anthropic_client("claude-opus-5-5"), request), body_of(*openai_client("gpt-5"), request)}) {
    CHECK_FALSE(body.contains("tools"));
    CHECK_FALSE(body.contains("tool_choice"));
    CHECK_FALSE(body.contains("parallel_tool_calls"));
  }
}

TEST_CASE("the output limit never exceeds what the model can give") {
  auto request = sample_request();
  request.max_output_tokens = 1'000'000;
  request.thinking_budget_tokens = 1'000'000;
  const auto body = body_of(*anthropic_client("claude-haiku-4-5"), request);
  CHECK(body["max_tokens"] == 64000);
  CHECK(body["thinking"]["budget_tokens"] == 63999);
}

TEST_CASE("a prompt with quotes, controls, emoji and broken bytes becomes valid JSON") {
  auto request = sample_request();
  request.user_prompt = std::string("a\"b\\c\n\t\x01 \xF0\x9F\x98\x80 \xff end");
  const auto body = body_of(*anthropic_client("claude-opus-5-5"), request);
  const auto text = body["messages"][0]["content"][0]["text"].get<std::string>();
  CHECK(text.find("a\"b\\c\n\t") == 0);
  CHECK(text.find("\xF0\x9F\x98\x80") != std::string::npos);
  CHECK(text.find("\xEF\xBF\xBD end") != std::string::npos);
}

TEST_CASE("a client notices that the tools or the system prompt changed") {
  const auto client = anthropic_client("claude-opus-5-5");
  auto request = sample_request();
  CHECK(body_of(*client, request)["tools"].size() == 2);
  auto other = std::make_shared<ToolSet>(*request.tools);
  other->tools.pop_back();
  request.tools = other;
  CHECK(body_of(*client, request)["tools"].size() == 1);
  request.system_prompt = "Another prompt.";
  CHECK(body_of(*client, request)["system"][0]["text"] == "Another prompt.");
  request.tools = two_tools();
  CHECK(body_of(*client, request)["tools"].size() == 2);
}

TEST_CASE("the same request encodes to the same bytes") {
  const auto client = openai_client("gpt-5");
  CHECK(client->encode(sample_request()).http.body == openai_client("gpt-5")->encode(sample_request()).http.body);
}

TEST_CASE("the estimate of a request counts prompts, tools and picture") {
  auto request = sample_request();
  InputEstimate estimate;
  const auto with_tools = estimate.of(request);
  request.tools = nullptr;
  const auto without_tools = estimate.of(request);
  CHECK(with_tools > without_tools + 60);
  request.screenshot = sample_picture();
  CHECK(estimate.of(request) > without_tools + 1000);
}

TEST_CASE("the most output of a call is the limit that its body states, thinking included") {
  auto request = sample_request();
  request.max_output_tokens = 1000;
  for (const bool thinking : {false, true}) {
    request.thinking_budget_tokens = thinking ? std::optional<std::uint32_t>(6000) : std::nullopt;
    CAPTURE(thinking);
    const auto budget = anthropic_client("claude-haiku-4-5");
    CHECK(budget->most_output_tokens(request) == body_of(*budget, request)["max_tokens"]);
    CHECK(budget->most_output_tokens(request) == (thinking ? 7000u : 1000u));
    const auto chat = openai_client("gpt-4.1");
    CHECK(chat->most_output_tokens(request) == body_of(*chat, request)["max_completion_tokens"]);
    const auto responses = make_client(WireFormat::openai_responses, {"https://api.example.com", "k", "gpt-5.6"});
    CHECK(responses->most_output_tokens(request) == body_of(*responses, request)["max_output_tokens"]);
    CHECK(responses->most_output_tokens(request) >= (thinking ? 7000u : 1000u));
  }
}
