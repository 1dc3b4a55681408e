#include "core/task.hpp"

#include <catch2/catch.hpp>

using namespace drover;
using namespace std::chrono_literals;

namespace {

Task full_task() {
  Task task;
  task.id = TaskId("airplane");
  task.goal = "Cut the phone off from every network";
  task.app = "com.android.settings";
  task.tags = {"smoke", "settings"};
  Assertion assertion;
  assertion.kind = AssertionKind::toggle;
  assertion.element.text = "Airplane mode";
  task.assertions = {assertion};
  task.limits = {12, 90s};
  task.device = "phone-03";
  task.roles = {"caller", "callee"};
  task.priority = 3;
  return task;
}

}  // namespace

TEST_CASE("a task is read back as it was written") {
  auto read = decode_task(encode(full_task()));
  REQUIRE(read.ok());
  CHECK(*read == full_task());
  Task small;
  small.id = TaskId("x");
  small.goal = "Do it";
  auto small_read = decode_task(encode(small));
  REQUIRE(small_read.ok());
  CHECK(*small_read == small);
}

TEST_CASE("what a task leaves out gets its default") {
  auto task = decode_task(Json::parse(R"({"id":"x","goal":"Do it"})"));
  REQUIRE(task.ok());
  CHECK(task->roles == std::vector<std::string>{"main"});
  CHECK(task->limits == TaskLimits{});
  CHECK(task->priority == 1);
}

TEST_CASE("a task that can't be run is refused with its name and the fault") {
  const std::pair<const char*, const char*> cases[] = {
      {"7", "no object"},
      {R"({"goal":"g"})", "no \"id\""},
      {R"({"id":"x"})", "\"goal\""},
      {R"({"id":"x","goal":"g","limits":{"max_steps":0}})", "max_steps"},
      {R"({"id":"x","goal":"g","limits":{"max_steps":2.5}})", "max_steps"},
      {R"({"id":"x","goal":"g","limits":{"timeout_seconds":0}})", "timeout_seconds"},
      {R"({"id":"x","goal":"g","priority":0})", "priority"},
      {R"({"id":"x","goal":"g","roles":["caller","callee","caller"]})", "task \"x\": the role \"caller\""},
      {R"({"id":"x","goal":"g","assertions":{}})", "no list"},
      {R"({"id":"x","goal":"g","assertions":[{"visible":{}}]})", "task \"x\": assertion \"visible\""},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    auto task = decode_task(Json::parse(text));
    REQUIRE_FALSE(task.ok());
    CHECK(task.error().code == Errc::invalid_configuration);
    CHECK_THAT(task.error().cause, Catch::Contains(expected));
  }
}

TEST_CASE("a recorded task is read whatever it lacks", "[W6]") {
  CHECK(decode_recorded_task(Json()).goal.empty());
  const Task task = decode_recorded_task(Json::parse(R"({"id":"x","limits":{"max_steps":"many"},"priority":null})"));
  CHECK(task.limits.max_steps == 30);
  CHECK(task.priority == 1);
}

TEST_CASE("fields of a task that this version does not know are told, also inside its limits") {
  Json unknown;
  decode_recorded_task(Json::parse(R"({"id":"x","mood":"calm","limits":{"max_steps":3,"max_tokens":9}})"), unknown);
  CHECK(unknown == Json::parse(R"({"mood":"calm","limits":{"max_tokens":9}})"));
}
