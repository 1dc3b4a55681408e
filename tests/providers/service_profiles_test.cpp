#include <catch2/catch.hpp>

#include <set>

#include "providers/rungs.hpp"
#include "providers/service_address.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

/// The client that a configuration's `kind` and `model` make.
std::unique_ptr<ToolCallingClient> client_of_service(const ModelService& service, const std::string& model) {
  const std::string base = service.base_url.empty() ? "https://lab.openai.azure.com" : std::string(service.base_url);
  const auto format = format_for(service, !service.base_url.empty(), model);
  ClientOptions options{base, "k", model};
  options.path = path_for(service, format, model, "");
  options.key_header = service.key_header;
  auto capabilities = capabilities_of(format, model);
  apply(service.differences, capabilities);
  options.knowledge = std::make_shared<ModelKnowledge>(format, std::move(capabilities));
  return make_client(format, std::move(options));
}

std::unique_ptr<ToolCallingClient> client_of_kind(const char* kind, const std::string& model) {
  return client_of_service(*find_model_service(kind), model);
}

std::string choice(const std::string& message, const std::string& finish) {
  return R"({"choices":[{"index":0,"message":)" + message + R"(,"finish_reason":")" + finish + R"("}],"usage":null})";
}

std::string call_with(const std::string& arguments, const std::string& id = R"("id":"call_1",)") {
  return R"("tool_calls":[{)" + id + R"("type":"function","function":{"name":"tap","arguments":)" + arguments + "}}]";
}

}  // namespace

TEST_CASE("an answer that is odd in the way of its service is read for what it says") {
  struct Case {
    const char* kind;
    const char* model;
    std::string body;
    const char* thinking;
  };
  const std::string whole = R"("{\"element\":1,\"purpose\":\"p\"}")";
  const auto one = GENERATE_COPY(values<Case>({
      {"deepseek", "deepseek-reasoner",
       choice(R"({"content":"","reasoning_content":"I see.",)" + call_with(whole) + "}", "tool_calls"), "I see."},
      {"vllm", "qwen3", choice(R"({"content":null,"reasoning":"I see.",)" + call_with(whole) + "}", "stop"), "I see."},
      {"llama_cpp", "qwen3",
       choice(R"({"content":null,"reasoning_content":"I see.",)" + call_with(R"({"element":1,"purpose":"p"})") + "}",
              "tool_calls"),
       "I see."},
      {"ollama", "qwen3:8b", choice(R"({"content":"","reasoning":"I see.",)" + call_with(whole) + "}", "stop"),
       "I see."},
      {"openrouter", "lab/model",
       choice(R"({"content":null,"reasoning_details":[{"type":"reasoning.text","text":"I see."}],)" + call_with(whole) +
                  "}",
              "tool_calls"),
       "I see."},
      {"gemini", "gemini-3-pro",
       choice(R"({"content":null,"extra_content":{"google":{"thought_signature":"x"}},)" +
                  call_with(whole, R"("id":"",)") + "}",
              "tool_calls"),
       ""},
      {"lm_studio", "qwen3", choice(R"({"content":"","reasoning_content":"I see.",)" + call_with(whole) + "}", "stop"),
       "I see."},
      {"azure", "gpt-4.1",
       R"({"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}],)" +
           choice(R"({"content":null,"refusal":null,)" + call_with(whole) + "}", "tool_calls").substr(1),
       ""},
  }));
  CAPTURE(one.kind);
  const auto answer = decoded(*client_of_kind(one.kind, one.model), 200, one.body);
  REQUIRE(std::holds_alternative<ModelAnswer>(answer));
  REQUIRE(answer_in(answer).calls.size() == 1);
  const auto& call = answer_in(answer).calls.front();
  CHECK(call.name == "tap");
  CHECK(call.arguments == Json{{"element", 1}, {"purpose", "p"}});
  CHECK_FALSE(call.id.empty());
  CHECK(answer_in(answer).thinking == one.thinking);
}

