#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "actors/supervised_world.hpp"
#include "actors/test_double.hpp"

using namespace drover;
using namespace drover::test;
using actors::ActorKind;
using namespace std::chrono_literals;

namespace {

std::vector<Task> tasks(int count) {
  std::vector<Task> made;
  for (int i = 1; i <= count; ++i) made.push_back(ActorWorld::task("task-" + std::to_string(100 + i)));
  return made;
}

const RetryRules no_retries{{}, 0, 0};

/// Everything under way: eight phones, calls that take twenty seconds, some tasks that wait.
struct BusyWorld : SupervisedWorld {
  explicit BusyWorld(int task_count = 20) {
    for (int i = 0; i < 8; ++i) add_phone("phone-" + std::to_string(i));
    model = [](const net::HttpRequest& request) {
      auto answer = tap_until(request, 3);
      answer.after = 20s;
      return answer;
    };
    start();
    SupervisedWorld::run(tasks(task_count), no_retries);
    REQUIRE(run_until([&] { return transports[0]->in_flight == 8; }));
  }

  /// What must hold after a fault, whatever it was.
  void check_end(int exit_code, std::size_t task_count = 20) {
    const auto& batch = finish(5s);
    CHECK(batch.exit_code == exit_code);
    REQUIRE(batch.failure);
    CHECK(batch.tasks.size() == task_count);
    for (const auto& task : batch.tasks) {
      CHECK(task.outcome == Outcome::error);
      CHECK_FALSE(task.reason.empty());
    }
    CHECK(*answers == 1);
    CHECK(alive(ActorKind::session) == 0);
    CHECK(transports[0]->in_flight == 0);
    CHECK(cancel.reason() == CancelReason::shutdown);
    advance(5min);
    CHECK(*answers == 1);
  }
};

/// Fails, by a fault of the program, at every turn of a task whose name begins with "bad".
class FaultyPlanner : public planner::Planner {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "faulty"; }
  [[nodiscard]] bool wants_screenshot() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<planner::Turn> begin(const planner::TurnInput& input) const override {
    if (input.task->id.value.rfind("bad", 0) == 0) throw std::runtime_error("the planner has a fault");
    return good_->begin(input);
  }
  [[nodiscard]] planner::TurnStep look_again(planner::Turn& turn, const planner::TurnInput& input) const override {
    return good_->look_again(turn, input);
  }

 private:
  std::unique_ptr<planner::Planner> good_ = planner::make_ai_planner({});
};

}  // namespace

TEST_CASE("a provider actor that dies hands its open calls to the next provider and is started again") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  bool slow = true;
  world.model = [&](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    if (slow) answer.after = 20s;
    return answer;
  };
  world.start(2);
  world.run(tasks(1), no_retries);
  REQUIRE(world.run_until([&] { return world.transports[0]->in_flight == 1; }));
  slow = false;
  world.kill(ActorKind::provider);
  CHECK(world.alive(ActorKind::provider) == 1);
  const auto& ended = world.finish(10s);
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(ended.tasks.at(0).attempts == 1);
  CHECK(world.transports[1]->calls >= 1);
  CHECK(world.alive(ActorKind::provider) == 2);
  CHECK(world.transports[0]->calls + world.transports[1]->calls == 4);
  CHECK(world.transports[0]->calls >= 2);
  CHECK(world.statistics->calls_in_flight == 0);
}

TEST_CASE("the open calls of an only provider that dies are answered, and the new one serves the retries") {
  SupervisedWorld world;
  for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
  bool slow = true;
  world.model = [&](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    if (slow) answer.after = 20s;
    return answer;
  };
  world.start();
  world.run(tasks(4));
  REQUIRE(world.run_until([&] { return world.transports[0]->in_flight == 4; }));
  slow = false;
  world.kill(ActorKind::provider);
  const auto& ended = world.finish(20s);
  for (const auto& task : ended.tasks) {
    CHECK(task.outcome == Outcome::verified_success);
    CHECK(task.attempts == 2);
  }
  CHECK(ended.exit_code == 0);
  CHECK(world.statistics->calls_in_flight == 0);
}

TEST_CASE("a provider actor that keeps dying is given up and whoever waits for it is told") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) -> AnsweringTransport::Answer {
    throw std::runtime_error("the transport has a fault");
  };
  world.start();
  world.run(tasks(1), {{RetryClass::infrastructure}, 10, 100});
  const auto& ended = world.finish(1min);
  CHECK(ended.tasks.at(0).outcome == Outcome::provider_unavailable);
  CHECK(ended.tasks.at(0).reason.find("keeps failing") != std::string::npos);
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(world.transports[0]->calls == 4);
  CHECK(world.alive(ActorKind::provider) == 0);
}

