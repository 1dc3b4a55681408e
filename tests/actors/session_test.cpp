#include <algorithm>
#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"

using namespace drover;
using namespace drover::test;

TEST_CASE("a session drives its phone to the goal and the verdict is verified", "[P1][W4]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  REQUIRE(ended.tasks.size() == 1);
  CHECK(ended.tasks[0].outcome == Outcome::verified_success);
  CHECK(ended.tasks[0].verdict == Verdict::passed);
  CHECK(ended.exit_code == 0);
  CHECK(phone.taps == 2);
  CHECK(phone.resets == 1);
  CHECK(world.transport->calls == 3);
}

TEST_CASE("the intent is on disk before the act is sent, and its outcome after it") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  std::vector<std::pair<std::string, int>> order;
  world.journal->on_entry = [&](const storage::JournalEntry& entry) {
    if (entry.kind == storage::RecordKind::intent) order.emplace_back("intent", phone.taps);
    if (entry.kind == storage::RecordKind::outcome) order.emplace_back("outcome", phone.taps);
  };
  world.start();
  world.run({ActorWorld::task("a")});
  world.finish();
  const std::vector<std::pair<std::string, int>> expected = {
      {"intent", 0}, {"outcome", 1}, {"intent", 1}, {"outcome", 2}};
  CHECK(order == expected);
}

TEST_CASE("no act is sent while its intent can't be written, and the attempt ends as an error") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.model = [&](const net::HttpRequest& request) {
    world.journal->failure = Error{Errc::disk_full, "the disk is full", "make room"};
    return tap_until(request, 3);
  };
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(phone.taps == 0);
  REQUIRE(ended.failure);
  CHECK(ended.failure->code == Errc::disk_full);
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(ended.tasks.at(0).outcome == Outcome::error);
}

TEST_CASE("success that the screen refutes is told apart from success") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    return tool_answer("finish_task", {{"success", true}, {"reason", "done"}});
  };
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::claimed_but_refuted);
  CHECK(ended.tasks.at(0).verdict == Verdict::failed);
  CHECK(ended.exit_code == exit_code::failed);
  const auto attempts = world.journal->of(storage::RecordKind::attempt);
  CHECK(attempts.back().at("claimed") == true);
}

TEST_CASE("a model that gives up ends the attempt with TaskFailedError", "[P2][P6]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    return tool_answer("finish_task", {{"success", false}, {"reason", "there is no such page"}});
  };
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::failed);
  CHECK(ended.tasks.at(0).reason == "TaskFailedError: there is no such page");
  CHECK(ended.exit_code == exit_code::agent);
}

TEST_CASE("the step limit ends an attempt that goes on and on") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) { return tap_until(request, 1000); };
  world.start();
  Task task = ActorWorld::task("a");
  task.limits.max_steps = 5;
  world.run({task});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::step_limit);
  CHECK(ended.tasks.at(0).steps == 5);
}

TEST_CASE("a dump that finds no root is tried again by the device and not by the planner", "[P7]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.failing_dumps = 3;
  world.start();
  world.run({ActorWorld::task("a")});
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
  CHECK(world.transport->calls == 3);
}

TEST_CASE("a screen that never can be read ends the attempt as an error of the infrastructure", "[P6]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.failing_dumps = 1000;
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::error);
  CHECK(ended.tasks.at(0).reason.rfind("ObservationFailed: ", 0) == 0);
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("a phone that never answers again in the middle of an act leaves the attempt in doubt before its deadline") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.model = [&](const net::HttpRequest& request) {
    phone.silent = true;
    return tap_until(request, 3);
  };
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::in_doubt);
  CHECK(ended.tasks.at(0).took < std::chrono::minutes{1});
}

TEST_CASE("a model that never answers is a provider that can't be reached, before the deadline", "[P6][C6]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    AnsweringTransport::Answer answer;
    answer.never = true;
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a")}, RetryRules{{}, 0, 0});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::provider_unavailable);
  CHECK(ended.tasks.at(0).reason.rfind("ToolCallUnavailable: ", 0) == 0);
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(ended.tasks.at(0).took <= std::chrono::minutes{2} + std::chrono::seconds{5});
}

TEST_CASE("the stub describes the screen once, calls no model and is never a pass", "[P8]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.planner = planner::make_stub_planner();
  world.start();
  world.run({ActorWorld::task("a", 1)});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::claimed_success);
  CHECK(ended.tasks.at(0).verdict == Verdict::unverified);
  CHECK(world.transport->calls == 0);
  CHECK(phone.taps == 0);
}

TEST_CASE("no attempt is left running in the journal", "[P6]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.add_phone("phone-2");
  world.start();
  world.run({ActorWorld::task("a"), ActorWorld::task("b"), ActorWorld::task("c")});
  world.finish();
  std::map<std::string, Json> last;
  for (const auto& attempt : world.journal->of(storage::RecordKind::attempt)) {
    last[attempt.at("task").get<std::string>()] = attempt;
  }
  REQUIRE(last.size() == 3);
  for (const auto& [task, attempt] : last) CHECK(attempt.contains("outcome"));
}
