#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "planner/system_prompt.hpp"
#include "planner/turn_fixture.hpp"

using namespace drover;
using namespace drover::planner;
using namespace drover::planner::test;
using providers::FailureKind;
using providers::Rung;
using providers::StopReason;

TEST_CASE("a turn ends in one step or one end and never in a queue", "[P1]") {
  static_assert(std::variant_size_v<Decision> == 2);
  static_assert(std::is_same_v<std::variant_alternative_t<0, Decision>, PlannedStep>);
  TurnRun run;
  run.start();
  run.answer(answer_with({tap_call(3), tap_call(2)}));
  CHECK(std::get<Tap>(run.act().action).target.element == 3);
}

TEST_CASE("of several calls the first counts and the rest are noted", "[C2]") {
  TurnRun run;
  run.start();
  run.answer(answer_with({tap_call(2), tap_call(3), finish_call(true, "done")}));
  CHECK(std::get<Tap>(run.act().action).target.element == 2);
  REQUIRE(run.turn->notes().size() == 1);
  CHECK(run.turn->notes()[0] == "the first of 3 calls was taken; left out: tap, finish_task");
}

TEST_CASE("a task ends by finish_task alone, in success or in failure", "[P2]") {
  TurnRun run;
  run.start();
  SECTION("success") {
    run.answer(answer_with({finish_call(true, "Airplane mode is on")}, "The switch is on now."));
    CHECK(run.end().success);
    CHECK(run.end().reason == "Airplane mode is on");
    CHECK(run.end().rationale == "The switch is on now.");
  }
  SECTION("failure") {
    run.answer(answer_with({finish_call(false, "a PIN is asked for")}));
    CHECK_FALSE(run.end().success);
    CHECK(run.end().reason == "a PIN is asked for");
  }
  SECTION("text that says done is no end") {
    run.answer(text_answer("The task is complete. finish_task success."));
    REQUIRE(run.asks());
    run.answer(text_answer("Done!"));
    CHECK(run.error().code == Errc::tool_call_unavailable);
  }
}

TEST_CASE("an end without a reason is asked for again and is never taken for success", "[P2]") {
  TurnRun run;
  run.start();
  const bool success = GENERATE(true, false);
  run.answer(answer_with({finish_call(success, "  ")}));
  REQUIRE(run.asks());
  CHECK(run.request().reminder.find("finish_task needs reason") != std::string::npos);
  run.answer(answer_with({call("finish_task", {{"success", success}})}));
  CHECK(run.error().cause == "ToolCallUnavailable: finish_task needs reason, a sentence that is not empty");
}

TEST_CASE("a turn with a real action is taken whatever its text says", "[P3]") {
  TurnRun run;
  run.start();
  auto answer = answer_with({tap_call(3)}, "The goal is reached, the task is done.");
  answer.stop = GENERATE(StopReason::end, StopReason::tool_use, StopReason::other);
  run.answer(answer);
  CHECK(std::holds_alternative<Tap>(run.act().action));
}

TEST_CASE("purpose and expected outcome travel with the step and leave the arguments", "[P5]") {
  TurnRun run;
  run.start();
  run.answer(answer_with({tap_call(3)}));
  CHECK(run.act().purpose == "turn airplane mode on");
  CHECK(run.act().expected_outcome == "the switch is on");
  const auto arguments = encode_arguments(run.act().action);
  CHECK_FALSE(arguments.contains("purpose"));
  CHECK_FALSE(arguments.contains("expected_outcome"));
}

TEST_CASE("an action without purpose or expected outcome is asked for once more and then refused", "[P5]") {
  const std::string missing = GENERATE("purpose", "expected_outcome");
  const Json blank = GENERATE(Json(nullptr), Json(""), Json(" \n "), Json(7));
  TurnRun run;
  run.start();
  auto bad = tap_call(3);
  bad.arguments[missing] = blank;
  run.answer(answer_with({bad}));
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::reminder);
  CHECK(run.request().reminder.find("tap needs " + missing) != std::string::npos);
  SECTION("put right") {
    run.answer(answer_with({tap_call(3)}));
    CHECK(run.act().purpose == "turn airplane mode on");
  }
  SECTION("wrong again") {
    bad.arguments.erase(missing);
    run.answer(answer_with({bad}));
    CHECK(run.error().code == Errc::tool_call_unavailable);
    CHECK(run.error().cause == "ToolCallUnavailable: tap needs " + missing + ", a sentence that is not empty");
    CHECK(run.requests.size() == 2);
  }
}

