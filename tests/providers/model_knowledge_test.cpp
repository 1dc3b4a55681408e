#include <catch2/catch.hpp>

#include "providers/model_knowledge.hpp"
#include "providers/service_address.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

ProviderFailure refused_by(const ToolCallingClient& client, const std::string& error) {
  return failure_in(decoded(client, 400, R"({"error":)" + error + "}"));
}

}  // namespace

TEST_CASE("a refused field is not sent again, and that is told once") {
  const auto client = openai_client("gpt-5");
  const auto first = client->encode(sample_request());
  REQUIRE(Json::parse(first.http.body).contains("parallel_tool_calls"));
  const auto refusal = refused_by(
      *client, R"({"message":"Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",)"
               R"("type":"invalid_request_error","param":"parallel_tool_calls","code":"unsupported_parameter"})");
  const auto lesson = client->learn(refusal, first.asked_with);
  CHECK(lesson.repaired);
  CHECK(lesson.sentence == "takes no word about parallel calls");
  CHECK_FALSE(body_of(*client, sample_request()).contains("parallel_tool_calls"));

  // A second call that was sent before the first came back is asked again, without a word.
  const auto late = client->learn(refusal, first.asked_with);
  CHECK(late.repaired);
  CHECK(late.sentence.empty());
  // One that was sent without the field and is refused all the same can't be repaired so.
  CHECK_FALSE(client->learn(refusal, {client->capabilities()}).repaired);
}

TEST_CASE("what one key's client learns the clients of the other keys know") {
  const auto knowledge =
      std::make_shared<ModelKnowledge>(WireFormat::anthropic, capabilities_of(WireFormat::anthropic, "claude-opus-5"));
  ClientOptions options{"https://api.example.com", "k1", "claude-opus-5"};
  options.knowledge = knowledge;
  const auto one = make_client(WireFormat::anthropic, options);
  options.api_key = "k2";
  const auto other = make_client(WireFormat::anthropic, options);
  auto request = sample_request();
  request.rung = Rung::forced;
  const auto sent = one->encode(request);
  CHECK(sent.rung == Rung::forced);
  REQUIRE(one->learn(refused_by(*one, R"({"type":"invalid_request_error",)"
                                      R"("message":"tool_choice: type \"tool\" and \"any\" are not supported."})"),
                     sent.asked_with)
              .repaired);
  CHECK(other->encode(request).rung == Rung::reminder);
}

TEST_CASE("what a model takes of thinking, limits, marks, pictures and structure is learned from its refusals") {
  struct Case {
    WireFormat format;
    const char* model;
    const char* error;
    const char* sentence;
  };
  const std::vector<Case> cases = {
      {WireFormat::anthropic, "claude-opus-4-5",
       R"({"message":"thinking.type: \"enabled\" is not supported for this model. Use \"adaptive\"."})",
       "thinks adaptively and takes no budget"},
      {WireFormat::anthropic, "claude-opus-5",
       R"({"message":"thinking.type: \"disabled\" is not supported for this model."})",
       "takes no word that forbids thinking"},
      {WireFormat::anthropic, "claude-opus-5", R"({"message":"max_tokens: 128000 > 32000, the most for this model"})",
       "answers with at most 32000 tokens"},
      {WireFormat::anthropic, "claude-opus-5",
       R"({"message":"system.0.cache_control: Extra inputs are not permitted"})", "takes no cache marks"},
      {WireFormat::anthropic, "claude-opus-5", R"({"message":"output_config.format: Extra inputs are not permitted"})",
       "takes no structured output"},
      {WireFormat::openai_chat, "gpt-4.1",
       R"({"message":"Unsupported parameter: 'max_completion_tokens' is not supported.","param":"max_completion_tokens"})",
       "takes max_tokens in place of max_completion_tokens"},
      {WireFormat::openai_chat, "qwen-vl",
       R"({"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","param":"max_tokens"})",
       "takes max_completion_tokens for max_tokens"},
      {WireFormat::openai_chat, "gpt-5.4",
       R"({"message":"Function tools with reasoning_effort are not supported.","param":"reasoning_effort"})",
       "takes tools only with reasoning_effort none"},
      {WireFormat::openai_chat, "qwen-vl", R"({"message":"this model does not support image input","code":"x"})",
       "reads no pictures"},
      {WireFormat::openai_responses, "gpt-5.6",
       R"({"message":"Unsupported value: 'none' is not supported","param":"reasoning.effort"})",
       "reasons with low effort at least"},
      {WireFormat::openai_responses, "o3",
       R"({"message":"Unsupported parameter: 'reasoning.effort'","param":"reasoning.effort"})",
       "takes no word about reasoning"},
      {WireFormat::openai_responses, "gpt-4.1", R"({"message":"Invalid schema for text.format","param":"text.format"})",
       "takes no structured output"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.error);
    const auto client = make_client(each.format, {"https://api.example.com", "k", each.model});
    const auto lesson = client->learn(refused_by(*client, each.error), {client->capabilities()});
    CHECK(lesson.repaired);
    CHECK(lesson.sentence == each.sentence);
  }
}

