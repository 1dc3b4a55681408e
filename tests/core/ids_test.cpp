#include "core/ids.hpp"

#include <catch2/catch.hpp>
#include <type_traits>
#include <unordered_set>

using namespace drover;

TEST_CASE("ids of different kinds are different types") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<TaskId, RunId>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::string, RunId>);
  CHECK(RunId().empty());
  CHECK(RunId("a") != RunId("b"));
  CHECK(RunId("20261130-141502-3f9a") < RunId("20261130-141503-0000"));
}

TEST_CASE("ids are keys of hash tables") {
  std::unordered_set<DeviceId> devices = {DeviceId("phone-1"), DeviceId("phone-2"), DeviceId("phone-1")};
  CHECK(devices.size() == 2);
}

TEST_CASE("step keys are ordered by run, task, attempt, role and step") {
  const StepKey key{RunId("r"), TaskId("t"), 1, "main", 2};
  StepKey later = key;
  later.step = 10;
  CHECK(key < later);
  StepKey second_attempt = key;
  second_attempt.attempt = 2;
  second_attempt.step = 0;
  CHECK(later < second_attempt);
  CHECK(StepKey{}.role == "main");
}
