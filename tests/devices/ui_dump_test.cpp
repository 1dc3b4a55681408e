#include "devices/ui_dump.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "devices/dump_fixtures.hpp"

using namespace drover;
using namespace drover::devices;
using namespace drover::test;

namespace {

const std::string title =
    R"(<node text="Title" class="android.widget.TextView" package="com.a" bounds="[0,0][100,50]"/>)";

std::string node(std::string_view attributes, std::string_view children = "") {
  return "<node package=\"com.a\" " + std::string{attributes} + ">" + std::string{children} + "</node>";
}

std::string screen(std::string_view children) {
  return hierarchy(node(R"(class="android.widget.FrameLayout" bounds="[0,0][1080,2400]")", children));
}

void check_error(std::string_view dump, Errc code, const std::string& words) {
  auto error = error_of(dump);
  CHECK(error.code == code);
  CHECK_THAT(error.cause, Catch::Contains(words));
  CHECK(error.describe().find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("an output without a tree is an error that says what it was instead") {
  const auto failed = Errc::observation_failed;
  check_error("", failed, "empty");
  check_error(" \r\n\t", failed, "empty");
  check_error("UI hierchary dumped to: /sdcard/window_dump.xml\n", failed, "holds no XML");
  check_error("UI hierchary dumped to: /storage/emulated/legacy/window_dump.xml", failed, "holds no XML");
  check_error("ERROR: null root node returned by UiTestAutomationBridge.\n", failed, "no root node");
  check_error("ERROR: could not get idle state.\n", failed, "never stood still");
  check_error("Killed \n", failed, "killed");
  check_error("Killed Killed", failed, "killed");
  check_error(
      "java.lang.IllegalStateException: UiAutomationService android.accessibilityservice@11 already registered!\n",
      failed, "one automation service");
  check_error("java.lang.NullPointerException: nothing\n\tat com.android.uiautomator.Dump.run(Dump.java:99)\n", failed,
              "NullPointerException: nothing");
  check_error("ERROR: something new", failed, "something new");
  check_error("/system/bin/sh: uiautomator: not found", Errc::malformed, "not XML");
  check_error("<html><body/></html>", Errc::malformed, "no <hierarchy>");
  check_error("\xff\xfe\x00 binary", Errc::malformed, "not XML");
}

TEST_CASE("a dump that is cut short is an error and no scene") {
  auto whole = screen(title);
  for (auto length : {whole.size() - 1, whole.size() - 12, whole.size() / 2, std::size_t{70}}) {
    check_error(std::string_view{whole}.substr(0, length), Errc::malformed, "cut short");
  }
  check_error(whole.substr(0, whole.size() - 20) + "\nKilled \n", Errc::malformed, "was killed");
}

TEST_CASE("a tree that is not well formed is an error with its place") {
  check_error("<hierarchy rotation=\"0\"><node bounds=\"[0,0][9,9]\"></hierarchy>", Errc::malformed, "not well-formed");
  check_error("<hierarchy><node text=\"a></node></hierarchy>", Errc::malformed, "at byte");
}

TEST_CASE("a hierarchy in which nothing can be seen is an error and no empty scene") {
  check_error("<hierarchy rotation=\"0\" />", Errc::observation_failed, "without a single node");
  check_error("<hierarchy rotation=\"0\"></hierarchy>", Errc::observation_failed, "without a single node");
  check_error(hierarchy(node(R"(class="a" text="x" bounds="[0,0][0,0]")")), Errc::observation_failed, "none of them");
  check_error(hierarchy(node(R"(class="a" text="x" displayed="false" bounds="[0,0][9,9]")")), Errc::observation_failed,
              "none of them");
}

TEST_CASE("an iOS tree is refused by name") {
  check_error("<?xml version=\"1.0\"?><AppiumAUT><XCUIElementTypeApplication/></AppiumAUT>", Errc::malformed, "iOS");
  check_error("<XCUIElementTypeApplication name=\"x\"/>", Errc::malformed, "not supported");
}

TEST_CASE("text before and behind the tree is skipped") {
  auto plain = scene_of(screen(title));
  CHECK(scene_of("[Device] found one\n" + screen(title)) == plain);
  CHECK(scene_of(screen(title) + "UI hierchary dumped to: /dev/tty\n") == plain);
  CHECK(scene_of("java.lang.RuntimeException: noise\n\tat a.b(C.java:1)\n" + screen(title) + "\nKilled \n") == plain);
  CHECK(scene_of("\xEF\xBB\xBF" + screen(title)) == plain);
}

TEST_CASE("words of an error message on the screen are no error") {
  for (const auto* text : {"Killed ", "null root node", "ERROR: could not get idle state.", "java.lang.Exception",
                           "&lt;/hierarchy&gt;", "&lt;AppiumAUT&gt;"}) {
    auto scene = scene_of(
        screen(node("class=\"android.widget.TextView\" bounds=\"[0,0][9,9]\" text=\"" + std::string{text} + "\"")));
    CHECK(scene.elements.size() == 1);
  }
}

TEST_CASE("a declaration that is escaped or missing does no harm") {
  auto body = screen(title);
  body = body.substr(body.find("<hierarchy"));
  CHECK(scene_of(body) == scene_of(screen(title)));
  CHECK(scene_of("<?xml version=\\'1.0\\' encoding=\\'UTF-8\\'?>" + body) == scene_of(screen(title)));
}

TEST_CASE("rows take the words inside of them and the state of their switch") {
  auto scene = scene_of(fixture("settings_list.xml"));
  CHECK(scene.page == "com.example.settings/network");
  CHECK(scene.package == "com.example.settings");
  CHECK(scene.width == 1080);
  CHECK(scene.height == 2400);
  REQUIRE(scene.elements.size() == 8);
  CHECK(scene.elements[0].label == "Navigate up");
  CHECK(scene.elements[0].role == Role::button);
  CHECK(scene.elements[3].role == Role::list);
  CHECK(scene.elements[3].scrollable);
  CHECK(scene.elements[4].label == "Wi-Fi, Connected to Home");
  CHECK(scene.elements[4].role == Role::item);
  CHECK(scene.elements[4].depth == 1);
  const auto& airplane = element_labelled(scene, "Airplane mode");
  CHECK(airplane.role == Role::toggle);
  CHECK(airplane.checkable);
  CHECK_FALSE(airplane.checked);
  CHECK(airplane.clickable);
  CHECK(airplane.bounds == Bounds{0, 440, 1080, 600});
  CHECK(element_labelled(scene, "Bluetooth, On").checked);
  CHECK(element_labelled(scene, "Display & brightness").role == Role::item);
}

TEST_CASE("a toolbar that is written behind the list is read before it") {
  auto scene = scene_of(fixture("settings_list.xml"));
  CHECK(element_labelled(scene, "Network").id < element_labelled(scene, "Airplane mode").id);
}

TEST_CASE("a row with two switches leaves each its own state") {
  auto scene = scene_of(screen(node(
      R"(class="android.widget.LinearLayout" clickable="true" bounds="[0,0][1080,200]")",
      node(R"(class="android.widget.TextView" text="Alarm" bounds="[0,0][300,200]")") +
          node(
              R"(class="android.widget.Switch" text="Mon" checkable="true" checked="true" bounds="[300,0][600,200]")") +
          node(R"(class="android.widget.Switch" text="Tue" checkable="true" bounds="[600,0][900,200]")"))));
  REQUIRE(scene.elements.size() == 3);
  CHECK_FALSE(scene.elements[0].checkable);
  CHECK(scene.elements[1].checked);
  CHECK_FALSE(scene.elements[2].checked);
}

TEST_CASE("a switch without words takes those beside it") {
  auto row = [](int y, const std::string& text, bool own_row) {
    auto at = [&](int left, int right) {
      return "bounds=\"[" + std::to_string(left) + "," + std::to_string(y) + "][" + std::to_string(right) + "," +
             std::to_string(y + 100) + "]\"";
    };
    auto parts =
        node("class=\"android.view.View\" checkable=\"true\" checked=\"true\" clickable=\"true\" " + at(0, 100)) +
        node("class=\"android.widget.TextView\" text=\"" + text + "\" " + at(120, 900));
    return own_row ? node("class=\"android.widget.LinearLayout\" " + at(0, 1080), parts) : parts;
  };
  for (bool own_row : {true, false}) {
    auto scene = scene_of(screen(row(0, "Wi-Fi", own_row) + row(100, "GPS", own_row)));
    REQUIRE(scene.elements.size() == 2);
    CHECK(scene.elements[0].label == "Wi-Fi");
    CHECK(scene.elements[1].label == "GPS");
    CHECK(scene.elements[1].role == Role::checkbox);
  }
}

TEST_CASE("a field without words takes the text above it in its own box") {
  auto scene = scene_of(
      screen(node(R"(class="android.widget.LinearLayout" bounds="[0,0][1080,200]")",
                  node(R"(class="android.widget.TextView" text="Street" bounds="[0,0][1080,80]")") +
                      node(R"(class="android.widget.EditText" text="" clickable="true" bounds="[0,80][1080,200]")"))));
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].label == "Street");
}

TEST_CASE("a Compose screen gives buttons from anonymous views and labels once") {
  auto scene = scene_of(fixture("compose_chat.xml"));
  CHECK(element_labelled(scene, "Back").role == Role::button);
  CHECK(element_labelled(scene, "Амина: Привет. Hold to copy").long_clickable);
  CHECK_FALSE(has_label(scene, "Привет"));
  CHECK(element_labelled(scene, "Message").role == Role::field);
  CHECK_FALSE(element_labelled(scene, "Send").enabled);
  const auto& mute = element_labelled(scene, "Mute");
  CHECK(mute.role == Role::checkbox);
  CHECK(mute.checked);
}

TEST_CASE("surrogates are joined where they are a pair and repaired where they are alone") {
  auto scene = scene_of(fixture("compose_chat.xml"));
  CHECK(has_label(scene, "One 🛒 two 😊 lone \xEF\xBF\xBD end"));
  for (const auto& element : scene.elements) CHECK(is_valid_utf8(element.label));
}

TEST_CASE("a Flutter screen has its words in descriptions and its tabs side by side") {
  auto scene = scene_of(fixture("flutter_tabs.xml"));
  CHECK(has_label(scene, "Catalogue 12 items"));
  CHECK(has_label(scene, "Red shoes Leather $ 59"));
  const auto& shop = element_labelled(scene, "Shop Tab 1 of 2");
  CHECK(shop.role == Role::tab);
  CHECK(shop.selected);
  CHECK(element_labelled(scene, "Basket Tab 2 of 2").role == Role::tab);
  const auto& search = scene.elements[1];
  CHECK(search.role == Role::field);
  CHECK(search.hint == "Search");
  CHECK(search.value.empty());
}

TEST_CASE("ancestors that repeat all the text are left out") {
  auto scene = scene_of(fixture("react_native_cards.xml"));
  REQUIRE(scene.elements.size() == 4);
  CHECK(scene.elements[0].label == "Pasta, 20 min");
  CHECK(scene.elements[1].label == "Salad, 5 min");
  CHECK(scene.elements[2].label == "Add recipe");
  CHECK(scene.elements[3].label == "\xEE\xA2\xB6");
}

TEST_CASE("a web page keeps its parts, and a text without an area names what can be tapped") {
  auto scene = scene_of(fixture("web_article.xml"));
  CHECK(has_label(scene, "Rain expected"));
  CHECK_FALSE(has_label(scene, "Rain expected Rain is expected in the north."));
  CHECK_FALSE(has_label(scene, "hidden sitemap"));
  CHECK(element_labelled(scene, "Read on").clickable);
  CHECK(element_labelled(scene, "Remember").role == Role::checkbox);
  CHECK(scene.elements[0].value == "example.org/news");
}

TEST_CASE("a web view that holds nothing yet is named as one") {
  auto scene = scene_of(fixture("web_loading.xml"));
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].role == Role::web);
}

