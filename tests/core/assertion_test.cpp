#include "core/assertion.hpp"

#include <catch2/catch.hpp>

#include "core/scenes.hpp"

using namespace drover;
using namespace std::chrono_literals;

namespace {

Assertion decoded(const char* text) {
  auto assertion = decode_assertion(Json::parse(text));
  if (!assertion) FAIL(assertion.error().describe());
  return *assertion;
}

AssertionResult look(const char* text, const Scene& scene = settings_scene()) { return evaluate(decoded(text), scene); }

bool finds(const char* pattern, const char* label) {
  Scene scene;
  scene.elements = {make_element(1, Role::text, label)};
  return !find_elements(scene, {pattern, ""}).empty();
}

}  // namespace

TEST_CASE("a text matches as a whole and without regard to case") {
  CHECK(finds("airplane MODE", "Airplane mode"));
  CHECK_FALSE(finds("Airplane", "Airplane mode"));
  CHECK(finds("ÜBER", "über"));
  CHECK(finds("привет", "ПРИВЕТ"));
  CHECK(finds("Two  words", "Two\u00A0words"));
}

TEST_CASE("a star stands for any run of characters") {
  CHECK(finds("Basket*", "Basket (2)"));
  CHECK(finds("Basket*", "Basket"));
  CHECK(finds("*total*19.90*", "Your Total: 19.90 EUR"));
  CHECK(finds("*", "anything"));
  CHECK(finds("a*b*c", "aXbXbXc"));
  CHECK_FALSE(finds("a*b*c", "aXbXcX"));
  CHECK_FALSE(finds("Basket*", "My Basket"));
  CHECK(finds("**x", "x"));
}

TEST_CASE("a label, a value and an id are looked at, and all parts must match") {
  Scene scene = settings_scene();
  scene.elements[0].value = "shoes";
  CHECK(find_elements(scene, {"SHOES", ""}).size() == 1);
  CHECK(find_elements(scene, {"", "search"}).size() == 1);
  CHECK(find_elements(scene, {"", "com.android.settings:id/search"}).size() == 1);
  CHECK(find_elements(scene, {"", "Search"}).empty());
  CHECK(find_elements(scene, {"shoes", "search"}).size() == 1);
  CHECK(find_elements(scene, {"boots", "search"}).empty());
  CHECK(find_elements(scene, {"", "switch_widget"}).size() == 2);
  CHECK(find_elements(scene, {"", ""}).empty());
}

TEST_CASE("visible and absent are each other's opposite and say what was there") {
  CHECK(look(R"({"visible":{"text":"wi-fi"}})").held);
  CHECK(look(R"({"visible":{"text":"wi-fi"}})").observed == "\"Wi-Fi\" is on the screen");
  const auto missing = look(R"({"visible":{"text":"Airplain mode"}})");
  CHECK_FALSE(missing.held);
  CHECK_THAT(missing.observed, Catch::Contains("com.android.settings/network"));
  CHECK_THAT(missing.observed, Catch::EndsWith("the nearest is \"Airplane mode\""));
  CHECK(look(R"({"absent":{"text":"Sign in"}})").held);
  CHECK_FALSE(look(R"({"absent":{"id":"add"}})").held);
}

TEST_CASE("a toggle is found by its own id and by the text of its row") {
  CHECK(look(R"({"toggle":{"text":"Wi-Fi","on":true}})").held);
  CHECK_FALSE(look(R"({"toggle":{"text":"Wi-Fi","on":false}})").held);
  CHECK(look(R"({"toggle":{"text":"Airplane mode","on":false}})").held);
  const auto off = look(R"({"toggle":{"text":"airplane mode"}})");
  CHECK_FALSE(off.held);
  CHECK(off.observed == "\"Airplane mode\" is off");
  CHECK(look(R"({"toggle":{"id":"switch_widget","on":false}})").held);
}

