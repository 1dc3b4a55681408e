#include <catch2/catch.hpp>
#include <map>

#include "actors/supervised_world.hpp"

using namespace drover;
using namespace drover::test;
using actors::ActorKind;
using actors::LiveCounts;
using actors::ShutdownPlan;
using Order = actors::ShutdownStep::Order;
using namespace std::chrono_literals;

namespace {

LiveCounts one_of(std::initializer_list<ActorKind> kinds) {
  LiveCounts counts{};
  for (const ActorKind kind : kinds) counts[static_cast<std::size_t>(kind)] = 1;
  return counts;
}

constexpr TimePoint start{1h};

}  // namespace

TEST_CASE("a shutdown asks stage by stage, each when the one before has gone") {
  ShutdownPlan plan(start, 5s);
  auto step = plan.next(one_of({ActorKind::router, ActorKind::journal}), start);
  REQUIRE(step);
  CHECK(step->order == Order::ask);
  CHECK(step->kinds == std::vector<ActorKind>{ActorKind::router});
  step = plan.next(one_of({ActorKind::router, ActorKind::journal}), start + 10ms);
  CHECK(step->order == Order::wait);
  step = plan.next(one_of({ActorKind::journal}), start + 20ms);
  CHECK(step->order == Order::ask);
  CHECK(step->kinds == std::vector<ActorKind>{ActorKind::journal});
  CHECK_FALSE(plan.next({}, start + 30ms));
  CHECK(plan.killed().empty());
  CHECK(plan.survivors().empty());
}

TEST_CASE("whoever does not go when asked is killed, and the next stage does not wait for it") {
  ShutdownPlan plan(start, 5s);
  const auto both = one_of({ActorKind::router, ActorKind::journal});
  CHECK(plan.next(both, start)->order == Order::ask);
  const auto step = plan.next(both, start + 200ms);
  CHECK(step->order == Order::kill);
  CHECK(step->kinds == std::vector<ActorKind>{ActorKind::router});
  CHECK(plan.next(both, start + 200ms)->kinds == std::vector<ActorKind>{ActorKind::journal});
  CHECK(plan.killed() == std::vector<std::string>{"router"});
}

TEST_CASE("a shutdown in which nobody goes ends within its budget and names the survivors") {
  ShutdownPlan plan(start, actors::shutdown_budget);
  LiveCounts all{};
  all.fill(2);
  TimePoint now = start;
  int kills = 0;
  while (const auto step = plan.next(all, now)) {
    if (step->order == Order::kill) ++kills;
    now = std::max(now, step->until);
  }
  CHECK(now - start == actors::shutdown_budget);
  CHECK(now - start < Duration{5s});
  CHECK(kills == static_cast<int>(actors::actor_kinds) + 1);
  CHECK(plan.killed().size() == actors::actor_kinds);
  REQUIRE(plan.survivors().size() == actors::actor_kinds);
  CHECK(plan.survivors()[2] == "sessions (2)");
}

TEST_CASE("an idle household goes at once, its devices too") {
  SupervisedWorld world;
  for (int i = 0; i < 20; ++i) world.add_phone("phone-" + std::to_string(i));
  world.start(2);
  CHECK(world.alive(ActorKind::device) == 20);
  const TimePoint before = world.time.now();
  const auto plan = world.shut_down();
  CHECK(world.time.now() == before);
  CHECK(world.live->counts() == LiveCounts{});
  CHECK(plan.killed().empty());
}

TEST_CASE("a shutdown works whoever has died before") {
  for (const ActorKind dead : {ActorKind::supervisor, ActorKind::dispatcher, ActorKind::router, ActorKind::provider,
                               ActorKind::fleet, ActorKind::journal}) {
    SupervisedWorld world;
    for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
    world.start(2);
    world.run({ActorWorld::task("a"), ActorWorld::task("b")});
    world.run_until([&] { return world.phones[0]->dumps == 1; });
    world.kill(dead);
    const TimePoint before = world.time.now();
    const auto plan = world.shut_down();
    CHECK(world.time.now() - before < Duration{5s});
    CHECK(world.live->counts() == LiveCounts{});
    CHECK(plan.survivors().empty());
  }
}

TEST_CASE("a shutdown while 2,000 sessions are busy gives every task one verdict within five seconds") {
  SupervisedWorld world;
  for (int i = 0; i < 2000; ++i) world.add_phone("phone-" + std::to_string(10'000 + i)).tap_time = 1500ms;
  world.gate.limits.max_in_flight = 500;
  world.gate.adaptive_in_flight = false;
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 1000);
    answer.after = 2s;
    return answer;
  };
  std::vector<Task> all;
  for (int i = 0; i < 2500; ++i) all.push_back(ActorWorld::task("task-" + std::to_string(10'000 + i), 1000));
  for (Task& task : all) task.limits.timeout = 1h;
  world.start();
  world.run(std::move(all), {{}, 0, 0});
  world.advance(15s);
  REQUIRE(world.alive(ActorKind::session) == 2000);
  REQUIRE(world.transports[0]->in_flight > 0);
  int taps = 0;
  for (const auto& phone : world.phones) taps += phone->taps;
  REQUIRE(taps > 0);

  const TimePoint before = world.time.now();
  const auto plan = world.shut_down();
  CHECK(world.time.now() - before < Duration{5s});
  CHECK(plan.killed().empty());
  CHECK(plan.survivors().empty());
  CHECK(world.live->counts() == LiveCounts{});
  CHECK(world.transports[0]->in_flight == 0);
  CHECK(*world.answers == 1);
  REQUIRE(world.ended->has_value());
  CHECK(world.ended->value().exit_code == exit_code::cancelled);
  REQUIRE(world.ended->value().tasks.size() == 2500);
  for (const auto& task : world.ended->value().tasks) CHECK(task.outcome == Outcome::cancelled);
  std::map<std::string, int> verdicts;
  for (const auto& task : world.journal->of(storage::RecordKind::task)) {
    if (task.contains("verdict")) ++verdicts[task.at("task").get<std::string>()];
  }
  CHECK(verdicts.size() == 2500);
  for (const auto& [task, count] : verdicts) CHECK(count == 1);
  CHECK(world.attempts_left_running() == 0);
  CHECK(world.journal->of(storage::RecordKind::run).back().at("exit_code") == exit_code::cancelled);
}