TEST_CASE("a game gives the one surface that it draws on") {
  auto scene = scene_of(fixture("game_surface.xml"));
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].role == Role::image);
  CHECK(scene.elements[0].bounds == Bounds{0, 0, 2400, 1080});
  CHECK(scene.rotation == 1);
}

TEST_CASE("passwords are masked by the flag wherever their text stands", "[L3]") {
  auto dump = fixture("login_password.xml");
  auto scene = scene_of(dump);
  auto text = write_scene(scene);
  CHECK(text.find("hunter22") == std::string::npos);
  for (const auto& element : scene.elements) {
    CHECK(element.label.find("hunter22") == std::string::npos);
    CHECK(element.hint.find("hunter22") == std::string::npos);
    if (element.password) CHECK((element.value.empty() || element.value == "••••"));
  }
  const auto* pass = &scene.elements[3];
  CHECK(pass->hint == "Password");
  CHECK(pass->value == "••••");
  CHECK(scene.elements[4].value == "••••");
  CHECK(scene.elements[5].value.empty());
  CHECK(scene.elements[1].value == "lena");
}

TEST_CASE("a password's description that tells it is dropped") {
  auto scene = scene_of(screen(node(
      R"(class="android.widget.EditText" password="true" text="s3cret" content-desc="s3cret" bounds="[0,0][9,9]")")));
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].label.empty());
}