TEST_CASE("an error in the way of its service is a failure of its kind") {
  struct Case {
    const char* kind;
    const char* model;
    int status;
    const char* body;
    FailureKind expected;
  };
  const auto one = GENERATE(values<Case>({
      {"anthropic", "claude-haiku-5-5", 529,
       R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"})",
       FailureKind::overloaded},
      {"openai", "gpt-4.1", 429,
       R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})",
       FailureKind::quota},
      {"azure", "gpt-4.1", 400,
       R"({"error":{"message":"filtered","type":null,"param":"prompt","code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
       FailureKind::refused},
      {"azure", "gpt-4.1", 404, R"({"error":{"code":"DeploymentNotFound","message":"The deployment does not exist."}})",
       FailureKind::not_served},
      {"openrouter", "lab/model", 402, R"({"error":{"code":402,"message":"Insufficient credits"}})",
       FailureKind::quota},
      {"openrouter", "lab/model", 200,
       R"({"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream is down","provider_name":"One"}}})",
       FailureKind::server},
      {"deepseek", "deepseek-chat", 402, R"({"error":{"message":"Insufficient Balance","type":"unknown_error"}})",
       FailureKind::quota},
      {"deepseek", "deepseek-chat", 503, R"({"error":{"message":"Service is overloaded"}})", FailureKind::overloaded},
      {"gemini", "gemini-3-pro", 429,
       R"([{"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}])",
       FailureKind::rate_limited},
      {"vllm", "qwen3", 400, R"({"error":{"message":"bad tools","type":"BadRequestError","param":null,"code":400}})",
       FailureKind::bad_request},
      {"llama_cpp", "qwen3", 500,
       R"({"error":{"code":500,"message":"Failed to parse input at pos 12","type":"server_error"}})",
       FailureKind::server},
      {"llama_cpp", "qwen3", 400,
       R"({"error":{"code":400,"message":"the request exceeds the context size","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}})",
       FailureKind::bad_request},
      {"lm_studio", "qwen3", 400, R"({"error":"Invalid tool_choice type: 'object'."})", FailureKind::bad_request},
      {"ollama", "qwen3:8b", 404, R"({"error":{"message":"model 'qwen3:8b' not found","type":"api_error"}})",
       FailureKind::not_served},
  }));
  CAPTURE(one.kind, one.body);
  const auto answer = decoded(*client_of_kind(one.kind, one.model), one.status, one.body);
  REQUIRE(std::holds_alternative<ProviderFailure>(answer));
  CHECK(failure_in(answer).kind == one.expected);
  CHECK_FALSE(failure_in(answer).cause.empty());
}

TEST_CASE("no service is sent what it is known to refuse or to pass over") {
  auto request = sample_request();
  request.rung = Rung::forced;
  for (const auto& service : model_services()) {
    CAPTURE(service.kind);
    const auto client = client_of_service(service, "some-model");
    const auto body = Json::parse(client->encode(request).http.body);
    const auto& known = *client->capabilities();
    CHECK((possible_rung(Rung::forced, known) == Rung::forced) == known.forced_choice);
    if (service.kind == "ollama") CHECK(body["tool_choice"] != "required");
    if (service.kind == "lm_studio") CHECK(body["tool_choice"].is_string());
    for (const auto* const key : {"temperature", "top_p", "stream"}) CHECK_FALSE(body.contains(key));
    if (service.format != WireFormat::anthropic) CHECK(dump_json(body).find("cache_control") == std::string::npos);
  }
}

TEST_CASE("every service has an answer or an error of its own among these tests") {
  // A kind that is added without one shows here.
  const std::set<std::string_view> tested = {"anthropic", "openai", "azure", "openrouter", "deepseek",
                                             "gemini",    "ollama", "vllm",  "llama_cpp",  "lm_studio"};
  for (const auto& service : model_services()) CHECK(tested.contains(service.kind));
  CHECK(tested.size() == model_services().size());
}
