#include <catch2/catch.hpp>

#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

constexpr auto auto_choice =
    R"({"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400})";
constexpr auto named_choice =
    R"({"error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice","param":"tool_choice","code":400}})";
constexpr auto no_tools = "takes no tools as they are sent; asked for structured output";

std::unique_ptr<ToolCallingClient> client_with(WireFormat format, const char* model, bool structured_output) {
  auto capabilities = capabilities_of(format, model);
  capabilities.structured_output = structured_output;
  ClientOptions options{"https://api.example.com", "k", model};
  options.knowledge = std::make_shared<ModelKnowledge>(format, std::move(capabilities));
  return make_client(format, std::move(options));
}

}  // namespace

TEST_CASE("a refused choice of tools rules out the forced one only where that was asked for") {
  struct Case {
    Rung rung;
    bool structured_output;
    const char* body;
    const char* sentence;
    Rung then;  ///< What the automatic rung becomes.
  };
  const auto each = GENERATE(values<Case>({
      {Rung::automatic, true, auto_choice, no_tools, Rung::structured},
      {Rung::automatic, true, named_choice, no_tools, Rung::structured},
      {Rung::reminder, true, named_choice, no_tools, Rung::structured},
      {Rung::automatic, false, auto_choice, "", Rung::automatic},
      {Rung::automatic, false, named_choice, "", Rung::automatic},
      {Rung::structured, true, named_choice, "", Rung::automatic},
      {Rung::forced, true, named_choice, "takes no forced choice of a tool", Rung::automatic},
      {Rung::forced, false, named_choice, "takes no forced choice of a tool", Rung::automatic},
  }));
  CAPTURE(name_of(each.rung), each.structured_output, each.body);
  const auto client = client_with(WireFormat::openai_chat, "gpt-4.1", each.structured_output);
  auto request = sample_request();
  request.rung = each.rung;
  const auto sent = client->encode(request);
  REQUIRE(sent.asked_with.rung == each.rung);
  const auto lesson = client->learn(failure_in(decoded(*client, 400, each.body)), sent.asked_with);
  CHECK(lesson.sentence == each.sentence);
  CHECK(lesson.repaired == !lesson.sentence.empty());
  CHECK(client->capabilities()->forced_choice == (each.rung != Rung::forced));
  CHECK(client->encode(sample_request()).rung == each.then);
}

TEST_CASE("refused words about storing and strict schemas are left out from then on") {
  struct Case {
    WireFormat format;
    Rung rung;
    const char* error;
    const char* sentence;
    const char* word;
  };
  const auto each = GENERATE(values<Case>({
      {WireFormat::openai_responses, Rung::automatic,
       R"({"message":"Unsupported parameter: 'store' is not supported.","param":"store"})",
       "takes no word about what is stored", "\"store\""},
      {WireFormat::openai_responses, Rung::automatic, R"({"message":"body.store: Extra inputs are not permitted"})",
       "takes no word about what is stored", "\"store\""},
      {WireFormat::openai_responses, Rung::automatic, R"({"message":"Unknown parameter","param":"tools[0].strict"})",
       "takes no word about strict schemas", "\"strict\""},
      {WireFormat::openai_responses, Rung::structured, R"({"message":"Unknown","param":"text.format.strict"})",
       "takes no word about strict schemas", "\"strict\""},
      {WireFormat::openai_chat, Rung::structured,
       R"({"message":"Unknown parameter","param":"response_format.json_schema.strict"})",
       "takes no word about strict schemas", "\"strict\""},
      // Not sent, so nothing is learned of it.
      {WireFormat::openai_chat, Rung::automatic, R"({"message":"Unknown","param":"tools[0].function.strict"})", "", ""},
      {WireFormat::openai_chat, Rung::automatic, R"({"message":"Unknown","param":"store"})", "", ""},
      {WireFormat::openai_responses, Rung::automatic, R"({"message":"Unknown","param":"metadata.restore"})", "", ""},
      {WireFormat::anthropic, Rung::automatic, R"({"message":"tools.0.strict: Extra inputs are not permitted"})", "",
       ""},
  }));
  CAPTURE(each.error);
  const auto client =
      client_with(each.format, each.format == WireFormat::anthropic ? "claude-opus-5" : "gpt-4.1", true);
  auto request = sample_request();
  request.rung = each.rung;
  const auto sent = client->encode(request);
  const std::string word = each.word;
  if (!word.empty()) REQUIRE(sent.http.body.find(word) != std::string::npos);
  const auto refusal = failure_in(decoded(*client, 400, R"({"error":)" + std::string(each.error) + "}"));
  const auto lesson = client->learn(refusal, sent.asked_with);
  CHECK(lesson.sentence == each.sentence);
  CHECK(lesson.repaired == !word.empty());
  const auto again = client->encode(request);
  if (!word.empty()) CHECK(again.http.body.find(word) == std::string::npos);
  // Refused once more without it: nothing is left to leave out.
  CHECK_FALSE(client->learn(refusal, again.asked_with).repaired);
}
