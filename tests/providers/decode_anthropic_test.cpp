#include <catch2/catch.hpp>

#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

const ToolCallingClient& client() {
  static const auto made = anthropic_client("claude-opus-4-5");
  return *made;
}

DecodedAnswer read(const std::string& blocks, const std::string& stop = "tool_use") {
  return decoded(client(), 200, message_with(blocks, stop));
}

constexpr auto tap_block = R"({"type":"tool_use","id":"toolu_1","name":"tap","input":{"element":3,"purpose":"open"}})";

}  // namespace

TEST_CASE("an Anthropic answer keeps all text joined, the first thinking and the call", "[C4]") {
  const auto result = read(std::string(R"({"type":"thinking","thinking":"Look first.","signature":"s"},
      {"type":"text","text":"The list is open."},{"type":"text","text":"I tap the third."},
      {"type":"thinking","thinking":"later","signature":"s"},)") +
                           tap_block);
  const auto& answer = answer_in(result);
  CHECK(answer.text_output == "The list is open.\nI tap the third.");
  CHECK(answer.thinking == "Look first.");
  REQUIRE(answer.calls.size() == 1);
  CHECK(answer.calls[0].id == "toolu_1");
  CHECK(answer.calls[0].name == "tap");
  CHECK(answer.calls[0].arguments == Json{{"element", 3}, {"purpose", "open"}});
  CHECK(answer.stop == StopReason::tool_use);
  CHECK(answer.notes.empty());
}

TEST_CASE("a call counts although the stop reason says the turn ended") {
  CHECK(answer_in(read(tap_block, "end_turn")).calls.size() == 1);
}

TEST_CASE("a stop reason that promises a call does not make one") {
  const auto result = read("", "tool_use");
  CHECK(answer_in(result).calls.empty());
  CHECK_FALSE(answer_in(result).notes.empty());
}

TEST_CASE("an answer that only thinks is an answer without a call") {
  const auto result = read(R"({"type":"thinking","thinking":"Hm.","signature":"s"})", "end_turn");
  CHECK(answer_in(result).calls.empty());
  CHECK(answer_in(result).thinking == "Hm.");
}

TEST_CASE("further calls of an Anthropic answer are kept in their order", "[C2]") {
  const auto result =
      read(std::string(tap_block) + R"(,{"type":"tool_use","id":"toolu_2","name":"finish_task","input":{}})");
  REQUIRE(answer_in(result).calls.size() == 2);
  CHECK(answer_in(result).calls[0].name == "tap");
  CHECK(answer_in(result).calls[1].name == "finish_task");
}

