#include "devices/preparation.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "devices/health.hpp"

using namespace drover;
using namespace drover::devices;
using namespace std::chrono_literals;

namespace {

const TimePoint start{1h};

PrimitiveResult ok() { return PrimitiveReply{}; }

}  // namespace

TEST_CASE("a preparation resets the phone and then launches the app") {
  Preparation preparation(true, "com.shop");
  CHECK(std::holds_alternative<ResetPhone>(preparation.next(start)));
  const auto launch = preparation.on_result(ok(), start);
  REQUIRE(std::holds_alternative<RunPrimitive>(launch));
  CHECK(name_of(std::get<RunPrimitive>(launch).primitive) == "launch");
  const auto end = preparation.on_result(ok(), start);
  REQUIRE(std::holds_alternative<Status>(end));
  CHECK(std::get<Status>(end).ok());
}

TEST_CASE("a preparation without reset and app is done at once") {
  Preparation preparation(false, "");
  const auto end = preparation.next(start);
  REQUIRE(std::holds_alternative<Status>(end));
  CHECK(std::get<Status>(end).ok());
}

TEST_CASE("a reset that fails ends the preparation with its error") {
  Preparation preparation(true, "com.shop");
  preparation.next(start);
  const auto end = preparation.on_result(Error{Errc::timeout, "no answer", ""}, start);
  REQUIRE(std::holds_alternative<Status>(end));
  CHECK(std::get<Status>(end).error().code == Errc::timeout);
}

TEST_CASE("a launch that was never sent is tried again after a pause") {
  Preparation preparation(false, "com.shop");
  preparation.next(start);
  const auto pause = preparation.on_result(Error{Errc::device_unavailable, "not now", ""}, start);
  REQUIRE(std::holds_alternative<PauseFor>(pause));
  CHECK(std::holds_alternative<RunPrimitive>(preparation.next(start + 1s)));
}

TEST_CASE("an act that is broken off is in doubt only when something was sent") {
  const auto order = [](Action action) {
    Act act;
    act.step.action = std::move(action);
    act.decided_on = std::make_shared<Scene>();
    return act;
  };
  Executor tap(order(Tap{Target{std::nullopt, Point{1, 1}}}), start);
  tap.next(start);
  CHECK(tap.break_off({Errc::device_lost, "gone", ""}, start).status == ActStatus::in_doubt);
  Executor wait(order(Wait{5s}), start);
  wait.next(start);
  CHECK(wait.break_off({Errc::device_lost, "gone", ""}, start).status == ActStatus::failed);
  CHECK(wait.break_off({Errc::cancelled, "stopped", ""}, start + 2s).status == ActStatus::refused);
  CHECK(wait.break_off({Errc::cancelled, "stopped", ""}, start + 2s).took == 2s);
}

TEST_CASE("what the phone refuses does not speak against it, what it does not answer does") {
  CHECK(blames_phone(Errc::timeout));
  CHECK(blames_phone(Errc::observation_failed));
  CHECK(blames_phone(Errc::device_lost));
  CHECK_FALSE(blames_phone(Errc::action_failed));
  CHECK_FALSE(blames_phone(Errc::invalid_argument));
  CHECK_FALSE(blames_phone(Errc::cancelled));
}
