#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

const ToolCallingClient& client() {
  static const auto made = openai_client("gpt-4.1");
  return *made;
}

DecodedAnswer read(const std::string& message, const std::string& finish = "tool_calls") {
  return decoded(client(), 200, choice_with(message, finish));
}

DecodedAnswer with_arguments(const std::string& arguments, const std::string& finish = "tool_calls") {
  return read(message_calling_tap(arguments), finish);
}

}  // namespace

TEST_CASE("an OpenAI answer keeps the content, the reasoning and the call", "[C4]") {
  const auto result = read(R"({"role":"assistant","content":"I tap it.","reasoning_content":"It is there.",
      "tool_calls":[{"id":"call_a","type":"function","function":{"name":"tap","arguments":"{\"element\":3}"}}]})");
  const auto& answer = answer_in(result);
  CHECK(answer.text_output == "I tap it.");
  CHECK(answer.thinking == "It is there.");
  REQUIRE(answer.calls.size() == 1);
  CHECK(answer.calls[0].id == "call_a");
  CHECK(answer.calls[0].arguments == Json{{"element", 3}});
}

TEST_CASE("thinking is found under each of its spellings", "[C4]") {
  const auto thinking = [](const std::string& members) {
    return answer_in(read(R"({"role":"assistant",)" + members + "}", "stop")).thinking;
  };
  CHECK(thinking(R"("content":"x","reasoning":"why")") == "why");
  CHECK(thinking(R"("content":"x","reasoning_content":"first","reasoning":"second")") == "first");
  CHECK(thinking(R"("content":"x","reasoning_content":null,"reasoning":"second")") == "second");
  CHECK(thinking(R"("content":"x","reasoning_details":[{"type":"reasoning.text","text":"a"},{"summary":"b"}])") ==
        "a\nb");
  CHECK(thinking(R"("content":"x","thinking":"native")") == "native");
  const auto prefixed = read(R"({"content":"<think>\nhm\n</think>\n\nI tap."})", "stop");
  CHECK(answer_in(prefixed).thinking == "hm");
  CHECK(answer_in(prefixed).text_output == "I tap.");
}

TEST_CASE("arguments may be a text, an object, encoded twice, empty or null") {
  const Json element{{"element", 3}};
  CHECK(answer_in(with_arguments(R"("{\"element\":3}")")).calls.at(0).arguments == element);
  CHECK(answer_in(with_arguments(R"({"element":3})")).calls.at(0).arguments == element);
  const auto twice = with_arguments(R"("\"{\\\"element\\\":3}\"")");
  CHECK(answer_in(twice).calls.at(0).arguments == element);
  CHECK_FALSE(answer_in(twice).notes.empty());
  CHECK(answer_in(with_arguments(R"("")")).calls.at(0).arguments == Json::object());
  CHECK(answer_in(with_arguments("null")).calls.at(0).arguments == Json::object());
  CHECK(answer_in(with_arguments(R"("null")")).calls.at(0).arguments == Json::object());
}

TEST_CASE("arguments that are no object make the only call unreadable") {
  for (const auto* const arguments : {R"("{'element': 3}")", R"("[3]")", R"("tap 3")", "[3]", "7"}) {
    const auto result = with_arguments(arguments);
    CHECK(failure_in(result).kind == FailureKind::unreadable);
    CHECK_FALSE(failure_in(result).cut_off);
    CHECK(failure_in(result).usage.input_tokens == 10);
  }
}

TEST_CASE("a first call that can't be read makes the answer unreadable, whatever stands behind it", "[C2]") {
  struct Case {
    const char* calls;
    const char* cause;
  };
  const auto each = GENERATE(values<Case>({
      {R"({"id":"a","function":{"name":"tap","arguments":"{oops"}},
          {"id":"b","function":{"name":"finish_task","arguments":"{}"}})",
       "the arguments of the call of tap can't be read; left out behind it: finish_task"},
      {R"({"id":"a","function":{"name":" ","arguments":"{}"}},{"id":"b","function":{"name":"tap","arguments":"{}"}},
          {"id":"c","function":{"arguments":"{}"}})",
       "the call has no name; left out behind it: tap, a call without a name"},
      {R"({"id":"a","function":{"arguments":"{}"}})", "the call has no name"},
      {R"(7,{"id":"b","function":{"name":"tap","arguments":"{}"}})", "the call has no name; left out behind it: tap"},
      {R"({"function":{"name":"multi_tool_use.parallel","arguments":{"tool_uses":[
          {"recipient_name":"functions.tap","parameters":"{oops"},
          {"recipient_name":"functions.finish_task","parameters":{}}]}}})",
       "the arguments of the call of tap can't be read; left out behind it: functions.finish_task"},
      {R"({"function":{"name":"multi_tool_use.parallel","arguments":{"tool_uses":[
          "tap",{"recipient_name":"functions.finish_task","parameters":{}}]}}})",
       "the call has no name; left out behind it: functions.finish_task"},
      {R"({"function":{"name":"multi_tool_use.parallel","arguments":"{oops"}},
          {"function":{"name":"tap","arguments":"{}"}})",
       "the arguments of the call of multi_tool_use.parallel can't be read; left out behind it: tap"},
      {R"({"function":{"name":"multi_tool_use.parallel","arguments":{"tool_uses":"tap"}}},
          {"function":{"name":"tap","arguments":"{}"}})",
       "the arguments of the call of multi_tool_use.parallel can't be read; left out behind it: tap"},
  }));
  const std::string finish = GENERATE("tool_calls", "stop");
  const auto result = read(R"({"content":null,"tool_calls":[)" + std::string(each.calls) + "]}", finish);
  REQUIRE(std::holds_alternative<ProviderFailure>(result));
  CHECK(failure_in(result).kind == FailureKind::unreadable);
  CHECK_FALSE(failure_in(result).cut_off);
  CHECK(failure_in(result).cause == each.cause);
  CHECK(failure_in(result).usage.input_tokens == 10);
}