TEST_CASE("an unknown tool or wrong arguments get one correction and then an error", "[C7][P6][W5]") {
  TurnRun run;
  run.start();
  const auto [bad, complaint] = GENERATE(table<providers::ToolCall, std::string>({
      {call("click", {{"element", 3}}), "there is no tool \"click\"; the tools are tap, "},
      {call("functions.tap", {{"element", 3}}), "there is no tool \"functions.tap\""},
      {call("tap", {{"purpose", "p"}, {"expected_outcome", "e"}}), "no target"},
      {call("tap", {{"element", 3}, {"x", 1}, {"y", 1}, {"purpose", "p"}, {"expected_outcome", "e"}}), "both"},
      {call("tap", {{"element", 9}, {"purpose", "p"}, {"expected_outcome", "e"}}),
       "element 9 is not on the screen; its elements are 1 to 4"},
      {call("tap", {{"x", 2000}, {"y", 5}, {"purpose", "p"}, {"expected_outcome", "e"}}),
       "the place 2000, 5 is outside the screen of 1080x2400"},
      {call("input_text", {{"element", 4}, {"text", ""}, {"purpose", "p"}, {"expected_outcome", "e"}}), "text"},
      {call("press_key", {{"key", "warp"}, {"purpose", "p"}, {"expected_outcome", "e"}}), "back, home"},
  }));
  run.answer(answer_with({bad}));
  REQUIRE(run.asks());
  CHECK(run.request().reminder.find(complaint) != std::string::npos);
  SECTION("the correction counts") {
    run.answer(answer_with({tap_call(2)}));
    CHECK(std::get<Tap>(run.act().action).target.element == 2);
  }
  SECTION("a second fault ends the turn and says what it was") {
    run.answer(answer_with({bad}));
    CHECK(run.error().code == Errc::tool_call_unavailable);
    CHECK(run.error().cause.find("ToolCallUnavailable: ") == 0);
    CHECK(run.error().cause.find(complaint) != std::string::npos);
  }
  SECTION("no call at all in the correction ends it with the first fault") {
    run.answer(text_answer("I am not sure."));
    CHECK(run.error().cause.find(complaint) != std::string::npos);
  }
  CHECK(run.requests.size() == 2);
}

TEST_CASE("numbers as texts, nulls and arguments of other tools are put up with", "[C7]") {
  TurnRun run;
  run.start();
  run.answer(answer_with({call("tap", {{"element", "3"},
                                       {"x", nullptr},
                                       {"y", nullptr},
                                       {"mood", "good"},
                                       {"purpose", "p"},
                                       {"expected_outcome", "e"}})}));
  CHECK(std::get<Tap>(run.act().action).target == Target{3, std::nullopt});
  CHECK(run.turn->notes().size() == 2);
}

TEST_CASE("the ladder goes from automatic to forced to structured and ends without a call", "[C3]") {
  TurnRun run;
  run.options.thinking_budget_tokens = 2048;
  run.start();
  CHECK(run.request().rung == Rung::automatic);
  CHECK(run.request().reminder.empty());
  run.answer(text_answer("I would tap the switch."), true);
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::forced);
  run.answer(text_answer(""), true);
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::structured);
  run.answer(text_answer("no JSON here"), true);
  CHECK(run.error() == Error{Errc::tool_call_unavailable, "ToolCallUnavailable: no tool call", ""});
  CHECK(run.requests.size() == 3);
}