TEST_CASE("a password field keeps the label and the button that stand inside of it") {
  auto scene = scene_of(screen(node(
      R"(class="android.widget.EditText" password="true" text="s3cret" clickable="true" bounds="[0,0][900,200]")",
      node(R"(class="android.widget.TextView" text="Your password" bounds="[0,0][300,60]")") +
          node(R"(class="android.widget.TextView" text="s3cret" bounds="[0,60][300,120]")") +
          node(R"(class="android.widget.TextView" text="••••••" bounds="[0,60][300,120]")") +
          node(
              R"(class="android.view.View" clickable="true" content-desc="Show password" bounds="[700,0][900,200]")"))));
  REQUIRE(scene.elements.size() == 2);
  CHECK(scene.elements[0].label == "Your password");
  CHECK(scene.elements[0].value == "••••");
  CHECK(scene.elements[1].label == "Show password");
}

TEST_CASE("a hint that stands in the place of a text is no value") {
  auto scene = scene_of(fixture("several_windows.xml"));
  const auto& subject = scene.elements[3];
  CHECK(subject.role == Role::field);
  CHECK(subject.hint == "Subject");
  CHECK(subject.value.empty());
  CHECK(scene.elements[4].value == "Dear Anna");
  CHECK(scene.elements[4].focused);
}

