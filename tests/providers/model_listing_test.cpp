#include <catch2/catch.hpp>

#include "providers/model_listing.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

net::HttpResponse page(std::string body, int status = 200) {
  net::HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

}  // namespace

TEST_CASE("a service's page of a model tells its forms of thinking and its output limit") {
  const auto found =
      overrides_of_page(ModelPage::anthropic, page(R"({"type":"model","id":"claude-new-7","max_tokens":64000,
      "capabilities":{"thinking":{"types":{"adaptive":{"supported":true},"enabled":{"supported":false},
      "disabled":{"supported":false},"between_tools":{"supported":true}}}}})"));
  REQUIRE(found);
  CHECK(found->max_output_tokens == 64'000);
  CHECK(found->thinking == ThinkingForm::adaptive);
  CHECK(found->disabled_thinking == false);
  CHECK_FALSE(found->forced_choice);
}

TEST_CASE("a model that thinks with a budget alone, or not at all, is told apart") {
  const auto thinking = [](const char* adaptive, const char* enabled) {
    return overrides_of_page(ModelPage::anthropic,
                             page(std::string(R"({"capabilities":{"thinking":{"types":{"adaptive":{"supported":)") +
                                  adaptive + R"(},"enabled":{"supported":)" + enabled + "}}}}}"))
        ->thinking;
  };
  CHECK(thinking("false", "true") == ThinkingForm::enabled_budget);
  CHECK(thinking("false", "false") == ThinkingForm::none);
  CHECK(thinking("true", "true") == ThinkingForm::adaptive);
}

TEST_CASE("pages that say nothing of a model change nothing") {
  for (const auto* const body :
       {"", "<html>", "[]", "null", R"({"id":"x","object":"model"})", R"({"max_tokens":-1})",
        R"({"max_tokens":"many"})", R"({"max_tokens":3})", R"({"max_tokens":99999999999})",
        R"({"capabilities":{"thinking":{"types":[]}}})",
        R"({"capabilities":{"thinking":{"types":{"adaptive":{"supported":"yes"},"enabled":{}}}}})"}) {
    CAPTURE(body);
    CHECK_FALSE(overrides_of_page(ModelPage::anthropic, page(body)));
  }
  CHECK_FALSE(overrides_of_page(ModelPage::anthropic, page(R"({"max_tokens":64000})", 404)));
}

TEST_CASE("the page of a model is asked for with the headers of its calls") {
  const auto client = anthropic_client("claude-opus-5");
  const auto request = *client->page_request(ModelPage::anthropic);
  CHECK(request.method == "GET");
  CHECK(request.target.ends_with("/v1/models/claude-opus-5"));
  CHECK(request.headers.get("anthropic-version") == "2026-10-21");
  CHECK_FALSE(request.headers.get("x-api-key").empty());
  CHECK(request.body.empty());
  const auto odd = anthropic_client("a b/../c?d#e");
  CHECK(odd->page_request(ModelPage::anthropic)->target.ends_with("/v1/models/a%20b%2F..%2Fc%3Fd%23e"));
}

TEST_CASE("of a gateway's servers only what all of them take counts") {
  const auto found = overrides_of_page(ModelPage::openrouter, page(R"({"data":{"id":"lab/model",
      "architecture":{"input_modalities":["text","image"],"output_modalities":["text"]},
      "endpoints":[
        {"provider_name":"One","max_completion_tokens":32768,
         "supported_parameters":["tools","tool_choice","max_tokens","structured_outputs","reasoning"]},
        {"provider_name":"Two","max_completion_tokens":16384,"supported_parameters":["tools","max_tokens","structured_outputs"]},
        {"provider_name":"Three","max_completion_tokens":null,"supported_parameters":["max_tokens","structured_outputs"]}]}})"));
  REQUIRE(found);
  CHECK(found->vision == true);
  CHECK(found->function_tools == true);
  CHECK(found->forced_choice == false);
  CHECK(found->parallel_calls_parameter == false);
  CHECK(found->structured_output == true);
  CHECK(found->max_output_tokens == 16'384);
  CHECK_FALSE(found->thinking);

  const auto without_tools = overrides_of_page(ModelPage::openrouter, page(R"({"data":{
      "architecture":{"input_modalities":["text"]},"endpoints":[{"supported_parameters":["tool_choice"]}]}})"));
  REQUIRE(without_tools);
  CHECK(without_tools->vision == false);
  CHECK(without_tools->function_tools == false);
  CHECK(without_tools->forced_choice == false);
}

TEST_CASE("a local server's page tells whether a model sees and takes tools") {
  const auto found =
      overrides_of_page(ModelPage::ollama, page(R"({"capabilities":["completion","thinking","vision"]})"));
  REQUIRE(found);
  CHECK(found->vision == true);
  CHECK(found->function_tools == false);
  CHECK(overrides_of_page(ModelPage::ollama, page(R"({"capabilities":["completion","tools"]})"))->vision == false);
}

TEST_CASE("pages of other kinds, or none, change nothing") {
  for (const auto kind : {ModelPage::openrouter, ModelPage::ollama, ModelPage::none}) {
    for (const auto* const body :
         {"", "<html>", "[]", R"({"data":[]})", R"({"data":{"endpoints":[]}})", R"({"data":{"endpoints":{}}})",
          R"({"capabilities":{}})", R"({"capabilities":["embedding"]})", R"({"max_tokens":64000})"}) {
      CAPTURE(body);
      CHECK_FALSE(overrides_of_page(kind, page(body)));
    }
  }
}

TEST_CASE("each kind of page is asked for at its own place") {
  ClientOptions options{"https://openrouter.ai/api", "k", "lab/model:free"};
  const auto gateway = make_client(WireFormat::openai_chat, options)->page_request(ModelPage::openrouter);
  REQUIRE(gateway);
  CHECK(gateway->method == "GET");
  CHECK(gateway->target == "https://openrouter.ai/api/v1/models/lab/model%3Afree/endpoints");
  options.model = "model";
  CHECK_FALSE(make_client(WireFormat::openai_chat, options)->page_request(ModelPage::openrouter));
  CHECK_FALSE(make_client(WireFormat::openai_chat, options)->page_request(ModelPage::none));

  for (const auto* const base : {"http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/"}) {
    const auto local = make_client(WireFormat::openai_chat, {base, "", "qwen3:8b"})->page_request(ModelPage::ollama);
    REQUIRE(local);
    CHECK(local->method == "POST");
    CHECK(local->target == "http://127.0.0.1:11434/api/show");
    CHECK(Json::parse(local->body) == Json{{"model", "qwen3:8b"}});
  }
}
