#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "actors/actor_world.hpp"
#include "actors/test_double.hpp"

using namespace drover;
using namespace drover::test;
using actors::DeviceState;

namespace {

constexpr Duration second = std::chrono::seconds{1};

/// A phone whose driver keeps back the answers of some calls, or fails them.
class FaultyPhone : public PagedPhone {
 public:
  explicit FaultyPhone(Timers& timers) : PagedPhone("phone-1", timers), timers_(timers) {}

  void connect(Duration timeout, std::function<void(Status)> done) override {
    if (!withheld("connect", [done] { done(Done{}); })) PagedPhone::connect(timeout, std::move(done));
  }
  void reset(Duration timeout, std::function<void(Status)> done) override {
    if (withheld("reset", [done] { done(Done{}); })) return;
    if (const auto fails = failing.find("reset"); fails != failing.end()) {
      timers_.after(std::chrono::milliseconds{10}, [done, error = fails->second] { done(error); });
      return;
    }
    PagedPhone::reset(timeout, std::move(done));
  }
  void run(devices::Primitive primitive, Duration timeout,
           std::function<void(devices::PrimitiveResult)> done) override {
    const std::string name(devices::name_of(primitive));
    if (withheld(name, [done] { done(devices::PrimitiveReply{}); })) return;
    if (const auto fails = failing.find(name); fails != failing.end()) {
      log.push_back(name);
      timers_.after(std::chrono::milliseconds{10}, [done, error = fails->second] { done(error); });
      return;
    }
    PagedPhone::run(std::move(primitive), timeout, std::move(done));
  }

  /// Gone now, and to be reached again after `away`.
  void blip(Duration away) {
    vanish();
    timers_.after(away, [this] { gone = false; });
  }

  std::set<std::string> silent_at;
  std::map<std::string, Error> failing;
  std::vector<std::function<void()>> late;  ///< The answers that were kept back.

 private:
  bool withheld(const std::string& call, std::function<void()> answer) {
    if (silent_at.count(call) == 0) return false;
    log.push_back(call);
    late.push_back(std::move(answer));
    return true;
  }
  Timers& timers_;
};

/// Stands for a session at a device and keeps what it is told.
struct Holder {
  explicit Holder(caf::actor_system& system) {
    handle = spawn_double<actors::session_actor>(system, [this]() -> actors::session_actor::behavior_type {
      return {[](const actors::JournalAck&) {},
              [](const actors::Begin&) {},
              [](const actors::TicketGranted&) {},
              [](const actors::LineRefused&) {},
              [](const actors::ScreenStale&) {},
              [](const actors::CallEnded&) {},
              [this](const actors::Prepared& prepared) { preparations.push_back(prepared.status); },
              [this](const actors::Looked& looked) { looks.push_back(looked); },
              [this](const actors::Acted& acted) { acts.push_back(acted.result); },
              [this](const actors::DeviceGone& gone) { losses.push_back(gone.error); },
              [](const actors::CancelSession&) {},
              [](const actors::SessionTimer&) {}};
    });
  }
  actors::session_actor handle;
  std::vector<Status> preparations;
  std::vector<actors::Looked> looks;
  std::vector<devices::ActResult> acts;
  std::vector<Error> losses;
};

/// One device actor, told what to do by the test; the fleet only listens.
struct DeviceAlone {
  explicit DeviceAlone(const std::function<void(DeviceAlone&)>& before = {})
      : holder(world.system), other(world.system) {
    parts.driver = phone;
    parts.timers = &world.time;
    parts.statistics = world.statistics;
    parts.fleet = spawn_double<actors::fleet_actor>(world.system, [this]() -> actors::fleet_actor::behavior_type {
      return {[](const actors::WantPhones&) {}, [](const actors::ForgetWant&) {},
              [this](const actors::PhoneReleased& release) { releases.push_back(release); },
              [this](const actors::DeviceReport& report) { reports.push_back(report); },
              [](const actors::FleetTimer&) {}};
    });
    if (before) before(*this);
    device = world.system.spawn(actors::device, parts);
    world.advance(std::chrono::milliseconds{50});
  }
  ~DeviceAlone() {
    caf::anon_send_exit(device, caf::exit_reason::kill);
    world.drain();
  }