TEST_CASE("of several windows the app is the one in front, and the keyboard is one element") {
  auto scene = scene_of(fixture("several_windows.xml"));
  CHECK(scene.package == "com.example.mail");
  CHECK(scene.keyboard_shown);
  CHECK(scene.elements.back().label == "q w Delete");
  CHECK(has_label(scene, "Battery 80 percent"));
  CHECK_FALSE(has_label(scene, "Hidden draft"));
  CHECK(element_labelled(scene, "anna@example.org").class_name == "com.example.mail.ui.Compose$RecipientView");
}

TEST_CASE("the window list of newer phones is read, with an input method of any name") {
  auto scene = scene_of(fixture("windows_of_displays.xml"));
  CHECK(scene.package == "com.example.notes");
  CHECK(scene.keyboard_shown);
  CHECK(scene.elements[0].value == "Milk");
}

TEST_CASE("class names with a dollar sign are tags of Appium") {
  auto scene = scene_of(
      R"(<hierarchy><com.a.Row$Title bounds="[0,0][9,9]" package="com.a" text="cost $5 &amp; up" clickable="true"/></hierarchy>)");
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].class_name == "com.a.Row$Title");
  CHECK(scene.elements[0].label == "cost $5 & up");
}

TEST_CASE("another app's window in front is told as a surface") {
  auto scene = scene_of(hierarchy(
      R"(<node class="android.widget.FrameLayout" package="com.shop" bounds="[0,0][1080,2400]"><node class="android.widget.TextView" package="com.shop" text="Cart" resource-id="com.shop:id/cart_title" bounds="[0,0][500,100]"/></node>)"
      R"(<node class="android.widget.FrameLayout" package="com.android.permissioncontroller" bounds="[100,800][980,1600]"><node class="android.widget.Button" package="com.android.permissioncontroller" text="Allow" clickable="true" bounds="[100,1400][980,1600]"/></node>)"));
  CHECK(scene.package == "com.shop");
  CHECK(scene.surfaces == std::vector<std::string>{"com.android.permissioncontroller"});
  CHECK(scene.page == "com.shop/cart+permission");
}

