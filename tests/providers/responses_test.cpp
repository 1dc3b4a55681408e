#include <catch2/catch.hpp>

#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

/// An answer of the Responses format with these output items.
std::string response_with(const std::string& items, const std::string& rest = R"("status":"completed")") {
  return R"({"id":"resp_1","object":"response","model":"m","error":null,"incomplete_details":null,"output":[)" + items +
         R"(],"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":40},"output_tokens":30,)" +
         R"("output_tokens_details":{"reasoning_tokens":20}},)" + rest + "}";
}

const std::string tap_item =
    R"({"type":"function_call","id":"fc_1","call_id":"call_1","name":"tap","arguments":"{\"element\":3}","status":"completed"})";

}  // namespace

TEST_CASE("a Responses request is stateless, with flat tools and one call", "[C1][C2]") {
  const auto encoded = responses_client("gpt-5.6")->encode(sample_request());
  CHECK(encoded.http.target == "https://api.example.com/v1/responses");
  CHECK(encoded.http.headers.get("authorization") == "Bearer secret-key-3");
  const Json body = Json::parse(encoded.http.body);
  CHECK(body["store"] == false);
  CHECK_FALSE(body.contains("previous_response_id"));
  CHECK_FALSE(body.contains("messages"));
  CHECK_FALSE(body.contains("temperature"));
  CHECK(body["instructions"] == sample_request().system_prompt);
  REQUIRE(body["input"].size() == 1);
  CHECK(body["input"][0]["role"] == "user");
  CHECK(body["input"][0]["content"][0] == Json{{"type", "input_text"}, {"text", sample_request().user_prompt}});
  CHECK(body["tools"][0]["type"] == "function");
  CHECK(body["tools"][0]["name"] == "tap");
  CHECK(body["tools"][0]["strict"] == false);
  CHECK(body["tools"][0]["parameters"]["type"] == "object");
  CHECK(body["tool_choice"] == "auto");
  CHECK(body["parallel_tool_calls"] == false);
  CHECK(body["reasoning"] == Json{{"effort", "none"}});
}

TEST_CASE("Responses gives models that always reason room for it, and the least effort they take", "[C5]") {
  auto request = sample_request();
  request.max_output_tokens = 1000;
  const auto effort = [&](const char* model) {
    const auto body = body_of(*responses_client(model), request);
    return std::pair(body["reasoning"].value("effort", std::string{}), body["max_output_tokens"].get<int>());
  };
  CHECK(effort("gpt-5") == std::pair(std::string("minimal"), 5096));
  CHECK(effort("gpt-5.4-mini") == std::pair(std::string("none"), 1000));
  CHECK(effort("gpt-6-sol") == std::pair(std::string("none"), 1000));
  CHECK(effort("gpt-6.2-some") == std::pair(std::string("low"), 5096));
  CHECK(effort("o4-mini") == std::pair(std::string("low"), 5096));
  CHECK_FALSE(body_of(*responses_client("gpt-4.1"), request).contains("reasoning"));
  CHECK_FALSE(body_of(*responses_client("o4-mini"), request).contains("parallel_tool_calls"));
}

TEST_CASE("a thinking budget becomes an effort with a summary, on the first rung alone", "[C5]") {
  auto request = sample_request();
  request.max_output_tokens = 1000;
  request.thinking_budget_tokens = 6000;
  const auto client = responses_client("gpt-6");
  const auto body = body_of(*client, request);
  CHECK(body["reasoning"] == Json{{"effort", "medium"}, {"summary", "auto"}});
  CHECK(body["max_output_tokens"] == 7000);
  request.rung = Rung::forced;
  const auto forced = body_of(*client, request);
  CHECK(forced["reasoning"] == Json{{"effort", "low"}});
  CHECK(forced["tool_choice"] == "required");
}

TEST_CASE("a Responses request carries the picture in the user's message, and structured output as a format") {
  auto request = sample_request();
  request.screenshot = sample_picture();
  const auto body = body_of(*responses_client("gpt-5.6"), request);
  const Json picture = body["input"][0]["content"][1];
  CHECK(picture["type"] == "input_image");
  CHECK(picture["image_url"].get<std::string>().starts_with("data:image/png;base64,"));
  request.rung = Rung::structured;
  const auto structured = body_of(*responses_client("gpt-5.6"), request);
  CHECK_FALSE(structured.contains("tools"));
  CHECK(structured["text"]["format"]["type"] == "json_schema");
  CHECK(structured["text"]["format"]["schema"]["required"] == Json{"tool", "arguments"});
}