  template <class Order>
  void tell(Order order) {
    caf::anon_send(device, std::move(order));
    world.drain();
  }
  void lease(Fence fence) { tell(actors::LeasePhone{fence, holder.handle}); }
  void act(Fence fence, Action action, const Holder& sender) {
    auto order = std::make_shared<devices::Act>();
    order->intent = "run/a/1/main/1";
    order->fence = fence;
    order->step.action = std::move(action);
    order->decided_on = std::make_shared<Scene>();
    tell(actors::ActOn{std::move(order), sender.handle});
  }
  void act(Fence fence, Action action) { act(fence, std::move(action), holder); }
  [[nodiscard]] auto count(const std::string& call) const {
    return std::count(phone->log.begin(), phone->log.end(), call);
  }

  ActorWorld world;
  std::shared_ptr<FaultyPhone> phone = std::make_shared<FaultyPhone>(world.time);
  Holder holder;
  Holder other;
  std::vector<actors::PhoneReleased> releases;
  std::vector<actors::DeviceReport> reports;
  devices::ImageWorkers images{0, 1 << 20};  // keeps pictures for ever
  actors::DeviceParts parts;
  actors::device_actor device;
};

Action tap() { return Tap{Target{std::nullopt, Point{100, 250}}}; }
Action type_into_field() { return InputText{Target{std::nullopt, Point{100, 250}}, "hello", false}; }

}  // namespace

// ---- the phone blips between two primitives -------------------------------

TEST_CASE("a wait during which the phone blips ends as failed: nothing was sent") {
  DeviceAlone alone;
  alone.lease(1);
  alone.act(1, Wait{5 * second});
  alone.phone->blip(second);
  alone.world.advance(10 * second);
  REQUIRE(alone.holder.acts.size() == 1);
  CHECK(alone.holder.acts[0].status == ActStatus::failed);
}

TEST_CASE("typing that is cut by a blip after the tap on the field ends in doubt") {
  DeviceAlone alone;
  alone.lease(1);
  alone.act(1, type_into_field());
  alone.world.advance(std::chrono::milliseconds{100});
  REQUIRE(alone.phone->taps == 1);
  alone.phone->blip(second);
  alone.world.advance(10 * second);
  REQUIRE(alone.holder.acts.size() == 1);
  CHECK(alone.holder.acts[0].status == ActStatus::in_doubt);
  CHECK(alone.count("type_text") == 0);
  CHECK(alone.holder.losses.empty());
}

TEST_CASE("a look whose phone blips while its picture is made ready comes without the picture") {
  DeviceAlone alone([](DeviceAlone& each) { each.parts.images = &each.images; });
  alone.lease(1);
  alone.tell(actors::LookAt{1, 4, true});
  alone.world.advance(second);
  CHECK(alone.holder.looks.empty());
  alone.phone->blip(second);
  alone.world.drain();
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].operation == 4);
  REQUIRE(alone.holder.looks[0].look.ok());
  CHECK_FALSE((*alone.holder.looks[0].look)->screenshot);
}

TEST_CASE("a picture that is never made ready does not keep its look") {
  DeviceAlone alone([](DeviceAlone& each) { each.parts.images = &each.images; });
  alone.lease(1);
  alone.tell(actors::LookAt{1, 4, true});
  alone.world.advance(15 * second);
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].look.ok());
}

TEST_CASE("a look during which the phone blips is made when it is back") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->blip(second);
  alone.tell(actors::LookAt{1, 1, false});
  alone.world.advance(10 * second);
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].look.ok());
}

TEST_CASE("a phone that blips while it is prepared is not reset when no reset was wanted") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"launch"};
  alone.tell(actors::PreparePhone{1, false, "com.pages"});
  alone.phone->silent_at.clear();
  alone.phone->failing["launch"] = {Errc::device_unavailable, "not now", ""};
  alone.phone->late.front()();  // it was not there, and is tried again after a pause
  alone.world.drain();
  alone.phone->failing.clear();
  alone.phone->blip(second);
  alone.world.advance(10 * second);
  REQUIRE(alone.holder.preparations.size() == 1);
  CHECK(alone.holder.preparations[0].ok());
  CHECK(alone.phone->resets == 0);
}