TEST_CASE("a match that is a switch goes before one that only stands beside it") {
  Scene scene;
  scene.elements = {make_element(1, Role::text, "Alarm", {0, 0, 100, 100}),
                    make_element(2, Role::toggle, "", {200, 0, 300, 100}),
                    make_element(3, Role::checkbox, "Alarm", {0, 500, 100, 600})};
  scene.elements[2].checked = true;
  CHECK(look(R"({"toggle":{"text":"Alarm","on":true}})", scene).held);
}

TEST_CASE("a toggle that is not there is not held, whatever state was wanted") {
  CHECK_FALSE(look(R"({"toggle":{"text":"Bluetooth","on":false}})").held);
  const auto no_switch = look(R"({"toggle":{"text":"Add network","on":false}})");
  CHECK_FALSE(no_switch.held);
  CHECK_THAT(no_switch.observed, Catch::Contains("no switch"));
}

TEST_CASE("what is folded into an element is matched by text and by id") {
  Scene scene = settings_scene();
  scene.elements[4].label = "Wi-Fi, Connected";
  scene.elements[4].folded.add("Wi-Fi", "android:id/title", {0, 400, 800, 500});
  scene.elements[4].folded.add("Connected", "android:id/summary", {0, 500, 800, 600});
  scene.elements[4].folded.add("", "com.a:id/box", {0, 400, 800, 600});
  CHECK(find_elements(scene, {"wi-fi", ""}).size() == 1);
  CHECK(find_elements(scene, {"Connect*", "summary"}).size() == 1);
  CHECK(find_elements(scene, {"Wi-Fi", "summary"}).empty());
  CHECK(find_elements(scene, {"Wi-Fi", "box"}).empty());
  CHECK(find_elements(scene, {"", "android:id/title"}).size() == 1);
  CHECK(find_elements(scene, {"*", "box"}).empty());
  CHECK_FALSE(look(R"({"absent":{"text":"Wi-Fi"}})", scene).held);
  CHECK(look(R"({"absent":{"text":"Wi-Fi"}})", scene).observed == "\"Wi-Fi\" is on the screen");
  CHECK_FALSE(look(R"({"absent":{"id":"box"}})", scene).held);
  CHECK(look(R"({"absent":{"id":"box"}})", scene).observed == "#box is on the screen");
  for (const char* toggle : {R"({"toggle":{"text":"Wi-Fi"}})", R"({"toggle":{"id":"summary"}})"}) {
    CHECK(look(toggle, scene).held);
  }
  CHECK(look(R"({"toggle":{"text":"Connected","on":false}})", scene).observed == "\"Connected\" is on");
}

TEST_CASE("a part of a list means the switch at its own height and none elsewhere") {
  Scene scene = settings_scene();
  scene.elements[1].folded.add("Data saver", "", {0, 1000, 800, 1200});
  scene.elements[1].folded.add("Network", "", {0, 400, 800, 600});
  CHECK_THAT(look(R"({"toggle":{"text":"Data saver"}})", scene).observed, Catch::Contains("no switch"));
  CHECK(look(R"({"toggle":{"text":"Network"}})", scene).held);
}

TEST_CASE("what is offered instead may be a line of a row or a label that contains the text") {
  Scene scene = settings_scene();
  scene.elements[4].label = "Wi-Fi, Connected to Home";
  scene.elements[4].folded.add("Connected to Home", "", {});
  CHECK_THAT(look(R"({"visible":{"text":"Conected to home"}})", scene).observed,
             Catch::EndsWith("; the nearest is \"Connected to Home\""));
  CHECK_THAT(look(R"({"visible":{"text":"wi-fi"}})", scene).observed,
             Catch::EndsWith("; the nearest is \"Wi-Fi, Connected to Home\""));
  CHECK_THAT(look(R"({"toggle":{"text":"*plane"}})", settings_scene()).observed,
             Catch::EndsWith("; the nearest is \"Airplane mode\""));
  CHECK_THAT(look(R"({"visible":{"text":"Sign in"}})", scene).observed, Catch::EndsWith("matches \"Sign in\""));
  CHECK_THAT(look(R"({"visible":{"id":"none"}})", scene).observed, Catch::EndsWith("matches #none"));
}

