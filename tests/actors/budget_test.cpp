#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"
#include "actors/shared_budget.hpp"

using namespace drover;
using namespace drover::test;
using actors::SharedBudget;
using std::chrono::hours;

namespace {

std::vector<Task> tasks(int count) {
  std::vector<Task> made;
  for (int i = 1; i <= count; ++i) made.push_back(ActorWorld::task("task-" + std::to_string(100 + i)));
  return made;
}

BudgetLimits calls(std::uint64_t count) {
  BudgetLimits limits;
  limits.calls = count;
  return limits;
}

/// The counter of calls of the day that the clock shows.
std::int64_t counted(ActorWorld& world) {
  return world.journal->counters["budget/" + to_iso8601(world.time.utc_now()).substr(0, 10) + "/calls"];
}

std::shared_ptr<SharedBudget> opened(ActorWorld& world, const BudgetSettings& settings) {
  auto budget = std::make_shared<SharedBudget>(settings, world.journal, world.time);
  REQUIRE(budget->open().ok());
  return budget;
}

constexpr providers::BudgetSpent one_call{1, 10, 0};

}  // namespace

TEST_CASE("a task whose budget is used up ends as budget_exhausted before a further call, and is not tried again") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.budget = opened(world, {calls(2), {}, {}});
  world.start();
  RetryRules retries;
  retries.per_task = 3;
  world.run(tasks(2), retries);
  const auto& ended = world.finish();
  for (const auto& task : ended.tasks) {
    CHECK(task.outcome == Outcome::budget_exhausted);
    CHECK(task.verdict == Verdict::budget);
    CHECK(task.attempts == 1);
    CHECK(task.reason.find("the task's budget of 2 calls is used up") != std::string::npos);
  }
  CHECK(world.transport->calls == 4);
  CHECK(ended.exit_code == 21);
}

TEST_CASE("no task begins once the batch's budget is used up") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.budget = opened(world, {{}, calls(5), {}});
  world.start();
  world.run(tasks(4));
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(ended.tasks.at(1).outcome == Outcome::budget_exhausted);
  CHECK(ended.tasks.at(2).attempts == 0);
  CHECK(ended.tasks.at(2).outcome == Outcome::budget_exhausted);
  CHECK(ended.tasks.at(3).attempts == 0);
  CHECK(world.transport->calls == 5);
}

TEST_CASE("retries of a call are taken out of the budget as well") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) { return refusal(529, "overloaded_error", {}); };
  world.budget = opened(world, {calls(3), {}, {}});
  world.start();
  world.run(tasks(1));
  CHECK(world.finish().tasks.at(0).outcome == Outcome::budget_exhausted);
  CHECK(world.transport->calls == 3);
}

TEST_CASE("a day's budget holds over runs, and what was not needed is given back") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.budget = opened(world, {{}, {}, calls(1000)});
  world.start();
  world.run(tasks(3));
  for (const auto& task : world.finish().tasks) CHECK(task.outcome == Outcome::verified_success);
  const auto spent = static_cast<std::int64_t>(world.transport->calls);
  CHECK(counted(world) > spent);
  REQUIRE(world.budget->close().ok());
  CHECK(counted(world) == spent);

  const auto next = opened(world, {{}, {}, calls(static_cast<std::uint64_t>(spent) + 1)});
  const auto last = next->set_aside(TaskId("a"), one_call);
  REQUIRE(std::holds_alternative<SharedBudget::CallId>(last));
  CHECK(std::holds_alternative<SharedBudget::Later>(next->set_aside(TaskId("a"), one_call)));
  next->settle(std::get<SharedBudget::CallId>(last), one_call);
  const auto refused = next->set_aside(TaskId("a"), one_call);
  REQUIRE(std::holds_alternative<SharedBudget::Refused>(refused));
  CHECK(std::get<SharedBudget::Refused>(refused).why ==
        "the day's budget of " + std::to_string(spent + 1) + " calls is used up");
}

TEST_CASE("no call is made that is not put down as spent on disk") {
  ActorWorld world;
  const auto budget = opened(world, {{}, {}, calls(100)});
  for (std::int64_t made = 0; made < 100;) {
    if (std::holds_alternative<SharedBudget::Later>(budget->set_aside(TaskId("a"), one_call))) {
      REQUIRE(budget->wants_lease());
      REQUIRE(budget->extend_lease().ok());
      continue;
    }
    CHECK(++made <= counted(world));
  }
  // A crash here counts what was leased.
  CHECK(counted(world) == 100);
  CHECK(opened(world, {{}, {}, calls(100)})->exhausted());
}