TEST_CASE("a part that failed is started again after growing pauses, and not too often in a while") {
  actors::RestartRule rule({2, 1min, 100ms});
  const TimePoint start{1h};
  CHECK(rule.after_failure(start) == Duration{100ms});
  CHECK(rule.after_failure(start + 1s) == Duration{200ms});
  CHECK_FALSE(rule.after_failure(start + 2s));
  actors::RestartRule patient({2, 1min, 100ms});
  CHECK(patient.after_failure(start) == Duration{100ms});
  CHECK(patient.after_failure(start + 2min) == Duration{100ms});
  CHECK(patient.after_failure(start + 4min) == Duration{100ms});
}

TEST_CASE("when the router dies every attempt ends as an error at once and the run is internal") {
  BusyWorld world;
  world.kill(ActorKind::router);
  world.check_end(exit_code::internal);
  CHECK(world.attempts_left_running() == 0);
}

TEST_CASE("when the journal's actor dies every session ends with a storage error") {
  BusyWorld world;
  world.kill(ActorKind::journal);
  world.check_end(exit_code::infrastructure);
  CHECK(world.ended->value().failure->code == Errc::storage_failed);
}

TEST_CASE("when the journal's actor dies sessions that wait for it do not wait on") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  world.start();
  bool killed = false;
  world.journal->on_entry = [&](const storage::JournalEntry& entry) {
    if (entry.kind != storage::RecordKind::intent || std::exchange(killed, true)) return;
    throw std::runtime_error("the database has a fault");
  };
  world.run(tasks(1), no_retries);
  const auto& ended = world.finish(10s);
  CHECK(ended.tasks.at(0).outcome == Outcome::error);
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(world.phones[0]->taps == 0);
}

TEST_CASE("when the fleet dies its phones are let go and the run ends as internal") {
  BusyWorld world;
  world.kill(ActorKind::fleet);
  CHECK(world.alive(ActorKind::device) == 0);
  world.check_end(exit_code::internal);
  CHECK(world.attempts_left_running() == 0);
}

TEST_CASE("when the dispatcher dies its sessions are ended and another one writes down what became of them") {
  BusyWorld world;
  world.kill(ActorKind::dispatcher);
  world.check_end(exit_code::internal);
  CHECK(world.attempts_left_running() == 0);
  const auto runs = world.journal->of(storage::RecordKind::run);
  CHECK(runs.back().at("exit_code") == exit_code::internal);
  std::set<std::string> decided;
  for (const auto& task : world.journal->of(storage::RecordKind::task)) {
    if (task.contains("verdict")) CHECK(decided.insert(task.at("task").get<std::string>()).second);
  }
  CHECK(decided.size() == 20);
  int taps = 0;
  for (const auto& phone : world.phones) taps += phone->taps;
  CHECK(taps == 0);
}

TEST_CASE("when the dispatcher that takes over dies too the batch is answered all the same, once") {
  BusyWorld world;
  for (auto& phone : world.phones) phone->silent = true;
  caf::anon_send_exit(world.live->of(ActorKind::dispatcher).front(), caf::exit_reason::kill);
  REQUIRE(world.scheduler.try_run_once());
  world.run_until([&] { return world.alive(ActorKind::session) == 0; }, 5s);
  world.kill(ActorKind::dispatcher);
  world.check_end(exit_code::internal);
}

TEST_CASE("a dispatcher that dies after its answer is no second answer, and the next batch runs") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  world.start();
  world.run(tasks(1));
  world.finish();
  world.kill(ActorKind::dispatcher);
  CHECK(*world.answers == 1);
  world.ended->reset();
  world.run(tasks(1));
  CHECK(world.finish().exit_code == 0);
  CHECK(*world.answers == 2);
}

TEST_CASE("a second batch while one runs is refused and the first is answered once") {
  BusyWorld world(8);
  world.SupervisedWorld::run(tasks(1));
  REQUIRE(world.ended->has_value());
  CHECK(world.ended->value().failure->code == Errc::conflict);
  world.ended->reset();
  CHECK(world.finish().exit_code == 0);
  CHECK(*world.answers == 2);
}

TEST_CASE("a wish for phones that is never answered is ended by a stop") {
  SupervisedWorld world;
  world.add_phone("phone-1").silent = true;
  world.start();
  world.run(tasks(2), no_retries);
  caf::anon_send(world.root, actors::StopBatch{CancelReason::user, std::nullopt});
  const auto& ended = world.finish(5s);
  CHECK(ended.exit_code == exit_code::interrupted);
  CHECK(world.cancel.reason() == CancelReason::user);
  for (const auto& task : ended.tasks) {
    CHECK(task.outcome == Outcome::cancelled);
    CHECK(task.attempts == 0);
  }
}

TEST_CASE("sessions that crash give their tickets and phones back, so that the others go on") {
  SupervisedWorld world;
  for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
  world.gate.limits.max_in_flight = 2;
  world.planner = std::make_shared<FaultyPlanner>();
  std::vector<Task> all;
  for (int i = 0; i < 100; ++i) all.push_back(ActorWorld::task("bad-" + std::to_string(i)));
  for (int i = 0; i < 8; ++i) all.push_back(ActorWorld::task("good-" + std::to_string(i)));
  world.start();
  world.run(std::move(all), no_retries);
  const auto& ended = world.finish(5min);
  for (const auto& task : ended.tasks) {
    const bool good = task.task.value.rfind("good", 0) == 0;
    CHECK(task.outcome == (good ? Outcome::verified_success : Outcome::error));
  }
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(world.statistics->sessions == 0);
}

