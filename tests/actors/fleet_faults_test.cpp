#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <stdexcept>

#include "actors/actor_world.hpp"
#include "actors/test_double.hpp"

using namespace drover;
using namespace drover::test;
using actors::DeviceState;

namespace {

constexpr Duration second = std::chrono::seconds{1};

/// Time that can fail whoever asks for it.
class FailingTime : public Timers {
 public:
  explicit FailingTime(SimulatedTime& time) : time_(time) {}
  TimePoint now() const override {
    if (fails) throw std::runtime_error("no time");
    return time_.now();
  }
  UtcTime utc_now() const override { return time_.utc_now(); }
  TimerId after(Duration delay, std::function<void()> callback) override { return time_.after(delay, callback); }
  bool cancel(TimerId timer) override { return time_.cancel(timer); }
  bool fails = false;

 private:
  SimulatedTime& time_;
};

/// A fleet alone: its journal, its dispatcher and, where it has no drivers of its
/// own, its phones' words are the test's.
struct FleetAlone {
  explicit FleetAlone(int phones, std::uint32_t most_restarts = 3) : watcher(world.system) {
    dispatcher =
        spawn_double<actors::dispatcher_actor>(world.system, [this]() -> actors::dispatcher_actor::behavior_type {
          return {[](const actors::JournalAck&) {},
                  [](const actors::RunBatch&) {},
                  [this](const actors::PhonesGranted& granted) { grants[granted.number] = granted.phones; },
                  [this](const actors::NoPhones& refusal) { refusals.insert_or_assign(refusal.number, refusal.error); },
                  [](const actors::PhoneDied&) {},
                  [](const actors::SessionEnded&) {},
                  [](const actors::StopBatch&) {},
                  [](const actors::DispatcherTimer&) {}};
        });
    journal = spawn_double<actors::journal_actor>(
        world.system, [this](actors::journal_actor::pointer self) -> actors::journal_actor::behavior_type {
          return {[](actors::Append&) {}, [](const actors::WriteNow&) {}, [](const actors::ExtendLease&) {},
                  [this, self](const actors::ReserveFences& wish) -> caf::result<actors::FenceBlock> {
                    ++questions;
                    if (journal_silent) {
                      open.push_back(self->make_response_promise<actors::FenceBlock>());
                      return open.back();
                    }
                    if (journal_refuses) return actors::FenceBlock{0, 0};
                    const Fence first = next_fence;
                    const std::uint64_t count = fences_at_a_time.value_or(wish.count);
                    next_fence += count;
                    return actors::FenceBlock{first, count};
                  }};
        });
    for (int i = 1; i <= phones; ++i) {
      world.phones.push_back(std::make_shared<PagedPhone>("phone-" + std::to_string(i), world.time));
    }
    restarts = most_restarts;
  }
  ~FleetAlone() {
    open.clear();
    for (auto handle : {caf::actor_cast<caf::actor>(fleet), caf::actor_cast<caf::actor>(dispatcher),
                        caf::actor_cast<caf::actor>(journal)}) {
      if (handle) caf::anon_send_exit(handle, caf::exit_reason::kill);
    }
    world.drain();
  }

  void start(Duration settle = second) {
    actors::FleetParts parts;
    for (auto& phone : world.phones) parts.drivers.push_back(phone);
    parts.journal = journal;
    parts.timers = &time;
    parts.statistics = world.statistics;
    parts.live = world.live;
    parts.most_restarts = restarts;
    fleet = world.system.spawn(actors::fleet, std::move(parts));
    watcher->monitor(fleet);
    world.advance(settle);
  }
  void want(std::uint64_t number, const std::string& device = "", std::vector<std::string> roles = {"main"}) {
    actors::WantPhones wish;
    wish.number = number;
    wish.roles = std::move(roles);
    wish.device = device;
    wish.dispatcher = dispatcher;
    tell(std::move(wish));
  }
  template <class Order>
  void tell(Order order) {
    caf::anon_send(fleet, std::move(order));
    world.drain();
  }
  void report(const DeviceId& id, DeviceState state) { tell(actors::DeviceReport{id, state, ""}); }
  /// Lets time pass also on CAF's own clock, which measures the patience with the journal.
  void pass(Duration step) {
    world.scheduler.advance_time(std::chrono::duration_cast<caf::timespan>(step));
    world.advance(step);
  }
  /// How the fleet ended, if it has.
  std::optional<caf::error> end() {
    std::optional<caf::error> reason;
    watcher->receive([&](const caf::down_msg& down) { reason = down.reason; },
                     caf::after(std::chrono::seconds{0}) >> [] {});
    return reason;
  }

