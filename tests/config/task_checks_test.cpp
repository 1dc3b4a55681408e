#include <catch2/catch.hpp>

#include "support/configuration_reading.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

TEST_CASE("names and goals must not be empty") {
  CHECK(has_problem(read("tasks:\n  - {id: \"\", goal: Look}\n"), 2, "\"id\" must not be empty"));
  CHECK(has_problem(read("tasks:\n  - {id: a, goal: \"  \"}\n"), 2, "\"goal\" must not be empty"));
  CHECK(has_problem(read("providers:\n  - {name: \"\", kind: scripted}\n"), 2, "\"name\" must not be empty"));
  CHECK(has_problem(read("tasks:\n  - {id: \"${NAME}\", goal: Look}\n", {{"NAME", ""}}), 2, "must not be empty"));
  CHECK(has_problem(read("tasks:\n  - {id: " + std::string(300, 'a') + ", goal: Look}\n"), 2, "at most 200 bytes"));
  CHECK(has_problem(read("tasks:\n  - {id: \"a\\nb\", goal: Look}\n"), 2, "one line"));
  CHECK(has_problem(read("tasks:\n  - {id: a, goal: Look, roles: [main, \"\"]}\n"), 2, "must not be empty"));
  CHECK(has_problem(read("tasks:\n  - {id: a, goal: Look, roles: [main, main]}\n"), 2, "twice"));
}

TEST_CASE("a limit of time can't be nothing") {
  CHECK(has_problem(read("limits: {timeout: 0}\n"), 1, "a duration from 0.001s"));
  CHECK(has_problem(read("tasks:\n  - {id: a, goal: Look, timeout: 0s}\n"), 2, "a duration from 0.001s"));
  CHECK(has_problem(read("providers:\n  - {name: r, kind: scripted, timeout: 0ms}\n"), 2, "a duration from 0.001s"));
  CHECK(has_problem(read("planner: {max_observation_age: 0}\n"), 1, "a duration from 0.001s"));
  CHECK(read("providers:\n  - {name: r, kind: scripted, scripted: {latency: 0}}\n").problems.empty());
}

TEST_CASE("a task must ask for a phone that is there") {
  const auto pinned = [](const std::string& device, Overrides overrides = {}) {
    return read("phones: {simulated: 24}\ntasks:\n  - {id: a, goal: Look, device: " + device + "}\n", {}, overrides);
  };
  CHECK(has_problem(pinned("phone-25"), 3, "no phone \"phone-25\"; there are phone-01 to phone-24"));
  CHECK(has_problem(pinned("phone-00"), 3, "no phone"));
  CHECK(has_problem(pinned("pixel"), 3, "no phone"));
  CHECK(pinned("phone-24").configuration.tasks[0].device == "phone-24");
  CHECK(pinned("phone-7").configuration.tasks[0].device == "phone-07");
  CHECK(pinned("phone-07", {{{"--phones", "phones.simulated", "100"}}, ""}).configuration.tasks[0].device ==
        "phone-007");
  CHECK(pinned("phone-07", {{}, "phone-3"}).configuration.tasks[0].device == "phone-03");
  const auto wrong = pinned("phone-07", {{}, "phone-99"});
  REQUIRE(wrong.problems.size() == 1);
  CHECK(wrong.problems[0].file == "--device");
}

TEST_CASE("phones that are to be lost must be there") {
  const auto losing = [](const std::string& lost, Overrides overrides = {}) {
    return read("phones:\n  simulated: 4\n  faults:\n    lost: [" + lost + "]\n", {}, overrides);
  };
  CHECK(has_problem(losing("junk"), 4, "no phone and operation"));
  CHECK(has_problem(losing("phone-01@0"), 4, "no phone and operation"));
  CHECK(has_problem(losing("phone-5@3"), 4, "there is no phone \"phone-5\"; there are phone-01 to phone-04"));
  CHECK(losing("phone-1@3").configuration.phones.faults.lost == std::vector<std::string>{"phone-01@3"});
  const auto fewer = losing("\"phone-01@3\", \"phone-04@3\"", {{{"--phones", "phones.simulated", "2"}}, ""});
  CHECK(fewer.problems.empty());
  CHECK(fewer.configuration.phones.faults.lost == std::vector<std::string>{"phone-01@3"});
}

TEST_CASE("a class of retries that is not there is told with its line") {
  CHECK(has_problem(read("retries:\n  classes:\n    - infra\n    - agnet\n"), 4, "did you mean \"agent\"?"));
}

TEST_CASE("a task can't have more roles than there are phones") {
  const std::string text = "tasks:\n  - {id: a, goal: Look, roles: [left, middle, right]}\n";
  CHECK(has_problem(read("phones: {simulated: 2}\n" + text), 3, "needs 3 phones"));
  CHECK(read("phones: {simulated: 3}\n" + text).problems.empty());
}