TEST_CASE("a crash costs the day at most the part that was put down ahead") {
  ActorWorld world;
  {
    const auto budget = opened(world, {{}, {}, calls(1000)});
    CHECK(std::holds_alternative<SharedBudget::CallId>(budget->set_aside(TaskId("a"), one_call)));
  }
  CHECK(counted(world) == 20);
  CHECK_FALSE(opened(world, {{}, {}, calls(1000)})->exhausted());
}

TEST_CASE("calls are counted for the day also where a run has no budget for it") {
  ActorWorld world;
  const auto budget = opened(world, {});
  CHECK(std::holds_alternative<SharedBudget::CallId>(budget->set_aside(TaskId("a"), one_call)));
  CHECK(counted(world) == 0);
  REQUIRE(budget->close().ok());
  CHECK(counted(world) == 1);
  REQUIRE(budget->close().ok());
  CHECK(counted(world) == 1);
}

TEST_CASE("at midnight another day begins, and the last one is settled") {
  ActorWorld world;
  const auto budget = opened(world, {{}, {}, calls(2)});
  const auto first_day = to_iso8601(world.time.utc_now()).substr(0, 10);
  const auto call = budget->set_aside(TaskId("a"), one_call);
  CHECK(std::holds_alternative<SharedBudget::CallId>(call));
  world.advance(hours{24});
  CHECK(std::holds_alternative<SharedBudget::Later>(budget->set_aside(TaskId("a"), one_call)));
  REQUIRE(budget->extend_lease().ok());
  CHECK(std::holds_alternative<SharedBudget::CallId>(budget->set_aside(TaskId("a"), one_call)));
  // One of yesterday gives today nothing back.
  budget->settle(std::get<SharedBudget::CallId>(call), providers::BudgetSpent{});
  REQUIRE(budget->close().ok());
  CHECK(world.journal->counters["budget/" + first_day + "/calls"] == 1);
  CHECK(counted(world) == 1);
}

TEST_CASE("a call that is refused costs a call and no tokens") {
  ActorWorld world;
  world.add_phone("phone-1");
  BudgetLimits tokens;
  tokens.tokens = 1'000'000;
  world.budget = opened(world, {{}, {}, tokens});
  world.model = [](const net::HttpRequest&) { return refusal(400, "invalid_request_error", {}); };
  world.start();
  world.run(tasks(1));
  world.finish();
  REQUIRE(world.budget->close().ok());
  // A refusal costs no tokens.
  CHECK(world.journal->counters["budget/" + to_iso8601(world.time.utc_now()).substr(0, 10) + "/tokens"] == 0);
}

TEST_CASE("a call that fits once those under way are settled waits for them, and no task is given up for it") {
  std::uint64_t used = 0;
  constexpr std::uint64_t most_of_one_call = 4000;
  for (const bool limited : {false, true}) {
    ActorWorld world;
    for (int i = 1; i <= 8; ++i) world.add_phone("phone-" + std::to_string(i));
    BudgetLimits tokens;
    if (limited) tokens.tokens = used + most_of_one_call;
    world.budget = opened(world, {{}, tokens, {}});
    world.start();
    world.run(tasks(8));
    for (const auto& task : world.finish().tasks) CHECK(task.outcome == Outcome::verified_success);
    used = world.statistics->input_tokens + world.statistics->output_tokens;
    // What eight set aside at once is far more than they come to.
    CHECK((world.transport->most_in_flight < 8) == limited);
  }
}

TEST_CASE("calls of a provider actor that failed are settled, so that nobody waits for them") {
  ActorWorld world;
  const auto budget = opened(world, {{}, calls(1), {}});
  const auto call = budget->set_aside(TaskId("a"), one_call);
  REQUIRE(std::holds_alternative<SharedBudget::CallId>(call));
  CHECK(std::holds_alternative<SharedBudget::Later>(budget->set_aside(TaskId("b"), one_call)));
  budget->settle(std::get<SharedBudget::CallId>(call), std::nullopt);
  CHECK(std::holds_alternative<SharedBudget::Refused>(budget->set_aside(TaskId("b"), one_call)));
}