TEST_CASE("a Responses answer gives call, text, summary and usage", "[C4]") {
  const auto client = responses_client("gpt-5.6");
  const auto answer = answer_in(
      decoded(*client, 200,
              response_with(R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Look"},)"
                            R"({"type":"summary_text","text":"then tap"}]},{"type":"message","role":"assistant",)"
                            R"("content":[{"type":"output_text","text":"I tap it."}]},)" +
                            tap_item)));
  REQUIRE(answer.calls.size() == 1);
  CHECK(answer.calls[0].id == "call_1");
  CHECK(answer.calls[0].name == "tap");
  CHECK(answer.calls[0].arguments["element"] == 3);
  CHECK(answer.text_output == "I tap it.");
  CHECK(answer.thinking == "Look\nthen tap");
  CHECK(answer.usage.input_tokens == 100);
  CHECK(answer.usage.cached_tokens == 40);
  CHECK(answer.usage.output_tokens == 30);
  CHECK(answer.usage.thinking_tokens == 20);
}

TEST_CASE("a Responses answer decides by its items, whatever its status says") {
  const auto client = responses_client("gpt-5.6");
  CHECK(answer_in(decoded(*client, 200, response_with(tap_item, R"("status":"incomplete")"))).calls.size() == 1);
  const auto empty = answer_in(decoded(*client, 200, response_with("")));
  CHECK(empty.calls.empty());
  CHECK_FALSE(empty.notes.empty());
}

TEST_CASE("a Responses answer that was cut off is told apart from one that is malformed") {
  const auto client = responses_client("gpt-5.6");
  const std::string cut = R"({"type":"function_call","call_id":"c","name":"tap","arguments":"{\"elem"})";
  const std::string limit = R"("status":"incomplete","incomplete_details":{"reason":"max_output_tokens"})";
  CHECK(failure_in(decoded(*client, 200, response_with(cut, limit))).cut_off);
  CHECK_FALSE(failure_in(decoded(*client, 200, response_with(cut))).cut_off);
  CHECK(answer_in(decoded(*client, 200, response_with("", limit))).stop == StopReason::length);
}

TEST_CASE("a first call of a Responses answer that can't be read is never passed over for the second", "[C2]") {
  const auto client = responses_client("gpt-5.6");
  for (const std::string first : {R"({"type":"function_call","call_id":"a","name":"tap","arguments":"{oops"})",
                                  R"({"type":"function_call","call_id":"a","arguments":"{}"})"}) {
    CAPTURE(first);
    const auto result = decoded(*client, 200, response_with(first + "," + tap_item));
    REQUIRE(std::holds_alternative<ProviderFailure>(result));
    CHECK(failure_in(result).kind == FailureKind::unreadable);
    CHECK_FALSE(failure_in(result).cut_off);
  }
}

TEST_CASE("a refusal and a filter end a Responses turn as refused") {
  const auto client = responses_client("gpt-5.6");
  const auto refusal = failure_in(
      decoded(*client, 200,
              response_with(R"({"type":"message","content":[{"type":"refusal","refusal":"I can't do that."}]})")));
  CHECK(refusal.kind == FailureKind::refused);
  CHECK(refusal.cause.find("I can't do that.") != std::string::npos);
  CHECK(refusal.usage.input_tokens == 100);
  const auto filter = failure_in(
      decoded(*client, 200,
              response_with(tap_item, R"("status":"incomplete","incomplete_details":{"reason":"content_filter"})")));
  CHECK(filter.kind == FailureKind::refused);
}

TEST_CASE("an error inside a Responses 200 is the failure that it names") {
  const auto client = responses_client("gpt-5.6");
  const auto failed = [&](const std::string& code) {
    return failure_in(decoded(*client, 200,
                              R"({"id":"resp_1","status":"failed","output":[],"error":{"code":")" + code +
                                  R"(","message":"try again in 2s"}})"));
  };
  CHECK(failed("rate_limit_exceeded").kind == FailureKind::rate_limited);
  CHECK(failed("rate_limit_exceeded").retry_after == std::chrono::seconds{2});
  CHECK(failed("server_error").kind == FailureKind::server);
  for (const std::string status : {"failed", "cancelled"}) {
    const auto silent = failure_in(decoded(*client, 200, response_with("", R"("status":")" + status + "\"")));
    CHECK(silent.kind == FailureKind::server);
    CHECK(may_retry(silent));
    CHECK(silent.cause == "the service gave the answer the status " + status + " without a reason");
    CHECK(silent.usage.input_tokens == 100);
  }
  CHECK(failure_in(decoded(*client, 200, R"({"id":"r","status":"queued","output":[]})")).kind ==
        FailureKind::unreadable);
  CHECK(failure_in(decoded(*client, 200, R"({"id":"r","status":"completed"})")).kind == FailureKind::unreadable);
}