TEST_CASE("a later call that can't be read is left out and noted", "[C2]") {
  const auto result = read(R"({"content":null,"tool_calls":[
      {"id":"a","function":{"name":"tap","arguments":"{}"}},
      {"id":"b","function":{"name":"tap","arguments":"{oops"}},
      {"id":"c","function":{"arguments":"{}"}},
      {"function":{"name":"multi_tool_use.parallel","arguments":"{oops"}},
      {"id":"d","function":{"name":"finish_task","arguments":"{}"}}]})");
  REQUIRE(answer_in(result).calls.size() == 2);
  CHECK(answer_in(result).calls[0].id == "a");
  CHECK(answer_in(result).calls[1].id == "d");
  CHECK(answer_in(result).notes ==
        std::vector<std::string>{
            "a further call left out: the arguments of the call of tap can't be read",
            "a further call left out: the call has no name",
            "a further call left out: the arguments of the call of multi_tool_use.parallel can't be read"});
}

TEST_CASE("at the output limit a broken first call of several was made so and not cut off", "[C2]") {
  const auto result = read(R"({"content":null,"tool_calls":[
      {"id":"a","function":{"name":"tap","arguments":"{oops"}},
      {"id":"b","function":{"name":"finish_task","arguments":"{\"succ"}}]})",
                           "length");
  CHECK(failure_in(result).kind == FailureKind::unreadable);
  CHECK_FALSE(failure_in(result).cut_off);
}

TEST_CASE("a finish reason of tool_calls with an empty list is an answer without a call") {
  const auto result = read(R"({"content":"","tool_calls":[]})");
  CHECK(answer_in(result).calls.empty());
  CHECK_FALSE(answer_in(result).notes.empty());
}

TEST_CASE("a call counts although the finish reason says stop") {
  CHECK(answer_in(with_arguments(R"("{}")", "stop")).calls.size() == 1);
}

TEST_CASE("arguments cut by the output limit are told apart from malformed ones") {
  const auto cut = with_arguments(R"("{\"element\":3,\"purp")", "length");
  CHECK(failure_in(cut).kind == FailureKind::unreadable);
  CHECK(failure_in(cut).cut_off);
  CHECK(failure_in(cut).cause.find("cut off by the output limit") != std::string::npos);
  const auto malformed = with_arguments(R"("{\"element\":3,\"purp")");
  CHECK_FALSE(failure_in(malformed).cut_off);
}

TEST_CASE("a call that is whole although the limit was reached is kept") {
  CHECK(answer_in(with_arguments(R"("{\"element\":3}")", "length")).calls.size() == 1);
}

TEST_CASE("multi_tool_use.parallel is unwrapped into the calls it holds") {
  const auto result = read(R"({"content":null,"tool_calls":[{"id":"a","type":"function","function":{
      "name":"multi_tool_use.parallel","arguments":{"tool_uses":[
          {"recipient_name":"functions.tap","parameters":{"element":1}},
          {"recipient_name":"functions.finish_task","parameters":{}}]}}}]})");
  const auto& calls = answer_in(result).calls;
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].name == "tap");
  CHECK(calls[0].arguments == Json{{"element", 1}});
  CHECK(calls[1].name == "finish_task");
  CHECK(calls[0].id != calls[1].id);
}

TEST_CASE("multi_tool_use.parallel with nothing in it is no call") {
  const auto result = read(
      R"({"content":null,"tool_calls":[{"id":"a","function":{"name":"multi_tool_use.parallel","arguments":"{}"}}]})");
  CHECK(answer_in(result).calls.empty());
  CHECK(answer_in(result).notes.size() == 2);
}