TEST_CASE("a session that dies has its call cut off and its phone is free again") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  bool slow = true;
  world.model = [&](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    if (std::exchange(slow, false)) answer.after = 20s;
    return answer;
  };
  world.start();
  world.run(tasks(2), no_retries);
  REQUIRE(world.run_until([&] { return world.transports[0]->in_flight == 1; }));
  world.kill(ActorKind::session);
  CHECK(world.transports[0]->cut_off == 1);
  const auto& ended = world.finish(10s);
  CHECK(ended.tasks.at(0).outcome == Outcome::error);
  CHECK(ended.tasks.at(1).outcome == Outcome::verified_success);
  CHECK_FALSE(world.cancel.cancelled());
}

TEST_CASE("a session that dies while it acts leaves its attempt in doubt, which is not tried again by itself") {
  SupervisedWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.tap_time = 60s;
  world.start();
  world.run(tasks(1), {{RetryClass::infrastructure}, 2, 10});
  REQUIRE(world.run_until([&] { return phone.taps == 1; }));
  world.kill(ActorKind::session);
  const auto& ended = world.finish(3min);
  CHECK(ended.tasks.at(0).outcome == Outcome::in_doubt);
  CHECK(ended.tasks.at(0).attempts == 1);
}

TEST_CASE("a lease that is given back before its session took it frees the phone") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.start();
  std::vector<actors::PhonesGranted> granted;
  const actors::dispatcher_actor asker =
      spawn_double<actors::dispatcher_actor>(world.system, [&granted]() -> actors::dispatcher_actor::behavior_type {
        return {[](const actors::JournalAck&) {},
                [](const actors::RunBatch&) {},
                [&](const actors::PhonesGranted& grant) { granted.push_back(grant); },
                [](const actors::NoPhones&) {},
                [](const actors::PhoneDied&) {},
                [](const actors::SessionEnded&) {},
                [](const actors::StopBatch&) {},
                [](const actors::DispatcherTimer&) {}};
      });
  const auto want = [&](std::uint64_t number) {
    actors::WantPhones wish;
    wish.number = number;
    wish.roles = {"main"};
    wish.dispatcher = asker;
    caf::anon_send(world.fleet, wish);
  };
  want(1);
  world.advance(1s);
  REQUIRE(granted.size() == 1);
  want(2);
  world.advance(1s);
  CHECK(granted.size() == 1);
  caf::anon_send(granted[0].phones[0].device, actors::ReleaseLease{granted[0].phones[0].fence});
  world.advance(1s);
  REQUIRE(granted.size() == 2);
  CHECK(granted[1].phones[0].fence > granted[0].phones[0].fence);
  granted.clear();
}

TEST_CASE("steps, usage and time of a task are those of all its attempts") {
  SupervisedWorld world;
  world.add_phone("phone-1");
  world.add_phone("phone-2");
  world.phones[0]->lost_at_tap = 2;
  world.start();
  std::vector<Task> one = tasks(1);
  one[0].device = "";
  world.run(std::move(one), {{RetryClass::infrastructure, RetryClass::in_doubt}, 1, 10});
  const TimePoint began = world.time.now();
  const auto& ended = world.finish();
  REQUIRE(ended.tasks.at(0).attempts == 2);
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  std::uint32_t steps = 0;
  std::uint64_t tokens = 0;
  for (const auto& attempt : world.journal->of(storage::RecordKind::attempt)) {
    if (!attempt.contains("outcome")) continue;
    steps += attempt.at("steps").get<std::uint32_t>();
    tokens += attempt.at("usage").at("input_tokens").get<std::uint64_t>();
  }
  CHECK(ended.tasks.at(0).steps == steps);
  CHECK(steps == 5);
  CHECK(ended.tasks.at(0).usage.input_tokens == tokens);
  CHECK(ended.tasks.at(0).took <= world.time.now() - began);
  CHECK(ended.tasks.at(0).took > Duration{5s});
}

TEST_CASE("a task whose retry finds no phone keeps what its first attempt saw") {
  SupervisedWorld world;
  auto& phone = world.add_phone("phone-1");
  world.device_timeout = 10s;
  world.model = [&](const net::HttpRequest&) {
    phone.vanish();
    return tool_answer("finish_task", {{"success", false}, {"reason", "there is no such page"}});
  };
  world.start();
  world.run(tasks(1), {{RetryClass::agent}, 3, 10});
  const auto& ended = world.finish(5min);
  CHECK(ended.tasks.at(0).outcome == Outcome::failed);
  CHECK(ended.tasks.at(0).attempts == 1);
  CHECK(ended.tasks.at(0).reason.rfind("TaskFailedError: there is no such page", 0) == 0);
  CHECK(ended.exit_code == exit_code::agent);
}
