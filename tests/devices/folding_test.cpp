#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "core/assertion.hpp"
#include "core/scene_text.hpp"
#include "devices/dump_fixtures.hpp"

using namespace drover;
using namespace drover::devices;
using namespace drover::test;

namespace {

std::string node(std::string_view attributes, std::string_view children = "") {
  return "<node package=\"com.a\" " + std::string{attributes} + ">" + std::string{children} + "</node>";
}

std::string words(std::string_view text, std::string_view id, std::string_view bounds) {
  return node("class=\"android.widget.TextView\" text=\"" + std::string{text} + "\" resource-id=\"com.a:id/" +
              std::string{id} + "\" bounds=\"" + std::string{bounds} + "\"");
}

Scene screen(std::string_view children) {
  return scene_of(
      hierarchy(node(R"(class="android.widget.FrameLayout" resource-id="com.a:id/content" bounds="[0,0][1080,2400]")",
                     children)),
      {1080, 2400});
}

bool holds(const Scene& scene, const char* text) {
  auto assertion = decode_assertion(Json::parse(text));
  if (!assertion) FAIL(assertion.error().describe());
  return evaluate(*assertion, scene).held;
}

/// Whether it is visible and not absent; both must always agree.
bool shows(const Scene& scene, ElementQuery query) {
  Assertion assertion;
  assertion.element = std::move(query);
  const bool visible = evaluate(assertion, scene).held;
  assertion.kind = AssertionKind::absent;
  CHECK(visible != evaluate(assertion, scene).held);
  return visible;
}

const std::string bluetooth_row = node(
    R"(class="android.widget.LinearLayout" resource-id="com.a:id/row" clickable="true" bounds="[0,200][1080,400]")",
    node(R"(class="android.widget.RelativeLayout" resource-id="com.a:id/texts" bounds="[0,200][800,400]")",
         words("Bluetooth", "title", "[0,200][800,300]") +
             words("Visible to nearby devices", "sub", "[0,300][800,400]")) +
        node(R"(class="android.widget.Switch" resource-id="android:id/switch_widget" checkable="true" checked="true" )"
             R"(bounds="[900,250][1050,350]")"));

const std::string airplane_row = node(
    R"(class="android.widget.LinearLayout" resource-id="com.a:id/plane_row" clickable="true" bounds="[0,400][1080,600]")",
    words("Airplane mode", "title", "[0,400][800,600]") +
        node(R"(class="android.widget.Switch" checkable="true" bounds="[900,450][1050,550]")"));

}  // namespace

TEST_CASE("each line of a row and each id in it can be asserted, and none is absent") {
  const Scene scene = screen(bluetooth_row + airplane_row);
  REQUIRE(scene.elements.size() == 2);
  CHECK(scene.elements[0].label == "Bluetooth, Visible to nearby devices");
  for (const char* text : {"Bluetooth", "bluetooth", "Visible to nearby devices", "Visible*",
                           "Bluetooth, Visible to nearby devices", "Airplane mode"}) {
    CAPTURE(text);
    CHECK(shows(scene, {text, ""}));
  }
  for (const char* id : {"row", "title", "sub", "texts", "com.a:id/sub", "switch_widget", "android:id/switch_widget",
                         "content", "plane_row"}) {
    CAPTURE(id);
    CHECK(shows(scene, {"", id}));
  }
  CHECK_FALSE(shows(scene, {"Blue", ""}));
  CHECK_FALSE(shows(scene, {"", "su"}));
  CHECK_FALSE(shows(scene, {"Wi-Fi", ""}));
}

TEST_CASE("text and id together mean one line of a row, or the row and what is in it") {
  const Scene scene = screen(bluetooth_row + airplane_row);
  CHECK(shows(scene, {"Bluetooth", "title"}));
  CHECK(shows(scene, {"Visible to nearby devices", "sub"}));
  CHECK_FALSE(shows(scene, {"Bluetooth", "sub"}));
  CHECK(shows(scene, {"Visible to nearby devices", "row"}));
  CHECK_FALSE(shows(scene, {"Airplane mode", "row"}));
}

