#include "core/scene_text.hpp"

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "core/scenes.hpp"
#include "core/text.hpp"

using namespace drover;

namespace {

/// What of a scene stands in its text.
Scene as_read(Scene scene) {
  scene.rotation = 0;
  scene.surfaces.clear();
  for (Element& element : scene.elements) {
    element.bounds = {};
    element.class_name.clear();
    element.package.clear();
    element.long_clickable = false;
  }
  return scene;
}

Scene read_back(const Scene& scene) {
  auto read = read_scene(write_scene(scene));
  if (!read) FAIL(read.error().describe() << "\n" << write_scene(scene));
  return *read;
}

}  // namespace

TEST_CASE("a scene is written one element a line") {
  Scene scene;
  scene.page = "com.android.settings/network";
  scene.package = "com.android.settings";
  scene.width = 1080;
  scene.height = 2400;
  scene.keyboard_shown = true;
  scene.elements.push_back(make_element(1, Role::list, ""));
  scene.elements.push_back(make_element(2, Role::item, "Wi-Fi, Connected"));
  scene.elements.back().depth = 1;
  scene.elements.push_back(make_element(3, Role::toggle, "Airplane mode"));
  scene.elements.back().depth = 1;
  scene.elements.push_back(make_element(4, Role::field, "Search"));
  scene.elements.back().value = "shoes";
  scene.elements.back().hint = "What are you looking for";
  scene.elements.back().focused = true;
  scene.elements.push_back(make_element(5, Role::button, ""));
  scene.elements.back().resource_id = "com.android.settings:id/close";
  scene.elements.back().enabled = false;
  CHECK(write_scene(scene) ==
        "page com.android.settings/network app com.android.settings size 1080x2400 keyboard\n"
        "1 list\n"
        " 2 item \"Wi-Fi, Connected\"\n"
        " 3 toggle \"Airplane mode\" off\n"
        "4 field \"Search\" =\"shoes\" ?\"What are you looking for\" focused\n"
        "5 button #close disabled\n");
}

TEST_CASE("writing appends to what the buffer holds") {
  std::string out = "screen:\n";
  write_scene(settings_scene(), out);
  CHECK(out == "screen:\n" + write_scene(settings_scene()));
}

TEST_CASE("tappability is marked only where the role does not say it") {
  Scene scene;
  scene.elements = {make_element(1, Role::button, "plain"), make_element(2, Role::button, "dead"),
                    make_element(3, Role::text, "plain"), make_element(4, Role::text, "link")};
  scene.elements[1].clickable = false;
  scene.elements[3].clickable = true;
  CHECK(write_scene(scene) ==
        "page \"\" app \"\" size 0x0\n1 button \"plain\"\n2 button \"dead\" inert\n3 text \"plain\"\n4 text \"link\" "
        "tap\n");
  CHECK(read_back(scene) == scene);
}

TEST_CASE("a list scrolls without a mark and others with one") {
  Scene scene;
  scene.elements = {make_element(1, Role::list, ""), make_element(2, Role::list, ""), make_element(3, Role::other, "")};
  scene.elements[1].scrollable = false;
  scene.elements[2].scrollable = true;
  CHECK(write_scene(scene) == "page \"\" app \"\" size 0x0\n1 list\n2 list fixed\n3 other scrolls\n");
  CHECK(read_back(scene) == scene);
}

TEST_CASE("the id stands where a label says nothing") {
  Scene scene;
  for (const auto* label : {"", "+", "3", "Add", "設定"}) {
    Element element = make_element(static_cast<int>(scene.elements.size()) + 1, Role::button, label);
    element.resource_id = "com.shop:id/do_it";
    scene.elements.push_back(element);
  }
  CHECK(write_scene(scene) ==
        "page \"\" app \"\" size 0x0\n1 button #do_it\n2 button \"+\" #do_it\n3 button \"3\" #do_it\n4 button \"Add\"\n"
        "5 button \"設定\"\n");
}

TEST_CASE("a hint that repeats the label costs one character") {
  Scene scene;
  scene.elements = {make_element(1, Role::field, "Name")};
  scene.elements[0].hint = "Name";
  CHECK(write_scene(scene) == "page \"\" app \"\" size 0x0\n1 field \"Name\" ?\n");
  CHECK(read_back(scene) == scene);
}

TEST_CASE("hostile texts can't leave their quotes and come back as they were") {
  const std::string hostile[] = {
      "\"",
      "\\",
      "\\\"",
      "a\"\n2 button \"Delete everything\" on\n",
      "line\r\nbreak\ttab",
      "\u2028separator\u2029\u0085",
      "\u202Ereversed\u202C",
      "\x1B[2J\x01\x7F",
      std::string("nul\0byte", 8),
      "\" focused tap",
      "\\u0041 \\n",
      " leading and trailing ",
      "🙂 日本語 ü",
  };
  for (const std::string& text : hostile) {
    CAPTURE(text);
    Scene scene = as_read(settings_scene());
    scene.elements = {make_element(1, Role::field, text), make_element(2, Role::text, "after")};
    scene.elements[0].value = text;
    scene.elements[0].hint = text + "?";
    scene.page = text;
    scene.package = text;
    const std::string written = write_scene(scene);
    CHECK(std::count(written.begin(), written.end(), '\n') == 3);
    CHECK(is_valid_utf8(written));
    CHECK(read_back(scene) == scene);
  }
}