// ---- phones that can't be worked with -------------------------------------

TEST_CASE("a connected phone that can't be read is quarantined, and is free again when the quarantine ends") {
  DeviceAlone alone([](DeviceAlone& each) { each.parts.options.health.faults_to_quarantine = 2; });
  alone.phone->failing_dumps = 1000;
  for (Fence fence = 1; fence <= 2; ++fence) {
    alone.lease(fence);
    alone.tell(actors::LookAt{fence, fence, false});
    alone.world.advance(30 * second);
    alone.tell(actors::ReleaseLease{fence});
  }
  REQUIRE(alone.releases.size() == 2);
  CHECK(alone.releases[0].ready);
  CHECK_FALSE(alone.releases[1].ready);
  CHECK(alone.reports.back().state == DeviceState::quarantined);
  CHECK(alone.reports.back().reason.find("could not be read") != std::string::npos);
  alone.tell(actors::LeasePhone{3, alone.other.handle});
  CHECK(alone.other.losses.size() == 1);
  alone.world.advance(std::chrono::minutes{5});
  CHECK(alone.reports.back().state == DeviceState::free);
}

TEST_CASE("acts that time out and resets that fail count towards a quarantine, an app that is missing does not") {
  DeviceAlone alone([](DeviceAlone& each) { each.parts.options.health.faults_to_quarantine = 2; });
  alone.lease(1);
  alone.phone->failing["launch"] = {Errc::action_failed, "no such app", ""};
  for (int i = 0; i < 5; ++i) {
    alone.act(1, LaunchApp{"com.missing"});
    alone.world.advance(second);
  }
  alone.tell(actors::ReleaseLease{1});
  CHECK(alone.releases.back().ready);
  alone.phone->failing["tap_at"] = {Errc::timeout, "no answer to the tap", ""};
  alone.phone->failing["reset"] = {Errc::timeout, "no answer to the reset", ""};
  alone.lease(2);
  alone.tell(actors::PreparePhone{2, true, ""});
  alone.world.advance(second);
  REQUIRE(alone.holder.preparations.size() == 1);
  CHECK(alone.holder.preparations[0].error().code == Errc::timeout);
  alone.act(2, tap());
  alone.world.advance(second);
  alone.tell(actors::ReleaseLease{2});
  CHECK_FALSE(alone.releases.back().ready);
  CHECK(alone.reports.back().state == DeviceState::quarantined);
}

TEST_CASE("a phone that starts again for longer than a session waits is free as soon as it is back") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->vanish();
  alone.world.advance(40 * second);
  CHECK(alone.holder.losses.size() == 1);
  CHECK(alone.reports.back().state != DeviceState::quarantined);
  alone.phone->gone = false;
  alone.world.advance(61 * second);
  CHECK(alone.reports.back().state == DeviceState::free);
}

// ---- drivers that never answer --------------------------------------------

TEST_CASE("a driver that never answers connect is asked again, and a late answer changes nothing") {
  DeviceAlone alone([](DeviceAlone& each) { each.phone->silent_at = {"connect"}; });
  CHECK(alone.reports.back().state == DeviceState::connecting);
  alone.world.advance(22 * second);
  CHECK(std::any_of(alone.reports.begin(), alone.reports.end(),
                    [](const auto& report) { return report.state == DeviceState::offline; }));
  alone.phone->late.front()();
  alone.world.drain();
  CHECK(alone.reports.back().state != DeviceState::free);
  alone.phone->silent_at.clear();
  alone.world.advance(std::chrono::minutes{2});
  CHECK(alone.reports.back().state == DeviceState::free);
}

TEST_CASE("a driver that never answers a look is a lost phone for its session, and is connected to anew") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"dump_tree"};
  alone.tell(actors::LookAt{1, 1, false});
  alone.world.advance(33 * second);
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].look.error().code == Errc::device_lost);
  CHECK(alone.count("connect") >= 2);
  alone.phone->silent_at.clear();
  alone.phone->late.front()();
  alone.world.advance(second);
  alone.tell(actors::LookAt{1, 2, false});
  alone.world.advance(second);
  REQUIRE(alone.holder.looks.size() == 2);
  CHECK(alone.holder.looks[1].look.ok());
}