TEST_CASE("refusals that name nothing to be left out teach nothing") {
  const auto client = anthropic_client("claude-opus-5");
  for (const auto* const error :
       {R"({"message":"messages.0.content: must not be empty"})", R"({"message":"prompt is too long"})", R"({})",
        R"({"message":"max_tokens: must be positive"})", R"({"message":"tools.0.name: too long"})"}) {
    CAPTURE(error);
    CHECK_FALSE(client->learn(refused_by(*client, error), {client->capabilities()}).repaired);
  }
  auto overloaded = refused_by(*client, R"({"message":"tool_choice: x"})");
  overloaded.kind = FailureKind::overloaded;
  CHECK_FALSE(client->learn(overloaded, {client->capabilities()}).repaired);
}

TEST_CASE("a request that is too large goes again without its picture, and so do those with one as large") {
  struct Case {
    int status;
    const char* error;
  };
  const auto each = GENERATE(
      Case{413, R"({"type":"request_too_large","message":"Request exceeds the maximum size"})"},
      Case{413, R"("<html><h1>413 Request Entity Too Large</h1></html>")"},
      Case{
          400,
          R"({"type":"invalid_request_error","message":"messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6 > 5"})"},
      Case{
          400,
          R"({"type":"invalid_request_error","message":"image dimensions exceed max allowed size: 8000 pixels","details":{"error_code":"image_dimensions_too_large"}})"});
  const auto client = anthropic_client("claude-opus-5-5");
  auto request = sample_request();
  request.screenshot = std::make_shared<Screenshot>(Screenshot{"image/jpeg", std::string(30'000, 'x'), 700, 1568});
  const auto sent = client->encode(request);
  CHECK(sent.asked_with.picture_bytes == 30'000);
  const auto refusal = failure_in(decoded(*client, each.status, std::string(R"({"error":)") + each.error + "}"));
  const auto lesson = client->learn(refusal, sent.asked_with);
  CHECK(lesson.repaired);
  CHECK(lesson.sentence == "takes no picture of 30 kB; it gets none as large");

  const auto again = client->encode(request);
  CHECK(again.asked_with.picture_bytes == 0);
  CHECK(again.http.body.find("image") == std::string::npos);
  // Refused without a picture as well: nothing is left to leave out.
  CHECK_FALSE(client->learn(refusal, again.asked_with).repaired);

  request.screenshot = std::make_shared<Screenshot>(Screenshot{"image/jpeg", std::string(29'999, 'x'), 700, 1568});
  CHECK(client->encode(request).asked_with.picture_bytes == 29'999);
}

TEST_CASE("what a configuration says of a model stands over the table") {
  CapabilityOverrides overrides;
  overrides.vision = true;
  overrides.forced_choice = true;
  overrides.thinking = ThinkingForm::adaptive;
  overrides.disabled_thinking = true;
  overrides.max_output_tokens = 2048;
  auto row = capabilities_of(WireFormat::openai_chat, "model-from-next-year");
  apply(overrides, row);
  CHECK(row.vision);
  CHECK(row.forced_choice);
  CHECK(row.thinking == ThinkingForm::adaptive);
  CHECK(row.disabled_thinking == DisabledThinking::accepted);
  CHECK(row.max_output_tokens == 2048);
  CHECK_FALSE(row.parallel_calls_parameter);
}

TEST_CASE("OpenAI's reasoning models are asked by Responses, and other servers by Chat Completions") {
  const auto& openai = *find_model_service("openai");
  CHECK(format_for(openai, true, "gpt-5.6") == WireFormat::openai_responses);
  CHECK(format_for(openai, true, "o4-mini") == WireFormat::openai_responses);
  CHECK(format_for(openai, true, "gpt-4.1") == WireFormat::openai_chat);
  CHECK(format_for(openai, true, "gpt-5-chat-latest") == WireFormat::openai_chat);
  CHECK(format_for(openai, false, "gpt-5.6") == WireFormat::openai_chat);
  CHECK(format_for(*find_model_service("azure"), false, "gpt-5.6") == WireFormat::openai_responses);
  CHECK(format_for(*find_model_service("deepseek"), true, "o3") == WireFormat::openai_chat);
  CHECK(format_for(*find_model_service("anthropic"), true, "claude-opus-5") == WireFormat::anthropic);
}

TEST_CASE("each service's calls go to its own path with its own header") {
  const auto target = [](const char* kind, WireFormat format, const std::string& base,
                         const std::string& version = "") {
    const ModelService& service = *find_model_service(kind);
    ClientOptions options{base.empty() ? std::string(service.base_url) : base, "k", "m"};
    options.path = path_for(service, format, "m", version);
    options.key_header = service.key_header;
    return make_client(format, std::move(options))->encode(sample_request()).http;
  };
  constexpr auto chat = WireFormat::openai_chat;
  CHECK(target("gemini", chat, "").target ==
        "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions");
  CHECK(target("openrouter", chat, "").target == "https://openrouter.ai/api/v1/chat/completions");
  CHECK(target("ollama", chat, "").target == "http://127.0.0.1:11434/v1/chat/completions");
  const std::string azure = "https://lab.openai.azure.com";
  CHECK(target("azure", chat, azure).target == azure + "/openai/v1/chat/completions");
  CHECK(target("azure", WireFormat::openai_responses, azure + "/openai/v1/").target == azure + "/openai/v1/responses");
  CHECK(target("azure", chat, azure, "2026-08-01").target ==
        azure + "/openai/deployments/m/chat/completions?api-version=2026-08-01");
  CHECK(target("azure", chat, azure).headers.get("api-key") == "k");
  CHECK_FALSE(target("azure", chat, azure).headers.has("authorization"));
  CHECK(target("anthropic", WireFormat::anthropic, "").headers.get("x-api-key") == "k");
}

TEST_CASE("a service that refuses both ways of saying a thing does not send the model from one to the other for ever") {
  struct Case {
    WireFormat format;
    const char* model;
    const char* first;
    const char* second;
    const char* field;
  };
  const auto one = GENERATE(values<Case>({
      {WireFormat::openai_chat, "gpt-5", "Unsupported value", "Unsupported value", "reasoning_effort"},
      {WireFormat::openai_chat, "gpt-5", "tools need reasoning_effort none", "tools need reasoning_effort none",
       "reasoning_effort"},
      {WireFormat::anthropic, "claude-opus-5", "adaptive thinking needs a budget", "use adaptive, no budget",
       "thinking"},
      {WireFormat::anthropic, "claude-haiku-4-5", "use adaptive", "adaptive is not supported, set a budget",
       "thinking"},
  }));
  CAPTURE(one.model, one.first);
  ModelKnowledge knowledge(one.format, capabilities_of(one.format, one.model));
  int lessons = 0;
  for (int turn = 0; turn < 40; ++turn) {
    ProviderFailure refusal;
    refusal.kind = FailureKind::bad_request;
    refusal.status = 400;
    refusal.refused_field = one.field;
    refusal.cause = turn % 2 == 0 ? one.first : one.second;
    if (knowledge.learn(refusal, {knowledge.capabilities()}).repaired) ++lessons;
  }
  CHECK(lessons >= 1);
  CHECK(lessons <= 4);
  if (one.format == WireFormat::anthropic) CHECK(knowledge.capabilities()->thinking == ThinkingForm::none);
}

TEST_CASE("a service that takes neither name of the output limit is asked under the second one") {
  ModelKnowledge knowledge(WireFormat::openai_chat, capabilities_of(WireFormat::openai_chat, "gpt-4.1"));
  int lessons = 0;
  for (int turn = 0; turn < 20; ++turn) {
    ProviderFailure refusal;
    refusal.kind = FailureKind::bad_request;
    refusal.status = 400;
    refusal.refused_field = turn % 2 == 0 ? "max_completion_tokens" : "max_tokens";
    refusal.cause = "Unsupported parameter";
    if (knowledge.learn(refusal, {knowledge.capabilities()}).repaired) ++lessons;
  }
  CHECK(lessons == 1);
  CHECK_FALSE(knowledge.capabilities()->max_completion_tokens);
}