TEST_CASE("an input that is a text, nothing or encoded twice becomes an object") {
  const auto input = [](const std::string& json) {
    const auto result = read(R"({"type":"tool_use","id":"t","name":"tap","input":)" + json + "}");
    return answer_in(result).calls.at(0).arguments;
  };
  CHECK(input(R"("{\"element\":3}")") == Json{{"element", 3}});
  CHECK(input(R"("\"{\\\"element\\\":3}\"")") == Json{{"element", 3}});
  CHECK(input("null") == Json::object());
  CHECK(input(R"("")") == Json::object());
}

TEST_CASE("calls without an id or with one used before get an id of their own") {
  const auto result =
      read(R"({"type":"tool_use","name":"tap","input":{}},{"type":"tool_use","id":"x","name":"tap","input":{}},
                             {"type":"tool_use","id":"x","name":"tap","input":{}})");
  const auto& calls = answer_in(result).calls;
  REQUIRE(calls.size() == 3);
  CHECK_FALSE(calls[0].id.empty());
  CHECK(calls[1].id == "x");
  CHECK_FALSE(calls[2].id.empty());
  CHECK(calls[2].id != "x");
  CHECK(calls[2].id != calls[0].id);
}

TEST_CASE("a refusal in an HTTP 200 is a refusal with its category, whatever else it holds") {
  for (const std::string& blocks : {std::string(), std::string(tap_block)}) {
    const auto result = decoded(client(), 200,
                                R"({"type":"message","model":"m","content":[)" + blocks +
                                    R"(],"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber",
                                    "explanation":"Not this."},"usage":{"input_tokens":10,"output_tokens":2}})");
    const auto& failure = failure_in(result);
    CHECK(failure.kind == FailureKind::refused);
    CHECK(failure.cause == "the model refused to answer (cyber): Not this.");
    CHECK(failure.usage.input_tokens == 10);
    CHECK_FALSE(may_retry(failure));
  }
}

TEST_CASE("a call at the output limit is cut off, and what it cost is known") {
  for (const auto* const stop : {"max_tokens", "model_context_window_exceeded"}) {
    const auto& result = read(tap_block, stop);
    const auto& failure = failure_in(result);
    CHECK(failure.kind == FailureKind::unreadable);
    CHECK(failure.cut_off);
    CHECK(failure.cause.find("cut off by the output limit") != std::string::npos);
    CHECK(failure.usage.output_tokens == 5);
  }
}

TEST_CASE("of several calls at the output limit only the last is left out") {
  const auto result = read(
      std::string(tap_block) + R"(,{"type":"tool_use","id":"toolu_2","name":"finish_task","input":{}})", "max_tokens");
  REQUIRE(answer_in(result).calls.size() == 1);
  CHECK(answer_in(result).calls[0].name == "tap");
}

TEST_CASE("a first call of an Anthropic answer that can't be read is never passed over for the second", "[C2]") {
  for (const std::string first : {R"({"type":"tool_use","id":"a","name":"tap","input":"{oops"})",
                                  R"({"type":"tool_use","id":"a","name":"","input":{}})",
                                  R"({"type":"tool_use","id":"a","name":"tap","input":[3]})"}) {
    for (const auto* const stop : {"tool_use", "max_tokens"}) {
      CAPTURE(first, stop);
      const auto result = read(first + "," + tap_block + "," + tap_block, stop);
      REQUIRE(std::holds_alternative<ProviderFailure>(result));
      CHECK(failure_in(result).kind == FailureKind::unreadable);
      CHECK_FALSE(failure_in(result).cut_off);
    }
  }
}

TEST_CASE("a text that ran into the output limit is an answer without a call") {
  const auto result = read(R"({"type":"text","text":"Well, I wo"})", "max_tokens");
  CHECK(answer_in(result).calls.empty());
  CHECK(answer_in(result).stop == StopReason::length);
}

TEST_CASE("a call stated as structured output is a call, prose around JSON is not") {
  const auto stated = read(R"({"type":"text","text":"{\"tool\":\"tap\",\"arguments\":{\"element\":3}}"})", "end_turn");
  REQUIRE(answer_in(stated).calls.size() == 1);
  CHECK(answer_in(stated).calls[0].arguments == Json{{"element", 3}});
  CHECK(answer_in(stated).text_output.empty());

  const auto prose = read(R"({"type":"text","text":"I would do {\"tool\":\"tap\",\"arguments\":{}}"})", "end_turn");
  CHECK(answer_in(prose).calls.empty());
}

TEST_CASE("the usage of an Anthropic answer counts cached parts as input and prices them apart") {
  const auto vendor = make_client(WireFormat::anthropic, {"https://api.anthropic.com", "k", "claude-opus-4-5"});
  const std::string body = R"({"type":"message","model":"claude-opus-4-5","content":[],"stop_reason":"end_turn",
      "usage":{"input_tokens":100,"cache_creation_input_tokens":1000,"cache_read_input_tokens":2000,"output_tokens":50,
               "output_tokens_details":{"thinking_tokens":20}}})";
  const auto result = decoded(*vendor, 200, body);
  CHECK_FALSE(answer_in(decoded(client(), 200, body)).usage.cost);  // another service has its own prices
  const auto& usage = answer_in(result).usage;
  CHECK(usage.calls == 1);
  CHECK(usage.input_tokens == 3100);
  CHECK(usage.cached_tokens == 2000);
  CHECK(usage.output_tokens == 50);
  CHECK(usage.thinking_tokens == 20);
  REQUIRE(usage.cost);
  // 100 × 5 + 1000 × 6.25 + 2000 × 0.5 + 50 × 25 micro-dollars.
  CHECK(usage.cost->micros == 9000);
}