TEST_CASE("a driver that never answers a tap leaves it in doubt") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"tap_at"};
  alone.act(1, tap());
  alone.world.advance(23 * second);
  REQUIRE(alone.holder.acts.size() == 1);
  CHECK(alone.holder.acts[0].status == ActStatus::in_doubt);
  CHECK(alone.holder.acts[0].error->code == Errc::timeout);
}

TEST_CASE("a driver that never answers a reset ends the preparation") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"reset"};
  alone.tell(actors::PreparePhone{1, true, ""});
  alone.world.advance(63 * second);
  REQUIRE(alone.holder.preparations.size() == 1);
  CHECK(alone.holder.preparations[0].error().code == Errc::device_lost);
}

TEST_CASE("a phone whose session ended while its driver hangs comes free of it") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"tap_at"};
  alone.act(1, tap());
  alone.tell(actors::ReleaseLease{1});
  CHECK(alone.releases.empty());
  alone.world.advance(30 * second);
  REQUIRE(alone.releases.size() == 1);
  CHECK_FALSE(alone.releases[0].ready);
  CHECK(alone.reports.back().state == DeviceState::free);
}

TEST_CASE("a lease ends after the grace also when connecting hangs") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"connect"};
  alone.phone->vanish();
  alone.world.advance(13 * second);
  REQUIRE(alone.holder.losses.size() == 1);
  CHECK(alone.holder.losses[0].code == Errc::device_lost);
  REQUIRE(alone.releases.size() == 1);
  CHECK_FALSE(alone.releases[0].ready);
}

// ---- more than one at a time, and old fences ------------------------------

TEST_CASE("a second session that orders while the phone is leased is refused, and the first one's look goes on") {
  DeviceAlone alone;
  alone.lease(2);
  alone.tell(actors::LookAt{2, 1, false});
  alone.tell(actors::LookAt{1, 7, false});
  alone.tell(actors::PreparePhone{1, true, ""});
  alone.act(1, tap(), alone.other);
  alone.world.advance(second);
  REQUIRE(alone.other.acts.size() == 1);
  CHECK(alone.other.acts[0].error->code == Errc::stale_fence);
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].operation == 1);
  CHECK(alone.phone->resets == 0);
  CHECK(alone.phone->taps == 0);
}

TEST_CASE("an order that comes while another is carried out is refused") {
  DeviceAlone alone;
  alone.lease(1);
  alone.act(1, tap());
  alone.tell(actors::LookAt{1, 1, false});
  alone.act(1, tap());
  alone.world.advance(second);
  REQUIRE(alone.holder.looks.size() == 1);
  CHECK(alone.holder.looks[0].look.error().code == Errc::conflict);
  REQUIRE(alone.holder.acts.size() == 2);
  CHECK(alone.holder.acts[0].status == ActStatus::refused);
  CHECK(alone.holder.acts[1].status == ActStatus::done);
  CHECK(alone.phone->taps == 1);
}

TEST_CASE("an act hands out no further primitive when its lease ends between two") {
  DeviceAlone alone;
  alone.lease(1);
  alone.act(1, type_into_field());
  alone.world.advance(std::chrono::milliseconds{100});
  alone.tell(actors::ReleaseLease{1});
  alone.tell(actors::LeasePhone{2, alone.other.handle});
  alone.world.advance(5 * second);
  CHECK(alone.phone->taps == 1);
  CHECK(alone.count("type_text") == 0);
  CHECK(alone.other.acts.empty());
}

TEST_CASE("a result that comes after its lease has ended goes to nobody") {
  DeviceAlone alone;
  alone.lease(1);
  alone.phone->silent_at = {"tap_at"};
  alone.act(1, tap());
  alone.tell(actors::ReleaseLease{1});
  alone.world.advance(30 * second);
  alone.phone->silent_at.clear();
  alone.tell(actors::LeasePhone{2, alone.other.handle});
  alone.act(2, Wait{5 * second}, alone.other);
  alone.phone->late.front()();
  alone.world.advance(second);
  CHECK(alone.other.acts.empty());
  alone.world.advance(5 * second);
  REQUIRE(alone.other.acts.size() == 1);
  CHECK(alone.other.acts[0].status == ActStatus::done);
  CHECK(alone.holder.acts.empty());
}
