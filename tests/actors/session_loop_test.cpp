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

namespace {

/// A loop whose first act has been sent to the phone.
SessionLoop acting(const Clock& time, const std::string& thinking = "") {
  SessionOrder order;
  order.key = {RunId("r"), TaskId("t"), 1, "main", 0};
  order.task.id = TaskId("t");
  order.task.goal = "Open the list";
  order.planner = planner::make_ai_planner({});
  SessionLoop loop(std::move(order), time);
  loop.begin();
  loop.on_prepared(Done{});
  loop.on_ticket();
  loop.on_observed(std::make_shared<const Observation>());
  CallReport report;
  providers::ModelAnswer answer;
  answer.thinking = thinking;
  answer.calls.push_back(
      {"call-1", "press_key", Json{{"key", "back"}, {"purpose", "leave"}, {"expected_outcome", "left"}}});
  report.answer = std::move(answer);
  loop.on_answer(std::move(report));
  loop.on_durable(Done{});
  REQUIRE(loop.phase() == SessionPhase::acting);
  return loop;
}

template <class Command>
const Command* among(const SessionCommands& commands) {
  for (const auto& each : commands) {
    if (const auto* found = std::get_if<Command>(&each)) return found;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a session whose journal fails while it acts ends with the act's answer and writes nothing further") {
  const SimulatedTime time;
  SessionLoop loop = acting(time);
  CHECK(loop.on_durable(Error{Errc::disk_full, "no room", ""}).empty());
  devices::ActResult done;
  done.intent = "r/t/1/main/1";
  done.status = ActStatus::done;
  const auto commands = loop.on_acted(done);
  CHECK(among<command::Append>(commands) == nullptr);
  const auto* end = among<command::End>(commands);
  REQUIRE(end != nullptr);
  CHECK(end->result.outcome == Outcome::error);
  CHECK(end->result.reason.find("no room") != std::string::npos);
}

TEST_CASE("an act is open from its order until the screen after it is seen, if nobody knows what became of it") {
  const SimulatedTime time;
  SessionLoop loop = acting(time);
  CHECK(loop.act_is_open());
  devices::ActResult unseen;
  unseen.intent = "r/t/1/main/1";
  unseen.status = ActStatus::in_doubt;
  loop.on_acted(unseen);
  CHECK(loop.act_is_open());
  loop.on_ticket();
  loop.on_observed(std::make_shared<const Observation>());
  CHECK_FALSE(loop.act_is_open());
}