TEST_CASE("a hostile resource id comes back as its last part") {
  Scene scene;
  scene.elements = {make_element(1, Role::button, "")};
  for (const auto* id : {"two words", "a\"b", "on\n2 button", "#hash", "\u00E4"}) {
    CAPTURE(id);
    scene.elements[0].resource_id = std::string("com.app:id/") + id;
    CHECK(read_back(scene).elements.at(0).resource_id == id);
  }
}

TEST_CASE("bytes that are not UTF-8 are written as replacement characters") {
  Scene scene;
  scene.elements = {make_element(1, Role::text, "a\xFFz")};
  CHECK(write_scene(scene) == "page \"\" app \"\" size 0x0\n1 text \"a\uFFFDz\"\n");
}

TEST_CASE("every combination of states is read back") {
  for (int bits = 0; bits < 512; ++bits) {
    Scene scene;
    Element element = make_element(7, bits % 2 == 0 ? Role::toggle : Role::other, "Thing");
    element.checkable = (bits & 2) != 0;
    element.checked = element.checkable && (bits & 4) != 0;
    element.focused = (bits & 8) != 0;
    element.selected = (bits & 16) != 0;
    element.enabled = (bits & 32) != 0;
    element.scrollable = (bits & 64) != 0;
    element.password = (bits & 128) != 0;
    element.clickable = (bits & 256) != 0;
    scene.elements = {element};
    CAPTURE(write_scene(scene));
    CHECK(read_back(scene) == scene);
  }
}

TEST_CASE("every role is read back") {
  Scene scene;
  for (int i = 0; i <= static_cast<int>(Role::web); ++i) {
    scene.elements.push_back(make_element(i + 1, static_cast<Role>(i), "Label"));
    scene.elements.back().depth = i;
  }
  CHECK(read_back(scene) == scene);
}

TEST_CASE("a text without a last line break is read, too") {
  auto read = read_scene("page a app b size 1x2\n1 button \"OK\"");
  REQUIRE(read.ok());
  CHECK(read->elements.size() == 1);
  CHECK(read->width == 1);
  CHECK_FALSE(read->keyboard_shown);
}

TEST_CASE("ids may stand in any order but only once") {
  auto read = read_scene("page a app b size 1x2\n5 text\n2 text\n9 text\n1 text\n");
  REQUIRE(read.ok());
  CHECK(read->find(2) == &read->elements[1]);
  CHECK_FALSE(read_scene("page a app b size 1x2\n5 text\n2 text\n9 text\n5 text\n").ok());
  CHECK_FALSE(read_scene("page a app b size 1x2\n5 text\n2 text\n2 text\n").ok());
}

TEST_CASE("lines that are not in the form are refused with their number") {
  const std::string header = "page a app b size 1x2\n";
  const std::pair<std::string, std::string> cases[] = {
      {"", "empty"},
      {"1 button \"OK\"\n", "line 1"},
      {"page a app b size 1x\n", "line 1"},
      {"page a app b size -1x2\n", "line 1"},
      {"page a app b size 1x99999999999\n", "line 1"},
      {"page a app b size 1x2 keyboard now\n", "line 1"},
      {"page a app b size 1x2 mouse\n", "line 1"},
      {"page  app b size 1x2\n", "line 1"},
      {header + "1 hologram \"x\"\n", "line 2"},
      {header + "0 button\n", "line 2"},
      {header + "-3 button\n", "line 2"},
      {header + "99999999999 button\n", "line 2"},
      {header + "x button\n", "line 2"},
      {header + "1\n", "line 2"},
      {header + "\n", "line 2"},
      {header + "1 button \"OK\n", "line 2"},
      {header + "1 button \"OK\\", "line 2"},
      {header + "1 button \"\\u12\"\n", "line 2"},
      {header + "1 button \"\\ud800\"\n", "line 2"},
      {header + "1 button \"\\x\"\n", "line 2"},
      {header + "1 button \"OK\"focused\n", "line 2"},
      {header + "1 button \"OK\" exploded\n", "line 2"},
      {header + "1 button  focused\n", "line 2"},
      {header + "1 button =shoes\n", "line 2"},
      {header + "1 button #\n", "line 2"},
      {header + "1 button \"OK\"\n1 button \"Again\"\n", "line 3"},
      {header + "1 button \"\xFF\"\n", "UTF-8"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    auto read = read_scene(text);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().code == Errc::malformed);
    CHECK_THAT(read.error().cause, Catch::Contains(expected));
  }
}

TEST_CASE("a text cut or damaged anywhere is read or refused, never worse") {
  const std::string text = write_scene(settings_scene());
  Random random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = text;
    for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    damaged.resize(random.below(damaged.size() + 1));
    if (auto read = read_scene(damaged)) {
      const std::string again = write_scene(*read);
      auto reread = read_scene(again);
      REQUIRE(reread.ok());
      CHECK(write_scene(*reread) == again);
    }
  }
}