TEST_CASE("ids of other servers are kept, missing and repeated ones are replaced") {
  const auto result = read(R"({"content":null,"tool_calls":[
      {"id":"functions.tap:0","function":{"name":"functions.tap","arguments":"{}"}},
      {"id":"functions.tap:0","function":{"name":"tap","arguments":"{}"}},
      {"id":"","function":{"name":"tap","arguments":"{}"}},
      {"function":{"name":"tap","arguments":"{}"}}]})");
  const auto& calls = answer_in(result).calls;
  REQUIRE(calls.size() == 4);
  CHECK(calls[0].id == "functions.tap:0");
  CHECK(calls[0].name == "tap");
  std::set<std::string> ids;
  for (const auto& call : calls) ids.insert(call.id);
  CHECK(ids.size() == 4);
}

TEST_CASE("the older function_call is read as a call") {
  const auto result =
      read(R"({"content":null,"function_call":{"name":"tap","arguments":"{\"element\":2}"}})", "function_call");
  CHECK(answer_in(result).calls.at(0).arguments == Json{{"element", 2}});
}

TEST_CASE("content may be a list of parts") {
  CHECK(answer_in(read(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})", "stop")).text_output ==
        "ab");
}

TEST_CASE("a refusal and a content filter are refusals, not answers without a call") {
  const auto refused = read(R"({"content":null,"refusal":"I can't help with that."})", "stop");
  CHECK(failure_in(refused).kind == FailureKind::refused);
  CHECK(failure_in(refused).cause.find("I can't help with that.") != std::string::npos);
  CHECK(failure_in(read(R"({"content":"half a sen"})", "content_filter")).kind == FailureKind::refused);
}

TEST_CASE("a gateway's error inside an HTTP 200 is a failure with the real reason") {
  const auto result = decoded(client(), 200, R"({"error":{"message":"Provider returned error","code":429,
      "metadata":{"raw":"upstream says slow down","provider_name":"X"}}})");
  CHECK(failure_in(result).kind == FailureKind::rate_limited);
  CHECK(failure_in(result).cause.find("upstream says slow down") != std::string::npos);
  CHECK(failure_in(decoded(client(), 200, R"({"error":{"message":"no credits","code":402}})")).kind ==
        FailureKind::quota);
  CHECK(failure_in(decoded(client(), 200, R"({"error":"boom"})")).kind == FailureKind::server);
}

TEST_CASE("a choice that ended in an error is a failure, also with null usage") {
  const auto result = decoded(client(), 200, R"({"id":"x","choices":[{"finish_reason":"error","message":{"content":""},
      "error":{"code":502,"message":"upstream broke"}}],"usage":null})");
  CHECK(failure_in(result).kind == FailureKind::server);
  CHECK(may_retry(failure_in(result)));
}

TEST_CASE("choices that are null, empty or of another kind are unreadable") {
  for (const auto* const body : {R"({"choices":null})", R"({"choices":[]})", R"({"choices":[null]})",
                                 R"({"choices":[{"message":null}]})", R"({"choices":{}})", "{}", "[]", "3"}) {
    CHECK(failure_in(decoded(client(), 200, body)).kind == FailureKind::unreadable);
  }
}

TEST_CASE("the usage of an OpenAI answer is read with its details and priced") {
  const auto vendor = make_client(WireFormat::openai_chat, {"https://api.openai.com/v1", "k", "gpt-4.1"});
  const std::string body = R"({"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":1000,
      "completion_tokens":100,"prompt_tokens_details":{"cached_tokens":400},
      "completion_tokens_details":{"reasoning_tokens":30}}})";
  const auto result = decoded(*vendor, 200, body);
  CHECK_FALSE(answer_in(decoded(client(), 200, body)).usage.cost);  // another service has its own prices
  const auto& usage = answer_in(result).usage;
  CHECK(usage.input_tokens == 1000);
  CHECK(usage.cached_tokens == 400);
  CHECK(usage.output_tokens == 100);
  CHECK(usage.thinking_tokens == 30);
  REQUIRE(usage.cost);
  // 600 × 2 + 400 × 0.5 + 100 × 8 micro-dollars.
  CHECK(usage.cost->micros == 2200);
}

TEST_CASE("what a server says beside the call does no harm") {
  const auto result =
      decoded(client(), 200, R"({"choices":[{"message":{"role":"assistant","tool_calls":"none","content":7}}],
      "usage":{"prompt_tokens":"many"},"prompt_filter_results":[]})");
  CHECK(answer_in(result).calls.empty());
  CHECK(answer_in(result).usage.input_tokens == 0);
}
