#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"
#include "actors/test_double.hpp"

using namespace drover;
using namespace drover::test;

TEST_CASE("a phone that is lost in the middle costs its own attempt only, and the task is done elsewhere") {
  ActorWorld world;
  auto& first = world.add_phone("phone-1");
  auto& second = world.add_phone("phone-2");
  first.lost_at_tap = 1;
  world.start();
  RetryRules retries;
  retries.classes = {RetryClass::infrastructure, RetryClass::in_doubt};
  world.run({ActorWorld::task("a")}, retries, 1);
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(ended.tasks.at(0).attempts == 2);
  CHECK(ended.tasks.at(0).flaky);
  CHECK(second.taps == 2);
}

TEST_CASE("an act that was sent to a phone that went away is in doubt") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.lost_at_tap = 1;
  world.start();
  world.run({ActorWorld::task("a")}, RetryRules{{}, 0, 0});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::in_doubt);
  CHECK(ended.exit_code == exit_code::in_doubt);
  const auto outcomes = world.journal->of(storage::RecordKind::outcome);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].at("status") == "in_doubt");
}

TEST_CASE("a phone that is away for a moment keeps its task") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.start();
  world.run({ActorWorld::task("a")});
  world.run_until([&] { return phone.dumps == 1; });
  phone.vanish();
  world.time.after(std::chrono::seconds{2}, [&] { phone.gone = false; });
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(ended.tasks.at(0).attempts == 1);
}

TEST_CASE("a device actor that fails is a typed outcome of its attempt, and the phone comes back to work") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.model = [&](const net::HttpRequest& request) {
    phone.throws = true;
    return tap_until(request, 3);
  };
  world.start();
  world.run({ActorWorld::task("a")}, RetryRules{{}, 0, 0});
  const auto& ended = world.finish();
  // It failed while it acted: nobody can say whether the tap was sent.
  CHECK(ended.tasks.at(0).verdict == Verdict::in_doubt);
  phone.throws = false;
  CHECK(world.run_until(
      [&] { return world.statistics->phones[static_cast<std::size_t>(actors::DeviceState::free)] == 1; }));
}

TEST_CASE("a device actor that fails while it looks is a lost phone for its attempt") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.start();
  phone.throws = true;
  world.run({ActorWorld::task("a")}, RetryRules{{}, 0, 0});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::device_lost);
}

TEST_CASE("with no phone at all a task is told so after the device timeout, and the exit code is 18") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.gone = true;
  world.start();
  world.run({ActorWorld::task("a")});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::device_lost);
  CHECK(ended.exit_code == exit_code::no_device);
}

TEST_CASE("a task that names a phone that is not there is refused with the name") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.start();
  Task task = ActorWorld::task("a");
  task.device = "phone-9";
  world.run({task});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).reason.find("phone-9") != std::string::npos);
  CHECK(ended.tasks.at(0).verdict == Verdict::error);
}

TEST_CASE("a sick phone is not asked without a pause") {
  ActorWorld world;
  auto& sick = world.add_phone("phone-1");
  sick.gone = true;
  world.start();
  world.run_until([] { return false; }, std::chrono::minutes{10});
  const auto tries = std::count(sick.log.begin(), sick.log.end(), "connect");
  CHECK(tries >= 3);
  CHECK(tries < 60);
}

TEST_CASE("two phones of one task are taken all or none") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.add_phone("phone-2");
  world.start();
  Task pair = ActorWorld::task("pair");
  pair.roles = {"a", "b"};
  world.run({pair, ActorWorld::task("single")});
  const auto& ended = world.finish();
  for (const auto& task : ended.tasks) CHECK(task.outcome == Outcome::verified_success);
  const auto attempts = world.journal->of(storage::RecordKind::attempt);
  CHECK(attempts.at(0).at("participants").size() == 2);
}

TEST_CASE("a task that needs more phones than there are is refused at once") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.start();
  Task pair = ActorWorld::task("pair");
  pair.roles = {"a", "b"};
  world.run({pair});
  CHECK(world.finish(std::chrono::seconds{5}).tasks.at(0).verdict == Verdict::error);
}