  ActorWorld world;
  FailingTime time{world.time};
  caf::scoped_actor watcher;
  actors::dispatcher_actor dispatcher;
  actors::journal_actor journal;
  actors::fleet_actor fleet;
  std::map<std::uint64_t, std::vector<actors::GrantedPhone>> grants;
  std::map<std::uint64_t, Error> refusals;
  std::vector<caf::typed_response_promise<actors::FenceBlock>> open;
  std::uint32_t restarts = 3;
  Fence next_fence = 1;
  std::optional<std::uint64_t> fences_at_a_time;
  int questions = 0;
  bool journal_silent = false;
  bool journal_refuses = false;
};

}  // namespace

// ---- phones that do not come ----------------------------------------------

TEST_CASE("a task for a phone that is away ends while another phone is there") {
  FleetAlone alone(2);
  alone.world.phones[0]->gone = true;
  alone.start();
  alone.want(1, "phone-1");
  alone.want(2);
  CHECK(alone.grants.count(2) == 1);
  alone.world.advance(61 * second);
  REQUIRE(alone.refusals.count(1) == 1);
  CHECK(alone.refusals.at(1).code == Errc::device_unavailable);
  CHECK(alone.refusals.at(1).cause.find("phone-1") != std::string::npos);
}

TEST_CASE("a task for two phones of which one stays away lets others pass and ends") {
  FleetAlone alone(2);
  alone.world.phones[1]->gone = true;
  alone.start();
  alone.want(1, "", {"a", "b"});
  alone.want(2);
  alone.world.advance(second);
  CHECK(alone.grants.count(2) == 1);
  alone.world.advance(61 * second);
  CHECK(alone.refusals.count(1) == 1);
}

TEST_CASE("a phone that blips between the grant and its lease is free again after the release") {
  FleetAlone alone(1);
  alone.start();
  const DeviceId id("phone-1");
  alone.want(1);
  REQUIRE(alone.grants.count(1) == 1);
  alone.report(id, DeviceState::offline);
  alone.report(id, DeviceState::connecting);
  alone.report(id, DeviceState::free);
  alone.want(2);
  CHECK(alone.grants.count(2) == 0);
  alone.tell(actors::PhoneReleased{id, alone.grants.at(1)[0].fence, true});
  CHECK(alone.grants.count(2) == 1);
}

TEST_CASE("a phone that is still away when its grant is given back is free when it returns") {
  FleetAlone alone(1);
  alone.start();
  const DeviceId id("phone-1");
  alone.want(1);
  alone.report(id, DeviceState::offline);
  alone.tell(actors::PhoneReleased{id, alone.grants.at(1)[0].fence, true});
  alone.want(2);
  CHECK(alone.grants.count(2) == 0);
  alone.report(id, DeviceState::free);
  CHECK(alone.grants.count(2) == 1);
}

// ---- the journal gives no fences ------------------------------------------

TEST_CASE("one slow answer of the journal does not end the giving of leases") {
  FleetAlone alone(1);
  alone.journal_silent = true;
  alone.start();
  alone.want(1);
  alone.journal_silent = false;
  alone.pass(11 * second);
  CHECK(alone.refusals.empty());
  CHECK(alone.questions == 2);
  CHECK(alone.grants.count(1) == 1);
}