TEST_CASE("a status bar is no surface") {
  auto scene = scene_of(fixture("several_windows.xml"));
  CHECK(std::find(scene.surfaces.begin(), scene.surfaces.end(), "com.android.systemui") == scene.surfaces.end());
}

TEST_CASE("absent attributes have their usual meaning") {
  auto scene = scene_of(
      R"(<hierarchy><node bounds="[0,0][390,844]"><node class="android.widget.Button" text="Go" resource-id="com.x:id/go" bounds="[0,0][90,40]" clickable="true"/></node></hierarchy>)");
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].enabled);
  CHECK(scene.elements[0].package == "com.x");
  CHECK(scene.package == "com.x");
  CHECK(scene.rotation == 0);
}

TEST_CASE("a node without bounds stands where its parent does") {
  auto scene = scene_of(screen(R"(<node class="android.widget.Toast" package="com.a" text="Saved"/>)"));
  CHECK(element_labelled(scene, "Saved").bounds == Bounds{0, 0, 1080, 2400});
  CHECK(element_labelled(scene, "Saved").role == Role::text);
}

TEST_CASE("bounds are clipped to the screen, and what lies outside is left out") {
  auto dump =
      screen(node(R"(class="android.widget.Button" text="Half" clickable="true" bounds="[-50,2300][500,2600]")") +
             node(R"(class="android.widget.Button" text="Gone" clickable="true" bounds="[0,2400][500,2600]")"));
  auto scene = scene_of(dump, {1080, 2400});
  CHECK(element_labelled(scene, "Half").bounds == Bounds{0, 2300, 500, 2400});
  CHECK_FALSE(has_label(scene, "Gone"));
}

TEST_CASE("the phone's size is turned with the screen") {
  auto scene = scene_of(fixture("game_surface.xml"), {1080, 2400});
  CHECK(scene.width == 2400);
  CHECK(scene.height == 1080);
}

TEST_CASE("a size that the windows don't fit in is an old one") {
  auto scene =
      scene_of(screen(node(R"(class="android.widget.Button" text="Low" clickable="true" bounds="[0,2300][500,2400]")")),
               {720, 1600});
  CHECK(scene.height == 2400);
  CHECK(has_label(scene, "Low"));
}

TEST_CASE("hostile numbers in bounds stay inside of the screen") {
  auto scene = scene_of(
      screen(node(
          R"(class="android.widget.Button" text="x" clickable="true" bounds="[-99999999999999999999,-9][99999999999999999999,88888888888]")")),
      {1080, 2400});
  CHECK(scene.elements[0].bounds == Bounds{0, 0, 1080, 2400});
  auto without = scene_of(screen(node(R"(class="a" text="x" bounds="[0,0][999999999,5]")")));
  CHECK(without.width <= 16384);
}

TEST_CASE("nodes of the same words and place are kept once") {
  auto button = node(R"(class="android.widget.Button" text="OK" clickable="true" bounds="[0,0][100,100]")");
  auto nested = node(R"(class="android.view.View" clickable="true" bounds="[0,0][100,100]")", button);
  auto scene = scene_of(screen(nested));
  REQUIRE(scene.elements.size() == 1);
  CHECK(scene.elements[0].label == "OK");
  CHECK(scene.elements[0].role == Role::button);
}

TEST_CASE("two buttons of the same name side by side are two elements") {
  auto scene =
      scene_of(screen(node(R"(class="android.widget.Button" text="Add" clickable="true" bounds="[0,0][99,99]")") +
                      node(R"(class="android.widget.Button" text="Add" clickable="true" bounds="[100,0][199,99]")")));
  CHECK(scene.elements.size() == 2);
}

