#include <catch2/catch.hpp>

#include "planner/turn_fixture.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::planner;
using namespace drover::planner::test;
using providers::AnswerRoom;
using providers::FailureKind;
using providers::ModelAnswer;
using providers::ModelCapabilities;
using providers::Rung;
using providers::StopReason;

namespace {

using Answer = std::variant<ModelAnswer, providers::ProviderFailure>;

constexpr auto remedy = "allow more output tokens (planner.max_output_tokens)";
constexpr auto remedy_for_bound = "ask a model that gives longer answers, or let this one think less";

AnswerRoom room_of(WireFormat format, std::string_view model, std::uint32_t most) {
  auto capabilities = providers::capabilities_of(format, model);
  capabilities.max_output_tokens = most;
  return {format, std::make_shared<const ModelCapabilities>(std::move(capabilities))};
}

Answer cut_text(AnswerRoom room = {}, std::string text = "The list is open and I") {
  auto answer = text_answer(std::move(text));
  answer.stop = StopReason::length;
  answer.room = std::move(room);
  return answer;
}

Answer cut_call(AnswerRoom room = {}) {
  auto made = failure(FailureKind::unreadable, "the tool call was cut off by the output limit");
  made.cut_off = true;
  made.remedy = remedy;
  made.room = std::move(room);
  return made;
}

}  // namespace

TEST_CASE("more room is more room beside a thinking budget, in every format", "[C7]") {
  struct Case {
    WireFormat format;
    const char* model;
    std::uint32_t first;
    std::uint32_t second;
  };
  const auto each = GENERATE(values<Case>({
      {WireFormat::anthropic, "claude-haiku-4-5", 7000, 10'000},
      {WireFormat::anthropic, "claude-opus-5-5", 7000, 10'000},
      {WireFormat::openai_responses, "gpt-5.6", 7000, 10'000},
      {WireFormat::openai_chat, "gpt-4.1", 1000, 4000},
  }));
  CAPTURE(each.model);
  const auto client = providers::make_client(each.format, {"https://api.example.com", "k", each.model});
  TurnRun run;
  run.options.thinking_budget_tokens = 6000;
  run.options.max_output_tokens = 1000;
  run.start();
  CHECK(client->most_output_tokens(run.request()) == each.first);
  run.answer(cut_text({each.format, client->capabilities()}));
  REQUIRE(run.asks());
  CHECK(client->most_output_tokens(run.request()) == each.second);
}

TEST_CASE("an answer cut off at the most that its model gives is not asked for again", "[C7]") {
  struct Case {
    WireFormat format;
    const char* model;
    std::uint32_t most;
    std::optional<std::uint32_t> budget;
    bool asked_again;
  };
  const auto each = GENERATE(values<Case>({
      {WireFormat::openai_chat, "qwen", 1000, {}, false},
      {WireFormat::openai_chat, "qwen", 512, {}, false},
      {WireFormat::openai_chat, "qwen", 1001, {}, true},
      {WireFormat::openai_responses, "gpt-4.1", 1000, {}, false},
      {WireFormat::openai_responses, "gpt-5.6", 7000, 6000, false},
      {WireFormat::openai_responses, "gpt-5.6", 7001, 6000, true},
      {WireFormat::openai_responses, "o4-mini", 5096, {}, false},
      {WireFormat::anthropic, "claude-haiku-4-5", 7000, 6000, false},
      {WireFormat::anthropic, "claude-haiku-4-5", 4000, 6000, false},
      {WireFormat::anthropic, "claude-haiku-4-5", 7001, 6000, true},
      {WireFormat::anthropic, "claude-haiku-4-5", 1000, {}, false},
  }));
  const auto room = room_of(each.format, each.model, each.most);
  CAPTURE(each.model, each.most);
  TurnRun run;
  run.options.thinking_budget_tokens = each.budget;
  run.options.max_output_tokens = 1000;
  run.start();
  SECTION("before its call") {
    run.answer(cut_text(room), true);
    REQUIRE(run.asks() == each.asked_again);
    if (each.asked_again) return;
    CHECK(run.error() ==
          Error{Errc::tool_call_unavailable,
                "ToolCallUnavailable: every answer was cut off by the output limit before it made a call",
                remedy_for_bound});
  }
  SECTION("in its call") {
    run.answer(cut_call(room), true);
    REQUIRE(run.asks() == each.asked_again);
    if (each.asked_again) return;
    CHECK(run.error() == Error{Errc::tool_call_unavailable,
                               "ToolCallUnavailable: the tool call was cut off by the output limit", remedy_for_bound});
  }
}

TEST_CASE("a turn whose every answer was cut off says so, and how to allow more", "[C7]") {
  TurnRun run;
  run.start();
  run.answer(GENERATE(cut_text(), cut_text({}, ""), cut_call()), true);
  REQUIRE(run.asks());
  SECTION("to the last rung") {
    while (run.asks()) run.answer(cut_text({}, GENERATE("", "I")), true);
    CHECK(run.error() ==
          Error{Errc::tool_call_unavailable,
                "ToolCallUnavailable: every answer was cut off by the output limit before it made a call", remedy});
  }
  SECTION("in the call at last") {
    run.answer(cut_call(), true);
    CHECK(run.error() == Error{Errc::tool_call_unavailable,
                               "ToolCallUnavailable: the tool call was cut off by the output limit", remedy});
  }
  SECTION("but not where one answer was whole") {
    run.answer(text_answer("Hm."), true);
    REQUIRE(run.asks());
    while (run.asks()) run.answer(cut_text(), true);
    CHECK(run.error().cause == "ToolCallUnavailable: no tool call");
  }
}

TEST_CASE("a call that was written as text before the answer was cut off counts, also without more room", "[C3]") {
  TurnRun run;
  run.options.max_output_tokens = 1000;
  run.start();
  run.answer(cut_text(room_of(WireFormat::openai_chat, "qwen", 1000),
                      "<tool_call>{\"name\":\"tap\",\"arguments\":{\"element\":3,\"purpose\":\"p\","
                      "\"expected_outcome\":\"e\"}}</tool_call> and then"));
  CHECK(std::get<Tap>(run.act().action).target.element == 3);
}

TEST_CASE("a client tells whose limit it was that cut an answer off", "[C7]") {
  const auto client = providers::make_client(WireFormat::openai_chat, {"https://api.example.com", "k", "gpt-4.1"});
  const auto decode = [&](const char* message) {
    return client->decode(
        {200, {}, R"({"choices":[{"finish_reason":"length","message":)" + std::string(message) + "}]}"});
  };
  const auto text = decode(R"({"content":"Well, I wo"})");
  CHECK(std::get<ModelAnswer>(text).room.capabilities == client->capabilities());
  CHECK(std::get<ModelAnswer>(text).room.format == WireFormat::openai_chat);
  const auto call = decode(R"({"tool_calls":[{"function":{"name":"tap","arguments":"{\"el"}}]})");
  CHECK(std::get<providers::ProviderFailure>(call).room.capabilities == client->capabilities());
  CHECK(std::get<providers::ProviderFailure>(call).remedy == remedy);
}