TEST_CASE("a model that takes no forced choice gets a reminder with the tools in its place", "[C3]") {
  TurnRun run;
  run.start();
  run.answer(text_answer("Hm."));
  REQUIRE(run.request().rung == Rung::forced);
  CHECK(run.request().reminder.find("exactly one tool call") != std::string::npos);
  CHECK(run.request().reminder.find("tap, swipe, input_text") != std::string::npos);
  SECTION("asked so by the client") {
    run.answer_as(Rung::reminder, text_answer("Hm."));
    CHECK(run.error().cause == "ToolCallUnavailable: no tool call");
    CHECK(run.requests.size() == 2);
  }
  SECTION("found out by the model's refusal") {
    auto refused = failure(FailureKind::bad_request, "tool_choice any is not supported");
    refused.refused_field = "tool_choice";
    run.answer(refused);
    REQUIRE(run.asks());
    CHECK(run.request().rung == Rung::reminder);
    run.answer(answer_with({tap_call(3)}));
    CHECK(std::get<Tap>(run.act().action).target.element == 3);
  }
}

TEST_CASE("a model without tools is asked for structured output once", "[C3]") {
  TurnRun run;
  run.start();
  run.answer_as(Rung::structured, text_answer("no"), true);
  CHECK(run.error().cause == "ToolCallUnavailable: no tool call");
  CHECK(run.requests.size() == 1);
}

TEST_CASE("structured output becomes the call that it states", "[C3]") {
  TurnRun run;
  run.start();
  run.answer(text_answer("Hm."), true);
  run.answer(text_answer("Hm."), true);
  REQUIRE(run.request().rung == Rung::structured);
  run.answer(answer_with({tap_call(3)}), true);
  CHECK(std::get<Tap>(run.act().action).target.element == 3);
}

TEST_CASE("every request of the ladder is fresh and has the same prompts and tools", "[C3]") {
  TurnRun run;
  run.start();
  run.answer(text_answer("I see a switch and will tap it."), true);
  run.answer(text_answer("Now I tap it."), true);
  REQUIRE(run.requests.size() == 3);
  for (const auto& request : run.requests) {
    CHECK(request->system_prompt == system_prompt(ToolSetChoice::full));
    CHECK(request->user_prompt == run.requests.front()->user_prompt);
    CHECK(request->tools == tool_set(ToolSetChoice::full));
    CHECK(request->user_prompt.find("I see a switch") == std::string::npos);
    CHECK(request->reminder.find("I see a switch") == std::string::npos);
  }
  CHECK(run.requests[0] != run.requests[1]);
}

TEST_CASE("rationale and thinking are the text and the thinking of the answer that decided", "[C4]") {
  TurnRun run;
  run.start();
  run.answer(text_answer("Words of an answer without a call."));
  auto answer = answer_with({tap_call(3)}, "The list is open. I switch airplane mode on.");
  answer.thinking = "the switch is element 3";
  run.answer(answer);
  CHECK(run.act().rationale == "The list is open. I switch airplane mode on.");
  CHECK(run.act().thinking == "the switch is element 3");
}

TEST_CASE("an answer without text is taken, and purpose and expected outcome say what it is for", "[W4]") {
  TurnRun run;
  run.start();
  run.answer(answer_with({tap_call(3)}, ""));
  CHECK(run.requests.size() == 1);
  CHECK(run.act().rationale.empty());
  CHECK_FALSE(run.act().purpose.empty());
  CHECK_FALSE(run.act().expected_outcome.empty());
}

TEST_CASE("thinking is asked for when configured and on the first rung alone", "[C5]") {
  TurnRun run;
  SECTION("configured") {
    run.options.thinking_budget_tokens = 4096;
    run.start();
    CHECK(run.request().thinking_budget_tokens == 4096U);
    run.answer(text_answer("Hm."), true);
    CHECK_FALSE(run.request().thinking_budget_tokens);
    run.answer(text_answer("Hm."), true);
    CHECK_FALSE(run.request().thinking_budget_tokens);
  }
  SECTION("not configured") {
    run.start();
    CHECK_FALSE(run.request().thinking_budget_tokens);
  }
}