TEST_CASE("the toggle of a row is found by each of its lines and ids") {
  const Scene scene = screen(bluetooth_row + airplane_row);
  for (const char* query :
       {R"("text":"Bluetooth")", R"("text":"Visible to nearby devices")", R"("id":"sub")", R"("id":"texts")",
        R"("id":"switch_widget")", R"("text":"Bluetooth","id":"title")", R"("id":"row")"}) {
    CAPTURE(query);
    CHECK(holds(scene, (R"({"toggle":{"on":true,)" + std::string{query} + "}}").c_str()));
    CHECK_FALSE(holds(scene, (R"({"toggle":{"on":false,)" + std::string{query} + "}}").c_str()));
  }
  CHECK(holds(scene, R"({"toggle":{"text":"Airplane mode","on":false}})"));
  CHECK_FALSE(holds(scene, R"({"toggle":{"id":"content","on":true}})"));
  CHECK_FALSE(holds(scene, R"({"toggle":{"id":"content","on":false}})"));
}

TEST_CASE("a switch with an action of its own is the toggle of each line of its row") {
  const Scene scene = screen(node(
      R"(class="android.widget.LinearLayout" clickable="true" bounds="[0,200][1080,400]")",
      words("Hotspot", "title", "[0,200][800,300]") + words("Off", "sub", "[0,300][800,400]") +
          node(
              R"(class="android.widget.Switch" clickable="true" checkable="true" checked="true" bounds="[900,270][1050,330]")")));
  REQUIRE(scene.elements.size() == 2);
  CHECK(holds(scene, R"({"toggle":{"text":"Hotspot","on":true}})"));
  CHECK(holds(scene, R"({"toggle":{"id":"sub","on":true}})"));
}

TEST_CASE("a line of one row never answers with the switch of another") {
  const Scene scene = screen(node(
      R"(class="android.widget.FrameLayout" clickable="true" resource-id="com.a:id/page" bounds="[0,0][1080,2400]")",
      words("Storage", "storage", "[0,200][800,400]") +
          node(R"(class="android.widget.LinearLayout" resource-id="com.a:id/box" bounds="[0,200][1080,400]")") +
          words("Battery saver", "saver", "[0,800][800,1000]") +
          node(
              R"(class="android.widget.Switch" clickable="true" checkable="true" checked="true" bounds="[900,850][1050,950]")")));
  CHECK_FALSE(holds(scene, R"({"toggle":{"id":"box","on":true}})"));
  CHECK_FALSE(holds(scene, R"({"toggle":{"text":"Storage","on":true}})"));
  CHECK(holds(scene, R"({"toggle":{"text":"Battery saver","on":true}})"));
}

TEST_CASE("what can be tapped and took its label from inside answers for each of its texts") {
  const Scene scene = screen(node(
      R"(class="android.view.View" clickable="true" resource-id="com.a:id/card" bounds="[0,0][500,300]")",
      words("Lamp", "name", "[0,0][500,100]") + words("19.90", "price", "[0,100][500,200]") +
          node(
              R"(class="android.widget.Button" clickable="true" content-desc="Remove" text="X" bounds="[400,200][500,300]")")));
  CHECK(shows(scene, {"Lamp", "card"}));
  CHECK(shows(scene, {"19.90", "price"}));
  CHECK(shows(scene, {"Remove", ""}));
  CHECK(shows(scene, {"X", ""}));
}

TEST_CASE("a control answers for the words that became its label") {
  const Scene scene = screen(
      node(R"(class="android.widget.LinearLayout" resource-id="com.a:id/line" bounds="[0,0][1080,100]")",
           words("Dark theme", "caption", "[0,0][500,50]") + words("At night", "detail", "[0,50][500,100]") +
               node(R"(class="android.widget.Switch" clickable="true" checkable="true" bounds="[900,0][1080,100]")")));
  REQUIRE(scene.elements.size() == 1);
  CHECK(shows(scene, {"Dark theme", "caption"}));
  CHECK(shows(scene, {"At night", "detail"}));
  CHECK(holds(scene, R"({"toggle":{"id":"line","on":false}})"));
  CHECK(holds(scene, R"({"toggle":{"text":"At night","on":false}})"));
}