TEST_CASE("usage that is null, absent or absurd reads as bounded counts") {
  const auto result = decoded(client(), 200, R"({"type":"message","content":[],"usage":null})");
  CHECK(answer_in(result).usage.input_tokens == 0);
  CHECK_FALSE(answer_in(result).usage.cost);
  const auto absurd =
      decoded(client(), 200, R"({"type":"message","content":[],"usage":{"input_tokens":-5,"output_tokens":1e300}})");
  CHECK(answer_in(absurd).usage.input_tokens == 0);
  CHECK(answer_in(absurd).usage.output_tokens == 0);
}

TEST_CASE("an answer of the built-in rules has no price") {
  const auto rules = anthropic_client("drover-rules-1");
  const auto result = decoded(*rules, 200, message_with(tap_block));
  CHECK_FALSE(answer_in(result).usage.cost);
}

TEST_CASE("an error inside an HTTP 200 is a failure of its kind") {
  const auto result =
      decoded(client(), 200,
              R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"})");
  CHECK(failure_in(result).kind == FailureKind::overloaded);
  CHECK(failure_in(result).request_id == "req_9");
}

TEST_CASE("a body that can't be read is unreadable and says what it was") {
  CHECK(failure_in(decoded(client(), 200, "")).cause == "the answer is an empty body");
  CHECK(failure_in(decoded(client(), 200, "<html>login</html>")).cause == "the answer is an HTML page");
  CHECK(failure_in(decoded(client(), 200, "<html>login</html>")).kind == FailureKind::server);
  CHECK(failure_in(decoded(client(), 200, "{")).kind == FailureKind::unreadable);
  CHECK(failure_in(decoded(client(), 200, "event: ping\ndata: {}")).cause == "the answer is an event stream");
  CHECK(failure_in(decoded(client(), 200, "{\"content\":[")).cause == "the answer is no JSON");
  CHECK(failure_in(decoded(client(), 200, "[1,2]")).cause == "the answer is JSON but no message");
  CHECK(failure_in(decoded(client(), 200, "{}")).kind == FailureKind::unreadable);
  CHECK(failure_in(decoded(client(), 200, "null")).kind == FailureKind::unreadable);
}

TEST_CASE("an answer with a lone surrogate or broken bytes is repaired and read") {
  const auto surrogate =
      read(R"({"type":"text","text":"half \ud83d smile, whole \ud83d\ude00"},)" + std::string(tap_block));
  CHECK(answer_in(surrogate).text_output == "half \xEF\xBF\xBD smile, whole \xF0\x9F\x98\x80");
  CHECK(answer_in(surrogate).calls.size() == 1);
  const auto bytes = read("{\"type\":\"text\",\"text\":\"a\xff z\"}");
  CHECK(answer_in(bytes).text_output == "a\xEF\xBF\xBD z");
}

TEST_CASE("blocks of an unknown type are left out and noted") {
  const auto result = read(R"({"type":"hologram","data":1},42,null,)" + std::string(tap_block));
  CHECK(answer_in(result).calls.size() == 1);
  CHECK(answer_in(result).notes.size() == 3);
}

TEST_CASE("an answer that nests without end is refused") {
  std::string deep = R"({"type":"message","content":)";
  deep += std::string(100000, '[');
  CHECK(failure_in(decoded(client(), 200, deep)).kind == FailureKind::unreadable);
}
