#include "cli/decision_replay.hpp"

#include <catch2/catch.hpp>

#include "actors/decision_log.hpp"
#include "cli/terminal_width.hpp"
#include "core/outcome.hpp"
#include "core/typed_secrets.hpp"
#include "planner/tool_specifications.hpp"
#include "planner/turn_fixture.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

Json tap_input(int element) {
  return {{"element", element}, {"purpose", "turn it on"}, {"expected_outcome", "it is on"}};
}

std::string anthropic(const Json& content) {
  return Json{{"type", "message"},
              {"role", "assistant"},
              {"content", content},
              {"stop_reason", "end_turn"},
              {"usage", {{"input_tokens", 10}, {"output_tokens", 5}}}}
      .dump();
}
std::string called(const std::string& tool, const Json& input) {
  return anthropic({{{"type", "tool_use"}, {"id", "t1"}, {"name", tool}, {"input", input}}});
}
std::string said(const std::string& text) { return anthropic({{{"type", "text"}, {"text", text}}}); }

std::string openai(const std::string& tool, const Json& input) {
  const Json call = {{"id", "c1"}, {"type", "function"}, {"function", {{"name", tool}, {"arguments", input.dump()}}}};
  return Json{{"choices", {{{"message", {{"role", "assistant"}, {"tool_calls", {call}}}}}}}}.dump();
}

/// The decisions of one task, as a run of today would have logged them.
struct Log {
  planner::test::TurnRun screen;  ///< Elements 1 to 4.
  std::vector<DecisionRecord> decisions;

  DecisionRecord& add(const std::string& raw_answer, std::uint32_t step = 1, const std::string& rung = "auto") {
    screen.start();
    DecisionRecord record;
    record.key = {RunId("r"), TaskId("t"), 1, "main", step};
    record.rung = rung;
    record.user_prompt = screen.request().user_prompt;
    record.raw_answer = raw_answer;
    record.wire_format = "anthropic";
    return decisions.emplace_back(std::move(record));
  }
  /// An answer that a tap came of.
  DecisionRecord& add_tap(int element, std::uint32_t step = 1, const std::string& rung = "auto") {
    return decided_tap(add(called("tap", tap_input(element)), step, rung), element);
  }
  static DecisionRecord& decided_tap(DecisionRecord& record, int element) {
    record.tool = "tap";
    record.arguments = {{"element", element}};
    record.purpose = "turn it on";
    record.expected_outcome = "it is on";
    return record;
  }
  [[nodiscard]] DecisionReplay replay() const {
    return cli::replay(decisions, planner::tool_set(planner::ToolSetChoice::full));
  }
};

/// Every request is counted once.
void check_sum(const DecisionReplay& replay) {
  CHECK(replay.requests == replay.read_again() + replay.no_answer + replay.not_kept + replay.not_whole +
                               replay.no_format + replay.no_screen + replay.not_reached);
}

void check_all_same(const Log& log) {
  const auto replay = log.replay();
  INFO(replay_text(replay, "r", any_width));
  CHECK(replay.same == log.decisions.size());
  CHECK(exit_code_of(replay) == exit_code::success);
  check_sum(replay);
}

}  // namespace

TEST_CASE("an answer of which the logged decision comes today, too, is the same") {
  Log log;
  log.add_tap(3);
  auto& chat = log.add_tap(2, 2);
  chat.wire_format = "openai_chat";
  chat.raw_answer = openai("tap", tap_input(2));
  auto& finish = log.add(called("finish_task", {{"success", true}, {"reason", "it is on"}}), 3);
  finish.tool = "finish_task";
  finish.arguments = {{"success", true}, {"reason", "it is on"}};
  check_all_same(log);
}

TEST_CASE("an answer that is read otherwise today is told with both decisions and in what they differ") {
  Log log;
  log.add_tap(3);
  log.add_tap(2, 2).arguments = {{"element", 4}};
  const auto replay = log.replay();
  REQUIRE(replay.differences.size() == 1);
  CHECK(replay.differences[0].fields == std::vector<std::string>{"arguments"});
  CHECK(replay.same == 1);
  CHECK(exit_code_of(replay) == exit_code::failed);
  const auto text = replay_text(replay, "r", any_width);
  CHECK_THAT(text, Contains("run r: 2 of 2 logged requests read again: 1 the same, 1 different\n") &&
                       Contains(R"(tap {"element":4}  tap {"element":2})"));
  const auto json = replay_json(replay, "r");
  CHECK(json.at("different") == 1);
  CHECK(json.at("differences").at(0).at("step") == 2);
  CHECK(json.at("differences").at(0).at("logged").at("arguments") == Json{{"element", 4}});
  CHECK(json.at("differences").at(0).at("today").at("arguments") == Json{{"element", 2}});
}

