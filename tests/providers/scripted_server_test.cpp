#include <catch2/catch.hpp>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/json.hpp"
#include "core/simulated_time.hpp"
#include "net/http_client.hpp"
#include "net/io_threads.hpp"
#include "providers/scripted/model_server.hpp"
#include "providers/tool_calling_client.hpp"

namespace {

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::scripted;

constexpr std::string_view task_prompt =
    "Task: Put the phone into flight mode\n"
    "Step: 1 of 30\n"
    "Screen:\n"
    "<screen>\n"
    "page com.demo.settings/network app com.demo.settings size 1080x2400\n"
    "1 text \"Network & internet\"\n"
    "2 toggle \"Airplane mode\" off\n"
    "</screen>\n";

Json tap_schema() {
  return {{"type", "object"},
          {"properties",
           {{"element", {{"type", "integer"}}},
            {"x", {{"type", "integer"}}},
            {"y", {{"type", "integer"}}},
            {"purpose", {{"type", "string"}}},
            {"expected_outcome", {{"type", "string"}}}}},
          {"required", {"purpose", "expected_outcome"}},
          {"additionalProperties", false}};
}

Json finish_schema() {
  return {{"type", "object"},
          {"properties", {{"success", {{"type", "boolean"}}}, {"reason", {{"type", "string"}}}}},
          {"required", {"success", "reason"}}};
}

Json messages_body(std::string_view prompt = task_prompt) {
  return {{"model", "drover-rules-1"},
          {"max_tokens", 1024},
          {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
          {"tools", Json::array({{{"name", "tap"}, {"description", "Tap."}, {"input_schema", tap_schema()}},
                                 {{"name", "finish_task"}, {"input_schema", finish_schema()}}})}};
}

Json chat_body(std::string_view prompt = task_prompt) {
  return {{"model", "drover-rules-1"},
          {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
          {"tools", Json::array({{{"type", "function"}, {"function", {{"name", "tap"}, {"parameters", tap_schema()}}}},
                                 {{"type", "function"},
                                  {"function", {{"name", "finish_task"}, {"parameters", finish_schema()}}}}})}};
}

/// A server on a free port with a client beside it; time stands still until a
/// request is waited for.
class Fixture {
 public:
  explicit Fixture(ModelServerSettings behaviour = instant(), std::uint64_t seed = 1, double time_scale = 1) {
    ModelServerOptions options;
    options.behaviour = std::move(behaviour);
    options.seed = seed;
    options.time_scale = time_scale;
    auto started = start_model_server(threads_, time_, options);
    REQUIRE(started.ok());
    server_ = std::move(*started);
    client_ = net::make_http_client(threads_, *clock_);
  }
  ~Fixture() {
    client_.reset();
    server_.reset();
    threads_.stop();
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  static ModelServerSettings instant() {
    ModelServerSettings settings;
    settings.latency = Duration::zero();
    return settings;
  }

  static net::Headers anthropic_headers() {
    return {{"content-type", "application/json"}, {"anthropic-version", "2026-10-21"}, {"x-api-key", "any"}};
  }
  static net::Headers openai_headers() {
    return {{"content-type", "application/json"}, {"authorization", "Bearer any"}};
  }

  std::string url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + std::string{path};
  }

  std::future<net::HttpOutcome> send(net::HttpRequest request, Duration timeout = std::chrono::seconds{20}) {
    auto promise = std::make_shared<std::promise<net::HttpOutcome>>();
    auto future = promise->get_future();
    request.headers.set("connection", "keep-alive");
    client_->send(std::move(request), timeout, CancelToken{},
                  [promise](net::HttpOutcome outcome) { promise->set_value(std::move(outcome)); });
    return future;
  }

  /// Waits for an outcome while the server's time moves on.
  net::HttpOutcome wait(std::future<net::HttpOutcome>& future) {
    while (future.wait_for(std::chrono::milliseconds{1}) != std::future_status::ready)
      time_.advance(std::chrono::milliseconds{20});
    return future.get();
  }

  net::HttpOutcome exchange(net::HttpRequest request, Duration timeout = std::chrono::seconds{20}) {
    auto future = send(std::move(request), timeout);
    return wait(future);
  }

  net::HttpResponse post(std::string_view path, const Json& body, net::Headers headers) {
    return post_text(path, dump_json(body), std::move(headers));
  }
  net::HttpResponse post_text(std::string_view path, std::string body, net::Headers headers) {
    auto outcome = exchange({"POST", url(path), std::move(headers), std::move(body)});
    INFO((outcome.response.ok() ? std::string{} : outcome.response.error().describe()));
    REQUIRE(outcome.response.ok());
    return *std::move(outcome.response);
  }
  net::HttpResponse messages(const Json& body) { return post("/v1/messages", body, anthropic_headers()); }
  net::HttpResponse chat(const Json& body) { return post("/v1/chat/completions", body, openai_headers()); }

  ModelServer& server() { return *server_; }
  SimulatedTime& time() { return time_; }

 private:
  net::IoThreads threads_{2};
  SimulatedTime time_;
  std::unique_ptr<Timers> clock_ = make_timer_thread();
  std::unique_ptr<ModelServer> server_;
  std::unique_ptr<net::HttpTransport> client_;
};

Json read(const net::HttpResponse& response) {
  auto parsed = parse_json(response.body, "answer");
  INFO(response.body);
  REQUIRE(parsed.ok());
  return *parsed;
}

Json tool_block(const Json& message) {
  for (const auto& block : message["content"]) {
    if (block["type"] == "tool_use") return block;
  }
  return nullptr;
}

void check_anthropic_refusal(const net::HttpResponse& response, int status, std::string_view type,
                             std::string_view words) {
  const auto body = read(response);
  INFO(response.body);
  CHECK(response.status == status);
  CHECK(body["type"] == "error");
  CHECK(body["error"]["type"] == type);
  CHECK(body["error"]["message"].get<std::string>().find(words) != std::string::npos);
  CHECK(body["request_id"].get<std::string>().rfind("req_", 0) == 0);
  CHECK(response.headers.get("request-id") == body["request_id"].get<std::string>());
}

void check_openai_refusal(const net::HttpResponse& response, int status, const Json& param, const Json& code) {
  const auto body = read(response);
  INFO(response.body);
  CHECK(response.status == status);
  CHECK(body["error"]["type"] == "invalid_request_error");
  CHECK(body["error"]["param"] == param);
  CHECK(body["error"]["code"] == code);
  CHECK_FALSE(body["error"]["message"].get<std::string>().empty());
  CHECK_FALSE(response.headers.get("x-request-id").empty());
}

}  // namespace

TEST_CASE("a request by curl in the Anthropic format gets one tool call with text before it") {
  Fixture fixture;
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
  Fixture fixture;
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
  Fixture fixture;
  const auto anthropic = read(fixture.messages(messages_body()));
  const auto openai = read(fixture.chat(chat_body()));
  const auto& message = openai["choices"][0]["message"];
  CHECK(anthropic["content"][0]["text"] == message["content"]);
  CHECK(tool_block(anthropic)["name"] == message["tool_calls"][0]["function"]["name"]);
  CHECK(tool_block(anthropic)["input"] ==
        Json::parse(message["tool_calls"][0]["function"]["arguments"].get<std::string>()));
}

TEST_CASE("Drover's own clients get the same answers as curl") {
  Fixture fixture;
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
  for (const bool anthropic : {true, false}) {
    ClientOptions options;
    options.base_url = anthropic ? fixture.url("") : fixture.url("/v1");
    options.api_key = "any";
    options.model = "drover-rules-1";
    const auto client = anthropic ? make_anthropic_client(options) : make_openai_chat_client(options);
    auto outcome = fixture.exchange(client->encode(request));
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
  Fixture fixture;
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
  Fixture fixture;
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
  Fixture fixture;
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
  Fixture fixture;
  const auto index = fixture.exchange({"GET", fixture.url("/"), {}, {}});
  REQUIRE(index.response.ok());
  CHECK(index.response->body.find("built-in rules, not a language model") != std::string::npos);
  const auto openai = fixture.exchange({"GET", fixture.url("/v1/models"), Fixture::openai_headers(), {}});
  REQUIRE(openai.response.ok());
  CHECK(read(*openai.response)["data"][0]["id"] == "drover-rules-1");
  const auto anthropic =
      fixture.exchange({"GET", fixture.url("/v1/models/drover-rules-1"), Fixture::anthropic_headers(), {}});
  REQUIRE(anthropic.response.ok());
  CHECK(read(*anthropic.response)["type"] == "model");
  const auto absent = fixture.exchange({"GET", fixture.url("/v1/models/gpt-9"), Fixture::openai_headers(), {}});
  REQUIRE(absent.response.ok());
  CHECK(absent.response->status == 404);
}

TEST_CASE("tokens are counted without an answer") {
  Fixture fixture;
  auto body = messages_body();
  body.erase("max_tokens");
  const auto response = fixture.post("/v1/messages/count_tokens", body, Fixture::anthropic_headers());
  CHECK(response.status == 200);
  CHECK(read(response)["input_tokens"].get<int>() > 50);
  CHECK(fixture.server().counts().requests == 0);
}

TEST_CASE("the Anthropic format refuses what the service refuses") {
  Fixture fixture;
  const auto refuse = [&](const Json& patch, std::string_view words) {
    auto body = messages_body();
    body.merge_patch(patch);
    check_anthropic_refusal(fixture.messages(body), 400, "invalid_request_error", words);
  };
  SECTION("headers") {
    auto headers = Fixture::anthropic_headers();
    headers.set("anthropic-version", "");
    check_anthropic_refusal(fixture.post("/v1/messages", messages_body(), headers), 400, "invalid_request_error",
                            "anthropic-version");
    headers.set("anthropic-version", "1999-01-01");
    check_anthropic_refusal(fixture.post("/v1/messages", messages_body(), headers), 400, "invalid_request_error",
                            "1999-01-01");
    headers = {{"content-type", "application/json"}, {"anthropic-version", "2026-10-21"}};
    check_anthropic_refusal(fixture.post("/v1/messages", messages_body(), headers), 401, "authentication_error",
                            "x-api-key");
    headers.set("authorization", "Bearer key");
    CHECK(fixture.post("/v1/messages", messages_body(), headers).status == 200);
    headers.set("content-type", "text/plain");
    check_anthropic_refusal(fixture.post("/v1/messages", messages_body(), headers), 400, "invalid_request_error",
                            "content-type");
  }
  SECTION("bodies") {
    check_anthropic_refusal(fixture.post_text("/v1/messages", "{\"model\":", Fixture::anthropic_headers()), 400,
                            "invalid_request_error", "JSON");
    check_anthropic_refusal(fixture.post_text("/v1/messages", "[]", Fixture::anthropic_headers()), 400,
                            "invalid_request_error", "object");
    check_anthropic_refusal(
        fixture.post_text("/v1/messages", std::string((32u << 20) + 1, ' '), Fixture::anthropic_headers()), 413,
        "request_too_large", "32 MB");
    refuse({{"surprise", 1}}, "surprise");
  }
  SECTION("required fields") {
    refuse({{"model", nullptr}}, "model");
    refuse({{"max_tokens", nullptr}}, "max_tokens");
    refuse({{"max_tokens", 99999}}, "max_tokens");
    refuse({{"messages", nullptr}}, "messages");
    refuse({{"messages", Json::array()}}, "messages");
  }
  SECTION("messages") {
    refuse({{"messages", Json::array({{{"role", "tool"}, {"content", "x"}}})}}, "role");
    refuse({{"messages", Json::array({{{"role", "user"}, {"content", ""}}})}}, "non-empty");
    refuse({{"messages", Json::array({{{"role", "user"}, {"content", Json::array({{{"type", "sound"}}})}}})}}, "sound");
    refuse(
        {{"messages", Json::array({{{"role", "user"}, {"content", "x"}}, {{"role", "assistant"}, {"content", "So"}}})}},
        "prefill");
    const Json call = {
        {"role", "assistant"},
        {"content", Json::array({{{"type", "tool_use"}, {"id", "a"}, {"name", "tap"}, {"input", Json::object()}}})}};
    refuse(
        {{"messages", Json::array({{{"role", "user"}, {"content", "x"}}, call, {{"role", "user"}, {"content", "y"}}})}},
        "tool_result");
    refuse(
        {{"messages", Json::array({{{"role", "user"},
                                    {"content", Json::array({{{"type", "tool_result"}, {"tool_use_id", "zz"}}})}}})}},
        "tool_use_id");
  }
  SECTION("tools") {
    refuse({{"tools", Json::array({{{"name", "bad name"}, {"input_schema", tap_schema()}}})}}, "pattern");
    refuse({{"tools", Json::array({{{"name", "tap"}}})}}, "input_schema");
    refuse({{"tools", Json::array({{{"name", "tap"}, {"input_schema", {{"type", "string"}}}}})}}, "object");
    refuse(
        {{"tools", Json::array({{{"name", "tap"}, {"input_schema", {{"type", "object"}, {"oneOf", Json::array()}}}}})}},
        "oneOf");
    refuse({{"tools", Json::array({{{"name", "tap"}, {"input_schema", tap_schema()}},
                                   {{"name", "tap"}, {"input_schema", tap_schema()}}})}},
           "unique");
    refuse({{"tools", nullptr}, {"tool_choice", {{"type", "any"}}}}, "tool_choice");
    refuse({{"tool_choice", {{"type", "maybe"}}}}, "tool_choice");
    refuse({{"tool_choice", {{"type", "tool"}, {"name", "swipe"}}}}, "swipe");
  }
  SECTION("what models refuse") {
    refuse({{"model", "claude-sonnet-5-5"}, {"tool_choice", {{"type", "any"}}}}, "not supported for this model");
    refuse({{"model", "claude-opus-5-5"}, {"tool_choice", {{"type", "tool"}, {"name", "tap"}}}},
           "not supported for this model");
    refuse({{"model", "claude-sonnet-5-5"}, {"thinking", {{"type", "disabled"}}}}, "disabled");
    refuse({{"model", "claude-sonnet-5-5"}, {"thinking", {{"type", "enabled"}, {"budget_tokens", 1024}}}}, "enabled");
    refuse({{"model", "claude-haiku-4-5"}, {"thinking", {{"type", "adaptive"}}}}, "adaptive");
    refuse({{"model", "claude-haiku-4-5"},
            {"max_tokens", 2048},
            {"thinking", {{"type", "enabled"}, {"budget_tokens", 2048}}}},
           "budget_tokens");
    refuse({{"model", "claude-haiku-4-5"},
            {"max_tokens", 2048},
            {"thinking", {{"type", "enabled"}, {"budget_tokens", 100}}}},
           "1024");
    refuse({{"model", "claude-haiku-4-5"},
            {"max_tokens", 4096},
            {"tool_choice", {{"type", "any"}}},
            {"thinking", {{"type", "enabled"}, {"budget_tokens", 1024}}}},
           "tool_choice");
    refuse({{"temperature", 1.0}}, "temperature");
    refuse({{"top_p", 0.5}}, "top_p");
  }
  SECTION("pictures") {
    const auto with_image = [](std::string media, std::string data) {
      return Json{{"messages", Json::array({{{"role", "user"},
                                             {"content", Json::array({{{"type", "image"},
                                                                       {"source",
                                                                        {{"type", "base64"},
                                                                         {"media_type", std::move(media)},
                                                                         {"data", std::move(data)}}}}})}}})}};
    };
    refuse(with_image("image/bmp", "AAAA"), "media_type");
    refuse(with_image("image/png", "AAAA"), "process image");
    // The head of a PNG of 9000 by 16 pixels.
    const std::string wide_png = "iVBORw0KGgoAAAANSUhEUgAAIygAAAAQCAYAAAA=";
    refuse(with_image("image/png", wide_png), "dimensions");
    refuse(with_image("image/jpeg", wide_png), "image/png");
    refuse(with_image("image/png", std::string(8u << 20, 'A')), "5 MB");
  }
  CHECK(fixture.server().counts().answered <= 1);
  CHECK(fixture.server().counts().faults.at("refused") >= 3);
}

TEST_CASE("the older API version still takes sampling and takes no system messages") {
  Fixture fixture;
  auto headers = Fixture::anthropic_headers();
  headers.set("anthropic-version", "2023-06-01");
  auto body = messages_body();
  body["temperature"] = 0.2;
  CHECK(fixture.post("/v1/messages", body, headers).status == 200);
  body["model"] = "claude-opus-4-8";
  CHECK(fixture.post("/v1/messages", body, headers).status == 400);
  auto with_system = messages_body();
  with_system["messages"].insert(with_system["messages"].begin(),
                                 Json::object({{"role", "system"}, {"content", "Be brief."}}));
  CHECK(fixture.post("/v1/messages", with_system, headers).status == 400);
  CHECK(fixture.messages(with_system).status == 200);
}

TEST_CASE("the OpenAI format refuses what the service refuses") {
  Fixture fixture;
  const auto refuse = [&](const Json& patch, const Json& param, const Json& code) {
    auto body = chat_body();
    body.merge_patch(patch);
    check_openai_refusal(fixture.chat(body), 400, param, code);
  };
  SECTION("headers") {
    const net::Headers no_key = {{"content-type", "application/json"}};
    check_openai_refusal(fixture.post("/v1/chat/completions", chat_body(), no_key), 401, nullptr, nullptr);
    net::Headers plain = Fixture::openai_headers();
    plain.set("content-type", "text/plain");
    check_openai_refusal(fixture.post("/v1/chat/completions", chat_body(), plain), 415, nullptr,
                         "unsupported_content_type");
    check_openai_refusal(fixture.post_text("/v1/chat/completions", "nonsense", Fixture::openai_headers()), 400, nullptr,
                         nullptr);
  }
  SECTION("fields") {
    refuse({{"model", nullptr}}, nullptr, nullptr);
    refuse({{"messages", nullptr}}, "messages", "missing_required_parameter");
    refuse({{"messages", Json::array()}}, "messages", "empty_array");
    refuse({{"max_tokens", 0}}, "max_tokens", "integer_below_min_value");
    refuse({{"surprise", 1}}, "surprise", "unknown_parameter");
    refuse({{"messages", Json::array({{{"role", "robot"}, {"content", "x"}}})}}, "messages[0].role", "invalid_value");
    refuse({{"messages", Json::array({{{"role", "tool"}, {"tool_call_id", "c"}, {"content", "x"}}})}},
           "messages[0].role", nullptr);
  }
  SECTION("tools") {
    refuse({{"tools", Json::array()}}, "tools", "empty_array");
    refuse({{"tools", Json::array({{{"type", "function"}, {"function", {{"name", "bad name"}}}}})}},
           "tools[0].function.name", "invalid_value");
    refuse({{"tools", Json::array({{{"type", "function"},
                                    {"function", {{"name", "tap"}, {"parameters", {{"type", "string"}}}}}}})}},
           "tools[0].function.parameters", "invalid_function_parameters");
    refuse(
        {{"tools", Json::array({{{"type", "function"},
                                 {"function", {{"name", "tap"}, {"strict", true}, {"parameters", tap_schema()}}}}})}},
        "tools[0].function.parameters", "invalid_function_parameters");
    refuse({{"tool_choice", "any"}}, "tool_choice", "invalid_value");
    refuse({{"tool_choice", {{"type", "function"}, {"function", {{"name", "swipe"}}}}}}, "tool_choice", nullptr);
    refuse({{"tools", nullptr}, {"tool_choice", "auto"}}, "tool_choice", nullptr);
    refuse({{"tools", nullptr}, {"parallel_tool_calls", false}}, "parallel_tool_calls", nullptr);
  }
  SECTION("what models refuse") {
    refuse({{"model", "o3"}, {"parallel_tool_calls", false}}, "parallel_tool_calls", "unsupported_parameter");
    refuse({{"model", "o4-mini"}, {"max_tokens", 100}}, "max_tokens", "unsupported_parameter");
    refuse({{"model", "gpt-5"}, {"temperature", 0.5}}, "temperature", "unsupported_value");
    refuse({{"model", "gpt-5.6"}}, "reasoning_effort", nullptr);
    refuse({{"model", "gpt-6"}, {"reasoning_effort", "none"}}, "reasoning_effort", nullptr);
    auto body = chat_body();
    body["model"] = "gpt-5.6";
    body["reasoning_effort"] = "none";
    CHECK(fixture.chat(body).status == 200);
  }
  SECTION("pictures") {
    const auto with_image = [](const char* role, std::string url) {
      return Json{
          {"messages",
           Json::array(
               {{{"role", role},
                 {"content", Json::array({{{"type", "image_url"}, {"image_url", {{"url", std::move(url)}}}}})}}})}};
    };
    refuse(with_image("system", "https://example.com/a.png"), "messages[0].content[0]", nullptr);
    refuse(with_image("user", "data:image/png;base64,AAAA"), "messages[0].content[0].image_url.url",
           "invalid_image_format");
  }
}

TEST_CASE("only tools that are offered are called, with arguments of their schemas") {
  Fixture fixture;
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
  Fixture fixture;
  auto body = chat_body();
  body["max_completion_tokens"] = 30;
  const auto answer = read(fixture.chat(body));
  CHECK(answer["choices"][0]["finish_reason"] == "length");
  CHECK(answer["usage"]["completion_tokens"] == 30);
  auto warm = messages_body();
  warm["max_tokens"] = 0;
  CHECK(read(fixture.messages(warm))["content"].empty());
}

TEST_CASE("the latency is waited in the timers and follows the time scale") {
  ModelServerSettings slow;
  slow.latency = std::chrono::seconds{40};
  slow.latency_spread = 0;
  Fixture fixture{slow, 1, 0.1};
  auto future =
      fixture.send({"POST", fixture.url("/v1/messages"), Fixture::anthropic_headers(), dump_json(messages_body())});
  while (fixture.time().pending() == 0) std::this_thread::yield();
  fixture.time().advance(std::chrono::milliseconds{3900});
  CHECK(fixture.server().counts().answered == 0);
  fixture.time().advance(std::chrono::milliseconds{200});
  CHECK(fixture.server().counts().answered == 1);
  CHECK(future.get().response.ok());
}

TEST_CASE("each fault of the transport looks like the service's") {
  ModelServerSettings settings = Fixture::instant();
  SECTION("429 with retry-after") {
    settings.rate_limited_share = 1;
    Fixture fixture{settings, 1, 0.1};
    const auto anthropic = fixture.messages(messages_body());
    check_anthropic_refusal(anthropic, 429, "rate_limit_error", "rate limit");
    const auto wait = std::stod(std::string{anthropic.headers.get("retry-after")});
    CHECK(wait >= 0.1);
    CHECK(wait <= 0.4);
    const auto openai = fixture.chat(chat_body());
    CHECK(openai.status == 429);
    CHECK(read(openai)["error"]["code"] == "rate_limit_exceeded");
    CHECK(openai.headers.has("retry-after"));
    CHECK(fixture.server().counts().faults.at("rate_limited") == 2);
  }
  SECTION("overload") {
    settings.overloaded_share = 1;
    Fixture fixture{settings};
    check_anthropic_refusal(fixture.messages(messages_body()), 529, "overloaded_error", "verloaded");
    const auto openai = fixture.chat(chat_body());
    CHECK(openai.status == 503);
    CHECK(read(openai)["error"]["code"] == "server_is_overloaded");
    CHECK(fixture.server().counts().faults.at("overloaded") == 2);
  }
  SECTION("a dropped connection") {
    settings.dropped_share = 1;
    Fixture fixture{settings};
    const auto outcome = fixture.exchange(
        {"POST", fixture.url("/v1/messages"), Fixture::anthropic_headers(), dump_json(messages_body())});
    REQUIRE_FALSE(outcome.response.ok());
    CHECK(outcome.response.error().code == Errc::network);
  }
  SECTION("no answer at all") {
    settings.timeout_share = 1;
    Fixture fixture{settings};
    auto future =
        fixture.send({"POST", fixture.url("/v1/messages"), Fixture::anthropic_headers(), dump_json(messages_body())},
                     std::chrono::milliseconds{200});
    const auto outcome = future.get();
    REQUIRE_FALSE(outcome.response.ok());
    CHECK(outcome.response.error().code == Errc::timeout);
    CHECK(fixture.server().counts().faults.at("timed_out") == 1);
    CHECK(fixture.server().counts().answered == 0);
  }
}

TEST_CASE("an answer can lack its call where none is forced, and only there") {
  ModelServerSettings settings = Fixture::instant();
  settings.no_tool_call_share = 1;
  Fixture fixture{settings};
  const auto free = read(fixture.messages(messages_body()));
  CHECK(tool_block(free).is_null());
  CHECK_FALSE(free["content"].empty());
  auto forced = messages_body();
  forced["tool_choice"] = {{"type", "any"}};
  CHECK(tool_block(read(fixture.messages(forced)))["name"] == "tap");
  CHECK(fixture.server().counts().faults.at("no_tool_call") == 1);
}

TEST_CASE("malformed arguments lack a field or are no JSON") {
  ModelServerSettings settings = Fixture::instant();
  settings.malformed_share = 1;
  Fixture fixture{settings};
  int broken = 0;
  int incomplete = 0;
  for (int step = 1; step <= 12; ++step) {
    auto prompt = std::string{task_prompt};
    prompt.replace(prompt.find("Step: 1"), 7, "Step: " + std::to_string(step));
    const auto answer = read(fixture.chat(chat_body(prompt)));
    const auto arguments = parse_json(
        answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"].get<std::string>(), "arguments");
    if (!arguments.ok()) {
      ++broken;
    } else if (!arguments->contains("purpose")) {
      ++incomplete;
    }
  }
  CHECK(broken + incomplete == 12);
  CHECK(broken > 0);
  CHECK(incomplete > 0);
  CHECK(fixture.server().counts().faults.at("malformed") == 12);
}

TEST_CASE("lies follow from seed and goal alone") {
  ModelServerSettings settings = Fixture::instant();
  settings.lie_about = {"FLIGHT"};
  Fixture named{settings};
  const auto call = tool_block(read(named.messages(messages_body())));
  CHECK(call["name"] == "finish_task");
  CHECK(call["input"]["success"] == true);
  CHECK(named.server().counts().faults.at("lied") == 1);

  settings.lie_about = {};
  settings.lie_share = 0.5;
  const auto liars = [&](std::uint64_t seed, int skip) {
    Fixture fixture{settings, seed};
    for (int i = 0; i < skip; ++i) fixture.messages(messages_body("Task: another thing"));
    std::vector<bool> lied;
    for (int i = 0; i < 12; ++i) {
      const auto prompt = "Task: Open the page number " + std::to_string(i) +
                          std::string{task_prompt.substr(task_prompt.find("\nStep"))};
      lied.push_back(tool_block(read(fixture.messages(messages_body(prompt))))["name"] == "finish_task" &&
                     tool_block(read(fixture.messages(messages_body(prompt))))["input"]["success"] == true);
    }
    return lied;
  };
  const auto first = liars(7, 0);
  CHECK(first == liars(7, 3));
  CHECK(first != liars(8, 0));
}

TEST_CASE("faults follow from the seed and what is asked, in whatever order requests come") {
  ModelServerSettings settings = Fixture::instant();
  settings.overloaded_share = 0.5;
  const auto prompt_of = [](int number) {
    return "Task: Open the page number " + std::to_string(number) +
           std::string{task_prompt.substr(task_prompt.find("\nStep"))};
  };
  const auto statuses = [&](std::uint64_t seed, bool backwards) {
    Fixture fixture{settings, seed};
    std::vector<int> seen(16);
    for (int i = 0; i < 16; ++i) {
      const int number = backwards ? 15 - i : i;
      seen[static_cast<std::size_t>(number)] = fixture.messages(messages_body(prompt_of(number))).status;
    }
    return seen;
  };
  const auto first = statuses(3, false);
  CHECK(std::count(first.begin(), first.end(), 200) > 0);
  CHECK(std::count(first.begin(), first.end(), 529) > 0);
  CHECK(first == statuses(3, true));
  CHECK(first != statuses(4, false));
}

TEST_CASE("the time on a screen makes no difference to what goes wrong") {
  ModelServerSettings settings = Fixture::instant();
  settings.overloaded_share = 0.5;
  for (int step = 1; step <= 8; ++step) {
    const auto status_at = [&](std::string_view time) {
      auto prompt = std::string{task_prompt};
      prompt.replace(prompt.find("Step: 1"), 7, "Step: " + std::to_string(step));
      prompt.replace(prompt.find("Network"), 7, time);
      return Fixture{settings}.messages(messages_body(prompt)).status;
    };
    CHECK(status_at("09:59") == status_at("10:00"));
  }
}

TEST_CASE("a request that is sent again does not meet the same fault for ever") {
  ModelServerSettings settings = Fixture::instant();
  settings.overloaded_share = 0.5;
  const auto statuses = [&] {
    Fixture fixture{settings, 3};
    std::vector<int> seen;
    for (int i = 0; i < 16; ++i) seen.push_back(fixture.messages(messages_body()).status);
    return seen;
  };
  const auto seen = statuses();
  CHECK(std::count(seen.begin(), seen.end(), 200) > 0);
  CHECK(std::count(seen.begin(), seen.end(), 529) > 0);
  CHECK(seen == statuses());
}

TEST_CASE("a request that corrects an answer is answered well") {
  ModelServerSettings settings = Fixture::instant();
  settings.malformed_share = 1;
  Fixture fixture{settings};
  const auto is_good = [](const Json& answer) {
    const auto call = tool_block(answer);
    return call.is_object() && call["input"].contains("purpose") && call["input"].contains("element");
  };
  CHECK_FALSE(is_good(read(fixture.messages(messages_body()))));
  SECTION("by words behind the screen") {
    const auto reminded = std::string{task_prompt} + "\n\nYour last answer for this screen could not be used.";
    CHECK(is_good(read(fixture.messages(messages_body(reminded)))));
  }
  SECTION("by a tool result that is an error") {
    auto body = messages_body();
    body["messages"].push_back(
        {{"role", "assistant"},
         {"content", {{{"type", "tool_use"}, {"id", "toolu_1"}, {"name", "tap"}, {"input", Json::object()}}}}});
    body["messages"].push_back({{"role", "user"},
                                {"content",
                                 {{{"type", "tool_result"},
                                   {"tool_use_id", "toolu_1"},
                                   {"is_error", true},
                                   {"content", "purpose is missing"}}}}});
    CHECK(is_good(read(fixture.messages(body))));
  }
  SECTION("after an answer without a call") {
    auto body = messages_body();
    body["messages"].push_back({{"role", "assistant"}, {"content", "I would tap."}});
    body["messages"].push_back({{"role", "user"}, {"content", "Then call the tool."}});
    CHECK(is_good(read(fixture.messages(body))));
  }
}

TEST_CASE("requests per minute are held by a bucket that says so in its headers") {
  ModelServerSettings settings = Fixture::instant();
  settings.requests_per_minute = 60;
  Fixture fixture{settings};
  for (int i = 0; i < 3; ++i) {
    const auto response = fixture.post("/v1/messages", messages_body(), Fixture::anthropic_headers());
    CHECK(response.headers.get("anthropic-ratelimit-requests-limit") == "60");
    CHECK(response.headers.has("anthropic-ratelimit-requests-reset"));
  }
  // Waiting for the answers has moved the time on by less than a request's worth each.
  int refused = 0;
  net::HttpResponse last;
  for (int i = 0; i < 60 && refused == 0; ++i) {
    last = fixture.chat(chat_body());
    refused += last.status == 429 ? 1 : 0;
  }
  REQUIRE(refused == 1);
  CHECK(last.headers.get("x-ratelimit-limit-requests") == "60");
  CHECK(last.headers.get("x-ratelimit-remaining-requests") == "0");
  CHECK(read(last)["error"]["code"] == "rate_limit_exceeded");
  CHECK(std::stod(std::string{last.headers.get("retry-after")}) <= 1.0);
  fixture.time().advance(std::chrono::seconds{2});
  CHECK(fixture.chat(chat_body()).status == 200);
}

TEST_CASE("many clients at once are all answered") {
  Fixture fixture;
  std::vector<std::future<net::HttpOutcome>> open;
  for (int i = 0; i < 200; ++i) {
    if (i % 2 == 0) {
      open.push_back(fixture.send(
          {"POST", fixture.url("/v1/messages"), Fixture::anthropic_headers(), dump_json(messages_body())}));
    } else {
      open.push_back(fixture.send(
          {"POST", fixture.url("/v1/chat/completions"), Fixture::openai_headers(), dump_json(chat_body())}));
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

TEST_CASE("stopping lets waiting requests go") {
  ModelServerSettings slow;
  slow.latency = std::chrono::hours{1};
  Fixture fixture{slow};
  auto future =
      fixture.send({"POST", fixture.url("/v1/messages"), Fixture::anthropic_headers(), dump_json(messages_body())});
  while (fixture.time().pending() == 0) std::this_thread::yield();
  fixture.server().stop();
  CHECK(fixture.time().pending() == 0);
  CHECK_FALSE(future.get().response.ok());
}

TEST_CASE("settings that make no sense are refused") {
  net::IoThreads threads;
  SimulatedTime time;
  ModelServerOptions options;
  options.behaviour.rate_limited_share = 1.5;
  CHECK(start_model_server(threads, time, options).error().code == Errc::invalid_argument);
  options.behaviour.rate_limited_share = 0.6;
  options.behaviour.dropped_share = 0.6;
  CHECK(start_model_server(threads, time, options).error().code == Errc::invalid_argument);
  options.behaviour = {};
  options.time_scale = -1;
  CHECK(start_model_server(threads, time, options).error().code == Errc::invalid_argument);
}

TEST_CASE("a wrong path or method is told") {
  Fixture fixture;
  CHECK(fixture.post("/v1/nothing", messages_body(), Fixture::anthropic_headers()).status == 404);
  const auto outcome = fixture.exchange({"GET", fixture.url("/v1/messages"), Fixture::anthropic_headers(), {}});
  REQUIRE(outcome.response.ok());
  CHECK(outcome.response->status == 405);
  CHECK(outcome.response->headers.get("allow") == "POST");
}