TEST_CASE("app and page are compared as a whole") {
  CHECK(look(R"({"app":"com.android.settings"})").held);
  CHECK_FALSE(look(R"({"app":"com.android"})").held);
  CHECK(look(R"({"app":"com.shop"})").observed == "com.android.settings is in front");
  CHECK(look(R"({"page":"com.android.settings/network"})").held);
  CHECK_FALSE(look(R"({"page":"com.android.settings"})").held);
}

TEST_CASE("assertions are read back as they were written") {
  for (const auto* text :
       {R"({"visible":{"text":"Basket*"},"within_seconds":3.0})", R"({"absent":{"id":"x"},"within_seconds":0.0})",
        R"({"toggle":{"id":"a","on":false,"text":"b"},"within_seconds":1.5})",
        R"({"app":"com.shop","within_seconds":3.0})", R"({"page":"com.shop/cart","within_seconds":3.0})"}) {
    CHECK(encode(decoded(text)) == Json::parse(text));
    CHECK(decoded(encode(decoded(text)).dump().c_str()) == decoded(text));
  }
  CHECK(decoded(R"({"page":"x"})").within == 3s);
  CHECK(decoded(R"({"toggle":{"text":"x"}})").on);
}

TEST_CASE("assertions that can't be taken are refused with what to do") {
  const std::pair<const char*, const char*> cases[] = {
      {"[]", "no object"},
      {"{}", "exactly one of"},
      {R"({"visible":{"text":"a"},"page":"b"})", "more than one"},
      {R"({"visible":{}})", "looks for nothing"},
      {R"({"visible":"a"})", "looks for nothing"},
      {R"({"visible":{"text":""}})", "looks for nothing"},
      {R"({"app":""})", "names nothing"},
      {R"({"page":7})", "names nothing"},
      {R"({"toggle":{"text":"a","on":"yes"}})", "neither true nor false"},
      {R"({"page":"a","within_seconds":-1})", "within_seconds"},
      {R"({"page":"a","within_seconds":"soon"})", "within_seconds"},
      {R"({"sounds":{"text":"a"}})", "names no kind"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    auto assertion = decode_assertion(Json::parse(text));
    REQUIRE_FALSE(assertion.ok());
    CHECK(assertion.error().code == Errc::invalid_configuration);
    CHECK_THAT(assertion.error().describe(), Catch::Contains(expected));
  }
}

TEST_CASE("an assertion of a newer version in a record never holds and is written back") {
  const Json newer = Json::parse(R"({"sounds":{"text":"beep"},"within_seconds":3})");
  const Assertion assertion = decode_recorded_assertion(newer);
  CHECK(assertion.kind == AssertionKind::unknown);
  CHECK_FALSE(evaluate(assertion, settings_scene()).held);
  CHECK(encode(assertion) == newer);
}

TEST_CASE("results are read back as they were written") {
  const AssertionResult result = look(R"({"toggle":{"text":"Airplane mode"}})");
  auto read = decode_assertion_result(encode(result));
  REQUIRE(read.ok());
  CHECK(*read == result);
  CHECK_FALSE(decode_assertion_result(Json(3)).ok());
}

TEST_CASE("an assertion is described in one line") {
  CHECK(describe(decoded(R"({"toggle":{"text":"Airplane mode"}})")) == "\"Airplane mode\" is on");
  CHECK(describe(decoded(R"({"absent":{"text":"Sign in"}})")) == "no element matches \"Sign in\"");
  CHECK(describe(decoded(R"({"visible":{"id":"cart"}})")) == "#cart is on the screen");
  CHECK(describe(decoded(R"({"app":"com.shop"})")) == "com.shop is in front");
}