namespace {

/// Stands for a session at a device.
struct Holder {
  explicit Holder(ActorWorld& world) {
    handle = spawn_double<actors::session_actor>(world.system, [this]() -> actors::session_actor::behavior_type {
      return {[](const actors::JournalAck&) {},
              [](const actors::Begin&) {},
              [](const actors::TicketGranted&) {},
              [](const actors::LineRefused&) {},
              [](const actors::ScreenStale&) {},
              [](const actors::CallEnded&) {},
              [](const actors::Prepared&) {},
              [](const actors::Looked&) {},
              [this](const actors::Acted& acted) { results.push_back(acted.result); },
              [this](const actors::DeviceGone&) { ++gone; },
              [](const actors::CancelSession&) {},
              [](const actors::SessionTimer&) {}};
    });
  }
  actors::session_actor handle;
  std::vector<devices::ActResult> results;
  int gone = 0;
};

std::shared_ptr<const devices::Act> tap_act(Fence fence) {
  auto act = std::make_shared<devices::Act>();
  act->intent = "run/a/1/main/1";
  act->fence = fence;
  act->step.action = Tap{Target{std::nullopt, Point{100, 250}}};
  act->decided_on = std::make_shared<Scene>();
  return act;
}

struct DeviceAlone {
  DeviceAlone() {
    phone = std::make_shared<PagedPhone>("phone-1", world.time);
    world.start();
    actors::DeviceParts parts;
    parts.driver = phone;
    parts.timers = &world.time;
    parts.statistics = world.statistics;
    parts.fleet = world.fleet;
    device = world.system.spawn(actors::device, std::move(parts));
    world.advance(std::chrono::milliseconds{50});
  }
  ~DeviceAlone() {
    caf::anon_send_exit(device, caf::exit_reason::kill);
    world.drain();
  }
  ActorWorld world;
  std::shared_ptr<PagedPhone> phone;
  actors::device_actor device;
};

}  // namespace

TEST_CASE("an act with an old fence is refused") {
  DeviceAlone alone;
  Holder now(alone.world);
  Holder late(alone.world);
  caf::anon_send(alone.device, actors::LeasePhone{8, now.handle});
  caf::anon_send(alone.device, actors::ActOn{tap_act(7), late.handle});
  alone.world.advance(std::chrono::seconds{1});
  REQUIRE(late.results.size() == 1);
  CHECK(late.results[0].status == ActStatus::refused);
  CHECK(late.results[0].error->code == Errc::stale_fence);
  CHECK(alone.phone->taps == 0);
  CHECK(alone.world.statistics->stale_orders_refused == 1);
}

TEST_CASE("a session that dies gives its phone back") {
  DeviceAlone alone;
  Holder first(alone.world);
  Holder second(alone.world);
  caf::anon_send(alone.device, actors::LeasePhone{1, first.handle});
  alone.world.drain();
  caf::anon_send_exit(first.handle, caf::exit_reason::kill);
  alone.world.drain();
  caf::anon_send(alone.device, actors::LeasePhone{2, second.handle});
  caf::anon_send(alone.device, actors::ActOn{tap_act(2), second.handle});
  alone.world.advance(std::chrono::seconds{1});
  REQUIRE(second.results.size() == 1);
  CHECK(second.results[0].status == ActStatus::done);
  CHECK(second.gone == 0);
}

TEST_CASE("a second holder is refused while the first has the phone") {
  DeviceAlone alone;
  Holder first(alone.world);
  Holder second(alone.world);
  caf::anon_send(alone.device, actors::LeasePhone{1, first.handle});
  caf::anon_send(alone.device, actors::LeasePhone{2, second.handle});
  alone.world.drain();
  CHECK(first.gone == 0);
  CHECK(second.gone == 1);
}

TEST_CASE("after a stop no further primitive is sent and the one under way is settled") {
  DeviceAlone alone;
  Holder holder(alone.world);
  caf::anon_send(alone.device, actors::LeasePhone{1, holder.handle});
  caf::anon_send(alone.device, actors::ActOn{tap_act(1), holder.handle});
  alone.world.drain();
  caf::anon_send(alone.device, actors::StopActing{1});
  alone.world.advance(std::chrono::seconds{1});
  REQUIRE(holder.results.size() == 1);
  CHECK(holder.results[0].status == ActStatus::done);
  CHECK(alone.phone->taps == 1);
}