TEST_CASE("an act on an element that the logged screen does not have is no decision today") {
  Log log;
  log.add_tap(9);
  const auto replay = log.replay();
  REQUIRE(replay.differences.size() == 1);
  // The correction that is asked for is a request: nothing was decided, so the call stands as it came.
  CHECK(replay.differences[0].today.purpose.empty());
  CHECK(replay.differences[0].today.notes.size() == 1);
}

TEST_CASE("a turn is read again along its ladder: asked again, corrected, and rescued from a text") {
  Log log;
  log.add(said("I would turn it on."), 1).rationale = "I would turn it on.";
  log.add_tap(3, 1, "forced");

  Json without_purpose = tap_input(3);
  without_purpose.erase("purpose");
  auto& unusable = log.add(called("tap", without_purpose), 2);
  unusable.tool = "tap";
  unusable.arguments = without_purpose;
  log.add_tap(3, 2, "reminder");

  const std::string written =
      "So:\n<tool_call>{\"name\":\"tap\",\"arguments\":" + tap_input(2).dump() + "}</tool_call>";
  log.add(said(written), 3).rationale = written;
  Log::decided_tap(log.add(said("What else?"), 3, "forced"), 2).rationale = "So:";

  log.add(said("No."), 4).rationale = "No.";
  log.add(said("No."), 4, "forced").rationale = "No.";
  auto& structured = log.add(said("No."), 4, "structured");
  structured.rationale = "No.";
  structured.error = "ToolCallUnavailable: no tool call";
  check_all_same(log);
}

TEST_CASE("a request that another provider served, or that was asked about a newer screen, goes on in its turn") {
  Log log;
  auto& refused = log.add(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})", 1);
  refused.http_status = 529;
  refused.error = "529 Overloaded";
  auto& elsewhere = log.add_tap(3, 1);
  elsewhere.wire_format = "openai_chat";
  elsewhere.raw_answer = openai("tap", tap_input(3));

  log.add(said("Hm."), 2).rationale = "Hm.";
  log.screen.scene.elements.push_back(planner::test::element(5, Role::button, "Appeared since"));
  log.add_tap(5, 2, "forced");
  check_all_same(log);
}

TEST_CASE("what can't be read again is counted by its reason, and never as the same") {
  Log log;
  log.add("", 1).wire_format.clear();
  log.decisions.back().error = "connection refused";
  log.add_tap(3, 2).raw_answer.clear();
  log.add_tap(3, 3).wire_format.clear();
  log.add_tap(3, 4).raw_answer = std::string(actors::longest_raw_answer_bytes - 3, 'x') + "…";
  log.add_tap(3, 5).user_prompt = "Task: \"a prompt without a screen\"";
  const auto replay = log.replay();
  CHECK(replay.no_answer == 1);
  CHECK(replay.not_kept == 1);
  CHECK(replay.no_format == 1);
  CHECK(replay.not_whole == 1);
  CHECK(replay.no_screen == 1);
  CHECK(replay.read_again() == 0);
  CHECK(exit_code_of(replay) == exit_code::nothing_selected);
  check_sum(replay);
  CHECK_THAT(replay_text(replay, "r", any_width), Contains("not read: 1 whose raw answer is not kept\n"));
  CHECK(replay_json(replay, "r").at("not_read").at("not_kept") == 1);
}

TEST_CASE("requests behind one that ends its turn today are not reached") {
  Log log;
  log.add(called("tap", tap_input(3)), 1);  // Logged as an answer without a call.
  log.add_tap(3, 1, "forced");
  log.add_tap(3, 2).raw_answer.clear();
  log.add_tap(3, 2, "forced");
  const auto replay = log.replay();
  CHECK(replay.differences.size() == 1);
  CHECK(replay.not_kept == 1);
  CHECK(replay.not_reached == 2);
  check_sum(replay);
}

TEST_CASE("a text that is masked in the log makes no difference and is not told", "[L3]") {
  Log log;
  const Json input = {
      {"element", 2}, {"text", "hunter2secret"}, {"purpose", "sign in"}, {"expected_outcome", "it is typed"}};
  auto& typed = log.add(called("input_text", input), 1);
  typed.tool = "input_text";
  typed.arguments = {{"element", 1}, {"text", std::string(typed_secret)}};
  typed.purpose = "sign in";
  typed.expected_outcome = "it is typed";
  const auto replay = log.replay();
  REQUIRE(replay.differences.size() == 1);
  CHECK_THAT(replay_text(replay, "r", any_width) + replay_json(replay, "r").dump(), !Contains("hunter2"));
  typed.arguments["element"] = 2;
  check_all_same(log);
}
