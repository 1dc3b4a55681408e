#include <catch2/catch.hpp>
#include <string>

#include "providers/model_server_fixture.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::test;

TEST_CASE("the Anthropic format refuses what the service refuses") {
  ModelServerFixture fixture;
  const auto refuse = [&](const Json& patch, std::string_view words) {
    auto body = messages_body();
    body.merge_patch(patch);
    check_anthropic_refusal(fixture.messages(body), 400, "invalid_request_error", words);
  };
  SECTION("headers") {
    auto headers = ModelServerFixture::anthropic_headers();
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
    check_anthropic_refusal(fixture.post_text("/v1/messages", "{\"model\":", ModelServerFixture::anthropic_headers()),
                            400, "invalid_request_error", "JSON");
    check_anthropic_refusal(fixture.post_text("/v1/messages", "[]", ModelServerFixture::anthropic_headers()), 400,
                            "invalid_request_error", "object");
    check_anthropic_refusal(
        fixture.post_text("/v1/messages", std::string((32u << 20) + 1, ' '), ModelServerFixture::anthropic_headers()),
        413, "request_too_large", "32 MB");
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
  ModelServerFixture fixture;
  auto headers = ModelServerFixture::anthropic_headers();
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
  ModelServerFixture fixture;
  const auto refuse = [&](const Json& patch, const Json& param, const Json& code) {
    auto body = chat_body();
    body.merge_patch(patch);
    check_openai_refusal(fixture.chat(body), 400, param, code);
  };
  SECTION("headers") {
    const net::Headers no_key = {{"content-type", "application/json"}};
    check_openai_refusal(fixture.post("/v1/chat/completions", chat_body(), no_key), 401, nullptr, nullptr);
    net::Headers plain = ModelServerFixture::openai_headers();
    plain.set("content-type", "text/plain");
    check_openai_refusal(fixture.post("/v1/chat/completions", chat_body(), plain), 415, nullptr,
                         "unsupported_content_type");
    check_openai_refusal(fixture.post_text("/v1/chat/completions", "nonsense", ModelServerFixture::openai_headers()),
                         400, nullptr, nullptr);
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
  ModelServerFixture fixture;
  CHECK(fixture.post("/v1/nothing", messages_body(), ModelServerFixture::anthropic_headers()).status == 404);
  const auto outcome =
      fixture.exchange({"GET", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), {}});
  REQUIRE(outcome.response.ok());
  CHECK(outcome.response->status == 405);
  CHECK(outcome.response->headers.get("allow") == "POST");
}