TEST_CASE("words that one node says twice or an ancestor repeats are all on the screen") {
  const Scene scene = screen(
      node(R"(class="android.view.View" content-desc="Rain tomorrow" bounds="[0,0][500,200]")",
           words("Rain", "a", "[0,0][500,100]") + words("tomorrow", "b", "[0,100][500,200]")) +
      node(
          R"(class="android.widget.Button" clickable="true" text="Save" content-desc="Save the note" bounds="[0,300][500,400]")"));
  for (const char* text : {"Rain tomorrow", "Rain", "tomorrow", "Save", "Save the note"}) {
    CAPTURE(text);
    CHECK(shows(scene, {text, ""}));
  }
}

TEST_CASE("boxes without words are on the screen by their ids") {
  const Scene scene = screen(
      node(R"(class="android.widget.LinearLayout" resource-id="com.a:id/empty_state" bounds="[0,0][1080,900]")") +
      node(R"(class="android.widget.ImageView" resource-id="com.a:id/picture" bounds="[0,900][1080,1200]")"));
  CHECK(shows(scene, {"", "content"}));
  CHECK(shows(scene, {"", "empty_state"}));
  CHECK(shows(scene, {"", "picture"}));
}

TEST_CASE("nodes without an area or outside of the screen stay absent") {
  const Scene scene =
      screen(bluetooth_row + words("Flat", "flat", "[0,700][500,700]") + words("Below", "below", "[0,2500][500,2600]") +
             node(R"(class="android.widget.TextView" text="Hidden" resource-id="com.a:id/hidden" displayed="false" )"
                  R"(bounds="[0,800][500,900]")"));
  for (const char* text : {"Flat", "Below", "Hidden"}) CHECK_FALSE(shows(scene, {text, ""}));
  for (const char* id : {"flat", "below", "hidden"}) CHECK_FALSE(shows(scene, {"", id}));
}

TEST_CASE("a hint counts while it is shown and not under a text") {
  const auto field = [](std::string_view attributes) {
    return screen(node("class=\"android.widget.EditText\" " + std::string{attributes} + " bounds=\"[0,0][900,100]\""));
  };
  CHECK(shows(field(R"(hint="Search" text="")"), {"Search", ""}));
  CHECK(shows(field(R"(hint="Search" text="Search")"), {"Search", ""}));
  CHECK(shows(field(R"(hint="Search" text="Where to?" showing-hint="true")"), {"Where to?", ""}));
  CHECK_FALSE(shows(field(R"(hint="Search" text="shoes")"), {"Search", ""}));
  CHECK(shows(field(R"(hint="Search" text="shoes")"), {"shoes", ""}));
}

TEST_CASE("what a password hides is in no part that is folded", "[L3]") {
  const std::string field =
      node(R"(class="android.widget.EditText" password="true" text="s3cret" content-desc="s3cret now" )"
           R"(resource-id="com.a:id/password" clickable="true" bounds="[0,0][900,200]")",
           words("s3cret", "typed", "[0,60][300,120]") + words("••••••", "dots", "[0,60][300,120]"));
  const Scene scene =
      screen(node(R"(class="android.view.View" content-desc="Password s3cret" bounds="[0,0][900,300]")",
                  node(R"(class="android.view.View" text="Password: s3cret" bounds="[0,0][900,300]")", field)));
  for (const Element& element : scene.elements) {
    for (const FoldedPart part : element.folded) {
      CAPTURE(std::string{part.text});
      CHECK(part.text.find("s3cret") == std::string_view::npos);
    }
  }
  CHECK_FALSE(shows(scene, {"*s3cret*", ""}));
  for (const char* id : {"password", "typed", "dots"}) CHECK(shows(scene, {"", id}));
  CHECK(shows(scene, {"Password: ••••", ""}));
}

TEST_CASE("keys of a keyboard are on the screen one by one") {
  const Scene scene = scene_of(fixture("several_windows.xml"));
  CHECK(shows(scene, {"Delete", ""}));
  CHECK(shows(scene, {"q", ""}));
  CHECK_FALSE(shows(scene, {"Hidden draft", ""}));
}

TEST_CASE("folded parts stand in no text of a scene") {
  const auto text = write_scene(screen(bluetooth_row));
  CHECK(text.find("sub") == std::string::npos);
  CHECK(text.find("\n1 toggle \"Bluetooth, Visible to nearby devices\" on\n") != std::string::npos);
}