TEST_CASE("every failure of the provider side ends the turn with its cause and keeps its kind", "[P6][C7][P7]") {
  const auto [kind, code] = GENERATE(table<FailureKind, Errc>({
      {FailureKind::rate_limited, Errc::provider_unavailable},
      {FailureKind::overloaded, Errc::provider_unavailable},
      {FailureKind::server, Errc::provider_unavailable},
      {FailureKind::network, Errc::provider_unavailable},
      {FailureKind::authentication, Errc::provider_unavailable},
      {FailureKind::quota, Errc::provider_unavailable},
      {FailureKind::timeout, Errc::provider_unavailable},
      {FailureKind::not_served, Errc::provider_unavailable},
      {FailureKind::cancelled, Errc::cancelled},
      {FailureKind::bad_request, Errc::tool_call_unavailable},
      {FailureKind::refused, Errc::tool_call_unavailable},
  }));
  TurnRun run;
  run.start();
  auto failed = failure(kind, "HTTP 503 from api.example.org");
  failed.remedy = "try later";
  run.answer(failed, true);
  CHECK(run.error() == Error{code, "ToolCallUnavailable: HTTP 503 from api.example.org", "try later"});
  CHECK(run.requests.size() == 1);
}

TEST_CASE("a newer screen is asked about on the rung that was reached", "[C3]") {
  TurnRun run;
  run.start();
  run.answer(text_answer("I should turn it on."));
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::forced);
  run.look_again("Wi-Fi calling");
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::forced);
  CHECK(run.request().user_prompt.find("Wi-Fi calling") != std::string::npos);
  CHECK_FALSE(run.request().reminder.empty());
}

TEST_CASE("a failure without a cause is named by its kind", "[P6]") {
  TurnRun run;
  run.start();
  run.answer(failure(FailureKind::network, ""));
  CHECK(run.error().cause == "ToolCallUnavailable: " + std::string{name_of(FailureKind::network)});
}

TEST_CASE("an answer that can't be read is asked for once more and is then an error", "[C7]") {
  TurnRun run;
  run.start();
  run.answer(failure(FailureKind::unreadable, "the arguments of tap are no JSON"));
  REQUIRE(run.asks());
  CHECK(run.request().reminder.find("the arguments of tap are no JSON") != std::string::npos);
  run.answer(failure(FailureKind::unreadable, "the arguments of tap are no JSON"));
  CHECK(run.error() == Error{Errc::tool_call_unavailable, "ToolCallUnavailable: the arguments of tap are no JSON", ""});
}

TEST_CASE("a refusal and a filtered answer are terminal, also beside a call", "[C7]") {
  TurnRun run;
  run.start();
  auto answer = answer_with({}, "I can't help with that.");
  if (GENERATE(false, true)) answer.calls = {tap_call(3)};
  SECTION("refusal") {
    answer.stop = StopReason::refusal;
    run.answer(answer, true);
    CHECK(run.error().cause == "ToolCallUnavailable: the model refused to answer: I can't help with that.");
  }
  SECTION("filter") {
    answer.stop = StopReason::content_filter;
    run.answer(answer, true);
    CHECK(run.error().cause == "ToolCallUnavailable: a content filter stopped the answer: I can't help with that.");
  }
  CHECK(run.requests.size() == 1);
}

TEST_CASE("an answer that was cut off is asked for once more with more room", "[C7]") {
  TurnRun run;
  run.options.max_output_tokens = 500;
  run.start();
  auto unreadable = failure(FailureKind::unreadable, "the tool call was cut off by the output limit");
  unreadable.cut_off = true;
  SECTION("before a call was begun") {
    auto cut = text_answer("The list is open and I");
    cut.stop = StopReason::length;
    run.answer(cut);
  }
  SECTION("in the middle of its call") { run.answer(unreadable); }
  REQUIRE(run.asks());
  CHECK(run.request().rung == Rung::automatic);
  CHECK(run.request().max_output_tokens == 2000);
  run.answer(unreadable);
  CHECK(run.error().cause == "ToolCallUnavailable: the tool call was cut off by the output limit");
}

TEST_CASE("a call that is whole counts although the answer reached its limit", "[P3]") {
  TurnRun run;
  run.start();
  auto answer = answer_with({tap_call(3)});
  answer.stop = StopReason::length;
  run.answer(answer);
  CHECK(std::get<Tap>(run.act().action).target.element == 3);
}

