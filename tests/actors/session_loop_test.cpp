#include "actors/session_loop.hpp"

#include <catch2/catch.hpp>

#include "core/simulated_time.hpp"

using namespace drover;
using namespace drover::actors;

TEST_CASE("a session lets go of its picture when it has decided") {
  const SimulatedTime time;
  SessionOrder order;
  order.key = {RunId("r"), TaskId("t"), 1, "main", 0};
  order.task.id = TaskId("t");
  order.task.goal = "Open the list";
  planner::AiPlannerOptions options;
  options.screenshot = true;
  order.planner = planner::make_ai_planner(options);
  SessionLoop loop(std::move(order), time);
  loop.begin();
  loop.on_prepared(Done{});
  loop.on_ticket();

  auto seen = std::make_shared<Observation>();
  seen->screenshot.emplace();
  const std::weak_ptr<const Observation> picture = seen;
  loop.on_observed(std::shared_ptr<const Observation>(std::move(seen)));
  REQUIRE(loop.phase() == SessionPhase::waiting_for_answer);
  CHECK_FALSE(picture.expired());

  CallReport report;
  providers::ModelAnswer answer;
  answer.calls.push_back(
      {"call-1", "press_key", Json{{"key", "back"}, {"purpose", "leave"}, {"expected_outcome", "left"}}});
  report.answer = std::move(answer);
  loop.on_answer(std::move(report));
  REQUIRE(loop.phase() == SessionPhase::saving_intent);
  CHECK(picture.expired());
}
