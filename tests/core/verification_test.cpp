#include "core/verification.hpp"

#include <catch2/catch.hpp>

#include "core/scenes.hpp"

using namespace drover;

namespace {

Target element(int id) { return {id, std::nullopt}; }

Verification after_typing(const char* text, const char* value, bool submit = false) {
  const Scene before = settings_scene();
  Scene after = before;
  after.elements[0].value = value;
  return verify(InputText{element(1), text, submit}, before, after);
}

}  // namespace

TEST_CASE("a tap that changes nothing is told so") {
  const Scene scene = settings_scene();
  CHECK(verify(Tap{element(7)}, scene, scene).effect == Effect::unchanged);
}

TEST_CASE("a tap that leads to another page or to new elements is told with them") {
  const Scene before = settings_scene();
  Scene after = before;
  after.page = "com.android.settings/add_network";
  const auto other_page = verify(Tap{element(7)}, before, after);
  CHECK(other_page.effect == Effect::changed);
  CHECK(other_page.observed == "the page is now com.android.settings/add_network");
  after = before;
  after.elements.push_back(make_element(8, Role::text, "Saved"));
  CHECK(verify(Tap{element(7)}, before, after).observed == "the screen changed; new: \"Saved\"");
}

TEST_CASE("a tapped switch must have flipped") {
  const Scene before = settings_scene();
  Scene after = before;
  CHECK(verify(Tap{element(4)}, before, after).effect == Effect::refuted);
  after.elements[3].checked = true;
  CHECK(verify(Tap{element(4)}, before, after).effect == Effect::confirmed);
  CHECK(verify(Tap{element(6)}, before, after).effect == Effect::refuted);
}

TEST_CASE("a tap on a row flips the row's switch, by element or by place") {
  const Scene before = settings_scene();
  Scene after = before;
  after.elements[3].checked = true;
  const auto by_element = verify(Tap{element(3)}, before, after);
  CHECK(by_element.effect == Effect::confirmed);
  CHECK(by_element.observed == "\"Airplane mode\" is now on");
  CHECK(verify(Tap{{std::nullopt, Point{300, 300}}}, before, after).effect == Effect::confirmed);
  CHECK(verify(Tap{element(3)}, before, before).effect == Effect::refuted);
  CHECK(verify(Tap{element(3)}, before, before).observed == "\"Airplane mode\" is still off");
}

TEST_CASE("a row that opens a page of its own has not failed to flip its switch") {
  const Scene before = settings_scene();
  Scene after = before;
  after.page = "com.android.settings/wifi";
  CHECK(verify(Tap{element(5)}, before, after).effect == Effect::changed);
}

TEST_CASE("a button beside a switch is no tap on the switch") {
  Scene before = settings_scene();
  before.elements.push_back(make_element(8, Role::button, "Details", {500, 250, 600, 350}));
  CHECK(verify(Tap{element(8)}, before, before).effect == Effect::unchanged);
}

TEST_CASE("a chosen radio button that stays chosen is confirmed") {
  Scene scene;
  scene.elements = {make_element(1, Role::radio, "Daily", {0, 0, 10, 10})};
  scene.elements[0].checked = true;
  CHECK(verify(Tap{element(1)}, scene, scene).effect == Effect::confirmed);
}

TEST_CASE("typed text is read back from its field") {
  CHECK(after_typing("shoes", "red shoes").effect == Effect::confirmed);
  CHECK(after_typing("shoes", "").effect == Effect::refuted);
  CHECK(after_typing("shoes", "shoe").effect == Effect::refuted);
  CHECK(after_typing("shoes", "shoe").observed == "the field reads \"shoe\"");
}

TEST_CASE("a text that the field formatted is no failure") {
  CHECK(after_typing("5551234567", "(555) 123-4567").effect == Effect::changed);
  CHECK(after_typing("shoes", "Shoes").effect == Effect::changed);
}

TEST_CASE("a field that is empty after the text was sent off is no failure") {
  CHECK(after_typing("shoes", "", true).effect == Effect::unchanged);
  CHECK(after_typing("shoes", "other", true).effect == Effect::changed);
  CHECK(after_typing("shoes", "shoes", true).effect == Effect::confirmed);
}

TEST_CASE("text without a target is read back from the focused field") {
  Scene before = settings_scene();
  before.elements[0].focused = true;
  Scene after = before;
  after.elements[0].value = "shoes";
  CHECK(verify(InputText{std::nullopt, "shoes", false}, before, after).effect == Effect::confirmed);
}

TEST_CASE("a password can't be read back") {
  Scene before = settings_scene();
  before.elements[0].password = true;
  Scene after = before;
  CHECK(verify(InputText{element(1), "secret", false}, before, after).effect == Effect::unknown);
  after.elements[0].value = "••••";
  const auto changed = verify(InputText{element(1), "secret", false}, before, after);
  CHECK(changed.effect == Effect::changed);
  CHECK_THAT(changed.observed, !Catch::Contains("secret"));
}

