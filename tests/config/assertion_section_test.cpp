#include <catch2/catch.hpp>

#include "support/configuration_reading.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

Loaded with_assertion(const std::string& assertion, std::map<std::string, std::string> values = {}) {
  return read("tasks:\n  - id: a\n    goal: Look\n    assertions:\n      - " + assertion + "\n", std::move(values));
}

Assertion assertion_of(const std::string& text, std::map<std::string, std::string> values = {}) {
  const auto loaded = with_assertion(text, std::move(values));
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  return loaded.configuration.tasks.at(0).assertions.at(0);
}

}  // namespace

TEST_CASE("every kind of assertion is read") {
  CHECK(assertion_of("{visible: {text: Basket*}}").element.text == "Basket*");
  CHECK(assertion_of("{absent: {id: spinner}}").kind == AssertionKind::absent);
  const auto toggle = assertion_of("{toggle: {id: dark, on: false}, within_seconds: 0.5}");
  CHECK(toggle.kind == AssertionKind::toggle);
  CHECK_FALSE(toggle.on);
  CHECK(toggle.within == std::chrono::milliseconds{500});
  CHECK(assertion_of("{app: com.example.shop}").name == "com.example.shop");
  CHECK(assertion_of("{page: com.example.shop/cart}").kind == AssertionKind::page);
  CHECK(assertion_of("{visible: {text: x}}").within == std::chrono::seconds{3});
}

TEST_CASE("texts of assertions are texts whatever they look like") {
  CHECK(assertion_of("{visible: {text: 12}}").element.text == "12");
  CHECK(assertion_of("{visible: {text: on}}").element.text == "on");
  CHECK(assertion_of("{visible: {text: yes}}").element.text == "yes");
  CHECK(assertion_of("{visible: {text: 1.50}}").element.text == "1.50");
}

TEST_CASE("variables are replaced in assertions") {
  CHECK(assertion_of("{visible: {text: \"Hello ${WHO}\"}}", {{"WHO", "Ada"}}).element.text == "Hello Ada");
  CHECK(assertion_of("{app: \"com.${VENDOR}.shop\"}", {{"VENDOR", "acme"}}).name == "com.acme.shop");
  CHECK(has_problem(with_assertion("{visible: {text: \"${WHO}\"}}"), 5, "WHO is not set"));
}

TEST_CASE("a misspelt key of an assertion is refused with its line and the nearest name") {
  CHECK(has_problem(with_assertion("{toggle: {id: b, onn: false}}"), 5, "did you mean \"on\"?"));
  CHECK(has_problem(with_assertion("{visible: {text: x, txt: y}}"), 5, "did you mean \"text\"?"));
  CHECK(has_problem(with_assertion("{visible: {text: x, on: true}}"), 5, "unknown key \"on\""));
  CHECK(has_problem(with_assertion("{visible: {text: x}, withn_seconds: 4}"), 5, "did you mean \"within_seconds\"?"));
  const auto misspelt = with_assertion("{visble: {text: x}}");
  CHECK(misspelt.problems.size() == 1);
  CHECK(has_problem(misspelt, 5, "did you mean \"visible\"?"));
}

TEST_CASE("an assertion that says nothing, or more than one thing, is refused") {
  CHECK(has_problem(with_assertion("{}"), 5, "states none"));
  CHECK(has_problem(with_assertion("{within_seconds: 4}"), 5, "states none"));
  CHECK(has_problem(with_assertion("{visible: {text: x}, page: y}"), 5, "states more"));
  CHECK(has_problem(with_assertion("{visible: {}}"), 5, "looks for nothing"));
  CHECK(has_problem(with_assertion("{visible: {text: \"\"}}"), 5, "looks for nothing"));
  CHECK(has_problem(with_assertion("{toggle: {on: true}}"), 5, "looks for nothing"));
  CHECK(has_problem(with_assertion("{page: \"\"}"), 5, "must not be empty"));
  CHECK(has_problem(with_assertion("visible"), 5, "an object with keys"));
  CHECK(has_problem(with_assertion("{visible: x}"), 5, "an object with keys"));
  CHECK(has_problem(with_assertion("{visible: {text: [x]}}"), 5, "a text is expected"));
  CHECK(has_problem(with_assertion("{toggle: {id: b, on: maybe}}"), 5, "true or false"));
  CHECK(has_problem(with_assertion("{visible: {text: x}, within_seconds: 4000}"), 5, "0 to 3600"));
}