TEST_CASE("a call written as text is taken when the ladder has no other rung", "[C3]") {
  TurnRun run;
  run.start();
  const std::string written =
      "The switch is off.\n<tool_call>{\"name\":\"tap\",\"arguments\":{\"element\":3,\"purpose\":\"p\","
      "\"expected_outcome\":\"e\"}}</tool_call>";
  SECTION("in the last answer") {
    run.answer(text_answer("Hm."));
    run.answer(text_answer(written));
  }
  SECTION("in an earlier answer, after all later rungs") {
    run.answer(text_answer(written), true);
    REQUIRE(run.asks());
    run.answer(text_answer("Hm."), true);
    REQUIRE(run.asks());
    run.answer(text_answer(""), true);
  }
  CHECK(std::get<Tap>(run.act().action).target.element == 3);
  CHECK(run.act().rationale == "The switch is off.");
}

TEST_CASE("prose about tools is never taken for a call", "[C3][P2]") {
  TurnRun run;
  run.start();
  const auto prose = GENERATE(as<std::string>{}, "I could use tap with {\"element\": 3}.",
                              "finish_task(success=true, reason=\"done\")", "success: true",
                              "{\"success\": true, \"reason\": \"all done\"}");
  run.answer(text_answer(prose));
  run.answer(text_answer(prose));
  CHECK(run.error().cause == "ToolCallUnavailable: no tool call");
}

TEST_CASE("a turn makes at most five requests whatever comes back", "[C3][P7]") {
  Random random{GENERATE(range(std::uint64_t{0}, std::uint64_t{200}))};
  TurnRun run;
  run.start();
  while (run.asks()) {
    REQUIRE(run.requests.size() <= 5);
    const bool structured = random.chance(0.5);
    switch (random.below(5)) {
      case 0:
        run.answer(text_answer("words"), structured);
        break;
      case 1:
        run.answer(answer_with({call("nothing", Json::object())}), structured);
        break;
      case 2:
        run.answer(failure(FailureKind::unreadable, "not JSON"), structured);
        break;
      case 3: {
        auto cut = answer_with({});
        cut.stop = StopReason::length;
        run.answer(cut, structured);
        break;
      }
      default: {
        auto refused = failure(FailureKind::bad_request, "no");
        refused.refused_field = "tool_choice.type";
        run.answer(refused, structured);
      }
    }
  }
  CHECK(run.error().cause.find("ToolCallUnavailable: ") == 0);
}

TEST_CASE("no picture goes along unless the planner wants one", "[P9]") {
  TurnRun run;
  run.screenshot = std::make_shared<const Screenshot>(Screenshot{"image/png", "bytes", 1080, 2400});
  CHECK_FALSE(make_ai_planner(run.options)->wants_screenshot());
  run.start();
  CHECK(run.request().screenshot == nullptr);
  run.options.screenshot = true;
  CHECK(make_ai_planner(run.options)->wants_screenshot());
  run.start();
  CHECK(run.request().screenshot == run.screenshot);
}

TEST_CASE("a turn without a world model asks without notes and history", "[P9]") {
  TurnRun run;
  auto input = run.input();
  input.world = nullptr;
  const auto planner = make_ai_planner(run.options);
  const auto turn = planner->begin(input);
  const auto step = turn->start();
  const auto& prompt = std::get<0>(step)->user_prompt;
  CHECK(prompt.find("History") == std::string::npos);
  CHECK(prompt.find("<screen>") != std::string::npos);
}

TEST_CASE("without a planner a stub describes the screen, asks no model and can't pass", "[P8]") {
  TurnRun run;
  const auto planner = make_stub_planner();
  CHECK_FALSE(planner->wants_screenshot());
  CHECK_FALSE(planner->can_pass());
  CHECK(make_ai_planner({})->can_pass());
  const auto turn = planner->begin(run.input());
  const auto step = turn->start();
  const auto& end = std::get<FinishTask>(std::get<Decision>(step));
  CHECK(end.success);
  CHECK(end.reason ==
        "page com.android.settings/network of com.android.settings, 4 elements: \"Network & internet\", "
        "\"Wi-Fi, Connected\", \"Airplane mode\", \"Search settings\"");
}
