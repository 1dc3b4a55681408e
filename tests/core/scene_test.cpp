#include "core/scene.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "core/scenes.hpp"

using namespace drover;

TEST_CASE("every role is read back from its name") {
  for (int i = 0; i <= static_cast<int>(Role::web); ++i) {
    const auto role = static_cast<Role>(i);
    CHECK(role_from(name_of(role)) == role);
  }
  CHECK(role_from("hologram") == Role::other);
}

TEST_CASE("an element is found by its id wherever it stands") {
  Scene scene = settings_scene();
  REQUIRE(scene.find(3) != nullptr);
  CHECK(scene.find(3)->label == "Airplane mode");
  std::swap(scene.elements[0], scene.elements[2]);
  CHECK(scene.find(3)->label == "Airplane mode");
  CHECK(scene.find(0) == nullptr);
  CHECK(scene.find(-1) == nullptr);
  CHECK(scene.find(99) == nullptr);
}

TEST_CASE("the id part is what stands behind the last separator") {
  CHECK(id_part("com.shop:id/search") == "search");
  CHECK(id_part("form:password") == "password");
  CHECK(id_part("plain") == "plain");
  CHECK(id_part("").empty());
}

TEST_CASE("the switch of a row is found from the row, its text and itself") {
  const Scene scene = settings_scene();
  CHECK(switch_of(*scene.find(3), scene) == scene.find(4));
  CHECK(switch_of(*scene.find(5), scene) == scene.find(6));
  CHECK(switch_of(*scene.find(4), scene) == scene.find(4));
  CHECK(switch_of(*scene.find(7), scene) == nullptr);
}

TEST_CASE("a list over several switches stands for none of them") {
  const Scene scene = settings_scene();
  CHECK(switch_of(*scene.find(2), scene) == nullptr);
}

TEST_CASE("of two switches in one row the nearer one counts") {
  Scene scene;
  scene.elements = {
      make_element(1, Role::text, "Left", {0, 0, 100, 100}), make_element(2, Role::toggle, "", {120, 0, 200, 100}),
      make_element(3, Role::text, "Right", {500, 0, 600, 100}), make_element(4, Role::toggle, "", {620, 0, 700, 100})};
  CHECK(switch_of(scene.elements[0], scene)->id == 2);
  CHECK(switch_of(scene.elements[2], scene)->id == 4);
}

TEST_CASE("equal scenes have equal fingerprints") {
  CHECK(fingerprint(settings_scene()) == fingerprint(settings_scene()));
}

TEST_CASE("every change that counts changes the fingerprint") {
  const auto before = fingerprint(settings_scene());
  const std::function<void(Scene&)> changes[] = {
      [](Scene& s) { s.page += "x"; },
      [](Scene& s) { s.package = "com.other"; },
      [](Scene& s) { s.keyboard_shown = true; },
      [](Scene& s) { s.rotation = 1; },
      [](Scene& s) { s.surfaces.push_back("com.android.systemui"); },
      [](Scene& s) { s.elements.pop_back(); },
      [](Scene& s) { std::swap(s.elements[2], s.elements[4]); },
      [](Scene& s) { s.elements[2].label = "Airplane modf"; },
      [](Scene& s) { s.elements[0].value = "shoes"; },
      [](Scene& s) { s.elements[0].hint = "shoes"; },
      [](Scene& s) { s.elements[3].checked = true; },
      [](Scene& s) { s.elements[3].enabled = false; },
      [](Scene& s) { s.elements[0].focused = true; },
      [](Scene& s) { s.elements[0].selected = true; },
      [](Scene& s) { s.elements[6].bounds.top += 1; },
      [](Scene& s) { s.elements[6].role = Role::image; },
  };
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    CAPTURE(i);
    Scene scene = settings_scene();
    changes[i](scene);
    CHECK(fingerprint(scene) != before);
    CHECK_FALSE(looks_same(scene, settings_scene()));
  }
}

TEST_CASE("a text that moves from one member to the next changes the fingerprint") {
  Scene first = settings_scene();
  Scene second = settings_scene();
  first.elements[0].label = "ab";
  first.elements[0].value = "c";
  second.elements[0].label = "a";
  second.elements[0].value = "bc";
  CHECK(fingerprint(first) != fingerprint(second));
}

TEST_CASE("element ids, nesting and classes don't count for the fingerprint") {
  Scene scene = settings_scene();
  scene.elements[2].id = 77;
  scene.elements[2].depth = 5;
  scene.elements[2].class_name = "android.view.View";
  CHECK(looks_same(scene, settings_scene()));
  CHECK(fingerprint(scene) == fingerprint(settings_scene()));
}

TEST_CASE("folded parts are read as they were added") {
  FoldedParts parts;
  CHECK(parts.empty());
  CHECK(parts.begin() == parts.end());
  parts.add("Bluetooth", "android:id/title", {0, 200, 800, 300});
  parts.add("", "com.a:id/box", {-5, 0, 70'000, 1});
  parts.add(std::string(70'000, 'x'), "", {});
  std::vector<FoldedPart> read(parts.begin(), parts.end());
  REQUIRE(read.size() == 3);
  CHECK(read[0].text == "Bluetooth");
  CHECK(read[0].id == "android:id/title");
  CHECK(read[0].bounds == Bounds{0, 200, 800, 300});
  CHECK(read[1].text.empty());
  CHECK(read[1].id == "com.a:id/box");
  CHECK(read[1].bounds == Bounds{0, 0, 65'535, 1});
  CHECK(read[2].text.size() == 65'535);
  CHECK(read[2].id.empty());
  FoldedParts same = parts;
  CHECK(same == parts);
  same.add("more", "", {});
  CHECK_FALSE(same == parts);
}