TEST_CASE("a cleared field must be empty or show its hint") {
  Scene before = settings_scene();
  before.elements[0].value = "shoes";
  Scene after = before;
  CHECK(verify(ClearText{element(1)}, before, after).effect == Effect::refuted);
  after.elements[0].value.clear();
  CHECK(verify(ClearText{element(1)}, before, after).effect == Effect::confirmed);
  after.elements[0].value = after.elements[0].hint = "Search here";
  CHECK(verify(ClearText{element(1)}, before, after).effect == Effect::confirmed);
}

TEST_CASE("a launched app must be in front") {
  const Scene before = settings_scene();
  Scene after = before;
  CHECK(verify(LaunchApp{"com.shop"}, before, after).effect == Effect::refuted);
  after.package = "com.shop";
  after.page = "com.shop/home";
  CHECK(verify(LaunchApp{"com.shop"}, before, after).effect == Effect::confirmed);
  CHECK(verify(LaunchApp{"Shop"}, before, after).effect == Effect::confirmed);
  CHECK(verify(LaunchApp{"My store"}, before, after).effect == Effect::changed);
  CHECK(verify(LaunchApp{"My store"}, before, before).effect == Effect::unchanged);
  CHECK(verify(LaunchApp{"com.android.settings"}, before, before).effect == Effect::confirmed);
}

TEST_CASE("an ended app must not be in front") {
  const Scene before = settings_scene();
  Scene after = before;
  after.package = "com.launcher";
  CHECK(verify(TerminateApp{"com.android.settings"}, before, after).effect == Effect::confirmed);
  CHECK(verify(TerminateApp{"com.android.settings"}, before, before).effect == Effect::refuted);
}

TEST_CASE("of other actions only change or no change is told, and of a note nothing") {
  const Scene before = settings_scene();
  Scene after = before;
  after.elements[4].bounds.top += 10;
  CHECK(verify(Swipe{}, before, after).effect == Effect::changed);
  CHECK(verify(Swipe{}, before, before).effect == Effect::unchanged);
  CHECK(verify(PressKey{Key::back}, before, after).effect == Effect::changed);
  CHECK(verify(Note{"x"}, before, after) == Verification{});
}

TEST_CASE("an element that is not on the screen is verified by change alone") {
  const Scene scene = settings_scene();
  CHECK(verify(Tap{element(99)}, scene, scene).effect == Effect::unchanged);
  CHECK(verify(InputText{element(99), "x", false}, scene, scene).effect == Effect::unchanged);
}

TEST_CASE("the same element is found after the screen moved and ids changed") {
  const Scene before = settings_scene();
  Scene now = before;
  now.elements.insert(now.elements.begin(), make_element(1, Role::text, "Banner", {0, 0, 1080, 100}));
  for (std::size_t i = 0; i < now.elements.size(); ++i) {
    now.elements[i].id = static_cast<int>(i) + 1;
    now.elements[i].bounds.top += 100;
    now.elements[i].bounds.bottom += 100;
  }
  for (const int id : {1, 3, 5, 7}) {
    const Element* found = same_element(*before.find(id), now);
    REQUIRE(found != nullptr);
    CHECK(found->label == before.find(id)->label);
    CHECK(found->id == id + 1);
  }
}

TEST_CASE("another row of the same list is another thing") {
  Scene before;
  Scene now;
  for (const auto* label : {"Milk", "Bread"}) {
    Element row = make_element(1, Role::item, label, {0, 0, 100, 50});
    row.resource_id = "com.shop:id/row";
    (before.elements.empty() ? before : now).elements.push_back(row);
  }
  Element third = now.elements[0];
  third.label = "Cheese";
  third.bounds = {0, 50, 100, 100};
  now.elements.push_back(third);
  CHECK(same_element(before.elements[0], now) == nullptr);
  now.elements[1].label = "Milk";
  CHECK(same_element(before.elements[0], now) == &now.elements[1]);
}

TEST_CASE("a button that stands alone with its id may change its label") {
  Scene before = settings_scene();
  Scene now = before;
  now.elements[6].label = "Remove network";
  CHECK(same_element(before.elements[6], now) == &now.elements[6]);
  now.elements[6].bounds = {0, 2000, 10, 2010};
  CHECK(same_element(before.elements[6], now) == nullptr);
}

TEST_CASE("of equal elements the nearest is the same") {
  Scene now;
  now.elements = {make_element(1, Role::button, "Add", {0, 0, 100, 50}),
                  make_element(2, Role::button, "Add", {0, 200, 100, 250})};
  CHECK(same_element(make_element(9, Role::button, "Add", {0, 180, 100, 230}), now)->id == 2);
  CHECK(same_element(make_element(9, Role::button, "Sell", {0, 180, 100, 230}), now) == nullptr);
}

TEST_CASE("every effect is read back from its name") {
  for (int i = 0; i <= static_cast<int>(Effect::refuted); ++i) {
    CHECK(effect_from(name_of(static_cast<Effect>(i))) == static_cast<Effect>(i));
  }
  CHECK(effect_from("exploded") == Effect::unknown);
}