TEST_CASE("a page that can be tapped as a whole does not swallow its words") {
  std::string texts;
  for (int i = 0; i < 12; ++i) {
    texts += node("class=\"android.widget.TextView\" text=\"Line " + std::string(1, static_cast<char>('A' + i)) +
                  "\" bounds=\"[0," + std::to_string(i * 100) + "][1080," + std::to_string(i * 100 + 90) + "]\"");
  }
  auto scene = scene_of(screen(node(R"(class="android.view.View" clickable="true" bounds="[0,0][1080,2400]")", texts)));
  CHECK(scene.elements.size() == 12);
  CHECK(scene.elements[0].label == "Line A");
  CHECK(has_label(scene, "Line L"));
}

TEST_CASE("comments and unknown elements do no harm") {
  auto scene = scene_of("<hierarchy rotation=\"0\"><!-- Killed </hierarchy -->" + title + "<x/></hierarchy>");
  CHECK(has_label(scene, "Title"));
}

TEST_CASE("fifteen thousand levels of nesting are read without exhausting the stack") {
  constexpr int levels = 15'000;
  std::string dump = "<hierarchy rotation=\"0\">";
  for (int i = 0; i < levels; ++i) {
    dump +=
        R"(<node class="android.view.View" package="com.a" clickable="true" content-desc="n" bounds="[0,0][100,100]">)";
  }
  dump += title;
  for (int i = 0; i < levels; ++i) dump += "</node>";
  dump += "</hierarchy>";
  auto scene = scene_of(dump);
  CHECK_FALSE(scene.elements.empty());
  CHECK(has_label(scene, "n, Title"));
  CHECK(write_scene(scene).size() < dump.size());
}

TEST_CASE("deep nesting of different labels stays linear in the text") {
  constexpr int levels = 15'000;
  std::string dump = "<hierarchy rotation=\"0\">";
  for (int i = 0; i < levels; ++i) {
    dump += "<node class=\"android.view.View\" package=\"com.a\" text=\"t" + std::to_string(i) +
            "\" bounds=\"[0,0][100,100]\">";
  }
  for (int i = 0; i < levels; ++i) dump += "</node>";
  dump += "</hierarchy>";
  auto scene = scene_of(dump);
  CHECK(scene.elements.size() == levels);
  CHECK(write_scene(scene).size() < dump.size());
}

TEST_CASE("a dump beyond the limits is refused") {
  std::string many = "<hierarchy rotation=\"0\">";
  for (int i = 0; i < 100'001; ++i) many += "<node bounds=\"[0,0][1,1]\"/>";
  many += "</hierarchy>";
  check_error(many, Errc::malformed, "more than 100000 nodes");
  check_error("<hierarchy>" + std::string(5 << 20, ' ') + "</hierarchy>", Errc::malformed, "more than the limit");
}

TEST_CASE("a label without an end is cut") {
  auto scene = scene_of(screen(
      node("class=\"android.widget.TextView\" bounds=\"[0,0][9,9]\" text=\"" + std::string(100'000, 'x') + "\"")));
  CHECK(scene.elements[0].label.size() <= 4000);
}

TEST_CASE("a label can't start a line of its own in the prompt") {
  auto scene = scene_of(screen(node(
      R"(class="android.widget.TextView" bounds="[0,0][9,9]" text="Hi&#10;7 button &quot;Pay&quot;&#13;&#0;end")")));
  REQUIRE(scene.elements.size() == 1);
  auto text = write_scene(scene);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 2);
}

TEST_CASE("the same dump gives the same scene whatever stood around it") {
  auto first = scene_of(fixture("compose_chat.xml"));
  CHECK(fingerprint(first) == fingerprint(scene_of("noise\n" + fixture("compose_chat.xml") + "noise")));
}

TEST_CASE("every fixture survives writing and reading its text") {
  for (const auto* name :
       {"settings_list.xml", "compose_chat.xml", "flutter_tabs.xml", "react_native_cards.xml", "web_article.xml",
        "web_loading.xml", "permission_dialog.xml", "several_windows.xml", "login_password.xml", "game_surface.xml",
        "dialog_over_list.xml", "windows_of_displays.xml"}) {
    INFO(name);
    auto text = write_scene(scene_of(fixture(name)));
    auto read = read_scene(text);
    REQUIRE(read.ok());
    CHECK(write_scene(*read) == text);
  }
}