TEST_CASE("fences in hand are given out while the journal is slow") {
  FleetAlone alone(2);
  alone.fences_at_a_time = actors::FenceStock::block / 4;
  alone.start();
  alone.journal_silent = true;
  alone.want(1);
  alone.pass(15 * second);
  alone.want(2);
  CHECK(alone.grants.count(1) == 1);
  CHECK(alone.grants.count(2) == 1);
  CHECK(alone.refusals.empty());
}

TEST_CASE("a journal that gives no fences at all is a storage error of the tasks that wait, until it gives some") {
  FleetAlone alone(1);
  alone.journal_refuses = true;
  alone.start();
  alone.want(1);
  alone.world.advance(30 * second);
  REQUIRE(alone.refusals.count(1) == 1);
  CHECK(alone.refusals.at(1).code == Errc::storage_failed);
  CHECK(alone.questions < 10);
  alone.journal_refuses = false;
  alone.world.advance(30 * second);
  alone.want(2);
  alone.world.advance(second);
  CHECK(alone.grants.count(2) == 1);
}

// ---- faults while wishes wait ---------------------------------------------

TEST_CASE("a device actor that fails while wishes wait is started again and serves them") {
  FleetAlone alone(1);
  alone.start();
  alone.want(1);
  alone.want(2);
  caf::anon_send_exit(alone.grants.at(1)[0].device, caf::exit_reason::user_shutdown);
  alone.world.advance(5 * second);
  REQUIRE(alone.grants.count(2) == 1);
  CHECK(alone.grants.at(2)[0].fence > alone.grants.at(1)[0].fence);
}

TEST_CASE("when the last device actor has failed for good the wishes that wait end") {
  FleetAlone alone(1, 0);
  alone.start();
  alone.want(1);
  alone.want(2);
  alone.want(3, "phone-1");
  caf::anon_send_exit(alone.grants.at(1)[0].device, caf::exit_reason::user_shutdown);
  alone.world.advance(second);
  REQUIRE(alone.refusals.size() == 2);
  CHECK(alone.refusals.at(2).code == Errc::device_unavailable);
  CHECK(alone.refusals.at(3).code == Errc::device_lost);
}

TEST_CASE("a fleet that is told to go while wishes wait refuses them, and its devices go with it") {
  FleetAlone alone(1);
  alone.start();
  alone.want(1);
  alone.want(2);
  const auto device = alone.grants.at(1)[0].device;
  alone.watcher->monitor(device);
  caf::anon_send_exit(alone.fleet, caf::exit_reason::user_shutdown);
  alone.world.drain();
  REQUIRE(alone.refusals.count(2) == 1);
  CHECK(alone.refusals.at(2).code == Errc::cancelled);
  CHECK(alone.end());
  CHECK(alone.end());
}

TEST_CASE("an exception in the fleet is its end with an error, and its devices go with it") {
  FleetAlone alone(1);
  alone.start();
  alone.want(1);
  alone.want(2);
  const auto device = alone.grants.at(1)[0].device;
  alone.watcher->monitor(device);
  alone.time.fails = true;
  alone.report(DeviceId("phone-1"), DeviceState::offline);
  alone.time.fails = false;
  alone.world.drain();
  const auto first = alone.end();
  const auto second_end = alone.end();
  REQUIRE(first);
  REQUIRE(second_end);
  CHECK(*first == caf::sec::runtime_error);
}

TEST_CASE("a phone whose grant found nobody is free again when the wish is forgotten") {
  FleetAlone fleet(1);
  fleet.start();
  fleet.want(1);
  REQUIRE(fleet.grants.count(1) == 1);
  fleet.tell(actors::ForgetWant{1});
  fleet.want(2);
  REQUIRE(fleet.grants.count(2) == 1);
  // What the dispatcher sends after that is of an older lease.
  fleet.tell(actors::PhoneReleased{fleet.grants[1][0].id, fleet.grants[1][0].fence, true});
  fleet.want(3);
  CHECK(fleet.grants.count(3) == 0);
}
