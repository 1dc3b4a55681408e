#include <catch2/catch.hpp>
#include <string>

#include "devices/simulated_phone_fixture.hpp"

namespace drover::devices::simulated {
namespace {

std::string app_with(const std::string& content, const std::string& more = "") {
  return "app: Test\npackage: com.test.app\nvariables: {on: false, other: false, name: '', secret: '', level: 0, "
         "size: M, count: 0}\nlists:\n  things:\n    columns: {name: text, done: truth}\n    rows: [[One, false], "
         "[Two, false], [Three, false]]\nscreens:\n  home:\n    title: Home\n    content:\n" +
         content + more;
}

const std::string switch_app = app_with(
    "      - {switch: Wi-Fi, id: wifi, value: on}\n"
    "      - {button: Go on, id: go, tap: {set: {count: count + 1}}}\n"
    "      - {text: 'Count {count}'}\n");

}  // namespace

TEST_CASE("a tap on a switch's row turns it, and another turns it back") {
  TestPhone phone(switch_app);
  CHECK(!phone.find("wifi_switch")->checked);
  phone.tap("wifi");
  CHECK(phone.find("wifi_switch")->checked);
  phone.tap("wifi");
  CHECK(!phone.find("wifi_switch")->checked);
}

TEST_CASE("a tap beside the switch leaves it as it was") {
  TestPhone phone(switch_app);
  const Bounds row = phone.find("wifi")->bounds;
  phone.tap_at({row.left + 5, row.bottom + 200});
  phone.tap_at({540, 1800});
  phone.tap_at({-10, 99999});
  CHECK(!phone.find("wifi_switch")->checked);
}

TEST_CASE("a broken switch can be tapped and does not move") {
  TestPhone phone(app_with("      - {switch: Wi-Fi, id: wifi, value: on, broken: true}\n"));
  CHECK(phone.find("wifi")->clickable);
  phone.tap("wifi");
  CHECK(!phone.find("wifi_switch")->checked);
}

TEST_CASE("a renamed button shows under its new name and works as before") {
  std::string app = switch_app;
  app.replace(app.find("Go on"), 5, "Carry on");
  TestPhone phone(app);
  CHECK(!phone.shows("Go on"));
  phone.tap("Carry on");
  CHECK(phone.shows("Count 1"));
}

TEST_CASE("a moved button is where its file says, and no longer where it was") {
  TestPhone before(switch_app);
  const Point old_place = before.find("Go on")->bounds.center();
  std::string app = switch_app;
  app.replace(app.find("id: go"), 6, "id: go, at: [100, 1500, 500, 1650]");
  TestPhone phone(app);
  CHECK(phone.find("Go on")->bounds == Bounds{100, 1500, 500, 1650});
  phone.tap_at(old_place);
  CHECK(phone.shows("Count 0"));
  phone.tap_at({300, 1580});
  CHECK(phone.shows("Count 1"));
}

TEST_CASE("a disabled button is there and does nothing") {
  TestPhone phone(
      app_with("      - {button: Buy, id: buy, enabled_when: on, tap: {set: {count: 1}}}\n"
               "      - {switch: Agree, id: agree, value: on}\n      - {text: 'Count {count}'}\n"));
  CHECK(!phone.find("buy")->enabled);
  phone.tap("buy");
  CHECK(phone.shows("Count 0"));
  phone.tap("agree");
  CHECK(phone.find("buy")->enabled);
  phone.tap("buy");
  CHECK(phone.shows("Count 1"));
}

TEST_CASE("what a condition hides is neither seen nor touched") {
  TestPhone phone(
      app_with("      - {button: Secret, visible_when: on, tap: {set: {count: 1}}}\n"
               "      - {switch: Show, id: show, value: on}\n"));
  CHECK(!phone.shows("Secret"));
  phone.tap("show");
  CHECK(phone.shows("Secret"));
}

TEST_CASE("radio buttons share one value") {
  TestPhone phone(
      app_with("      - {radio: Small, value: size, is: S}\n      - {radio: Medium, value: size, is: M}\n"));
  CHECK(phone.find("Medium")->checked);
  phone.tap("Small");
  CHECK(phone.find("Small")->checked);
  CHECK(!phone.find("Medium")->checked);
}

TEST_CASE("a slider goes where it is touched or dragged to") {
  TestPhone phone(app_with("      - {slider: Volume, id: volume, value: level}\n"));
  const Bounds bar = phone.find("volume")->bounds;
  phone.tap_at(bar.center());
  CHECK(phone.find("volume")->text == "50");
  phone.swipe(bar.center(), {bar.right - 1, bar.center().y});
  CHECK(phone.find("volume")->text == "100");
  phone.swipe({bar.right - 1, bar.center().y}, {bar.left - 40, bar.center().y + 10});
  CHECK(phone.find("volume")->text == "0");
}

TEST_CASE("typing without focus types nothing") {
  TestPhone phone(app_with("      - {field: Name, id: name, value: name}\n"));
  phone.type("Anna");
  CHECK(phone.find("name")->text == "Name");
  CHECK(phone.find("name")->hint == "Name");
}

TEST_CASE("a tapped field takes the text, appends to it and loses it by backspaces") {
  TestPhone phone(app_with("      - {field: Name, id: name, value: name}\n"));
  phone.tap("name");
  CHECK(phone.find("name")->focused);
  phone.type("An");
  phone.type("na 日本");
  CHECK(phone.find("name")->text == "Anna 日本");
  REQUIRE(phone.model.handle(primitive::DeleteText{3}));
  CHECK(phone.find("name")->text == "Anna");
  REQUIRE(phone.model.handle(primitive::DeleteText{100}));
  CHECK(phone.find("name")->text == "Name");
}

TEST_CASE("a password is shown as dots, as many as characters") {
  TestPhone phone(app_with("      - {field: Password, id: secret, value: secret, password: true}\n"));
  phone.tap("secret");
  phone.type("pä$s");
  const auto node = phone.find("secret");
  CHECK(node->password);
  CHECK(node->text == "••••");
  CHECK(phone.dump().find("pä$s") == std::string::npos);
}

TEST_CASE("the keyboard hides what lies under it") {
  TestPhone phone(
      app_with("      - {field: Name, id: name, value: name}\n      - {space: 1500}\n"
               "      - {button: Deep down, tap: {set: {count: 1}}}\n      - {text: 'Count {count}'}\n"));
  const Bounds button = phone.find("Deep down")->bounds;
  REQUIRE(button.top > keyboard_top);
  phone.tap("name");
  CHECK(!phone.shows("Deep down"));
  bool keyboard = false;
  for (const DumpNode& node : phone.nodes()) {
    if (node.package == "com.google.android.inputmethod.latin") {
      keyboard = true;
    } else {
      CHECK(node.bounds.bottom <= (node.bounds.top == 0 ? 2400 : keyboard_top));
    }
  }
  CHECK(keyboard);
  phone.tap_at(button.center());
  phone.press(Key::back);
  CHECK(phone.shows("Deep down"));
  CHECK(phone.shows("Count 0"));
  CHECK(phone.model.where() == "com.test.app/home");
}

TEST_CASE("keys of the keyboard type letters where they are drawn") {
  TestPhone phone(app_with("      - {field: Name, id: name, value: name}\n"));
  phone.tap("name");
  phone.tap_at({54, 1900});
  CHECK(phone.find("name")->text.size() == 1);
  CHECK(phone.find("name")->text != "Name");
}

TEST_CASE("a field further down is scrolled into view when it gets the cursor") {
  TestPhone phone(
      app_with("      - {field: First, id: first, value: name}\n      - {space: 1300}\n"
               "      - {field: Second, id: second, value: secret}\n"));
  REQUIRE(phone.find("second")->bounds.top > keyboard_top);
  phone.tap("second");
  REQUIRE(phone.find("second"));
  CHECK(phone.find("second")->focused);
  CHECK(phone.find("second")->bounds.bottom <= keyboard_top);
}

TEST_CASE("enter submits a field, and tab goes to the next one") {
  TestPhone phone(
      app_with("      - {field: First, id: first, value: name, submit: {set: {count: 7}}}\n"
               "      - {field: Second, id: second, value: secret}\n      - {text: 'Count {count}'}\n"));
  phone.tap("first");
  phone.press(Key::tab);
  CHECK(phone.find("second")->focused);
  phone.tap("first");
  phone.press(Key::enter);
  CHECK(phone.shows("Count 7"));
  for (const DumpNode& node : phone.nodes()) CHECK(node.package == "com.test.app");
}

TEST_CASE("a list shows only the rows that fit, and a swipe moves it by its length") {
  std::string rows =
      "      - {repeat: many, show: [{item: '{item.name}', tap: {set: {name: '{item.name}'}}}]}\n"
      "    footer:\n      - {text: 'Chosen {name}'}\n";
  std::string app = app_with(rows);
  std::string list = "  many:\n    columns: {name: text}\n    rows: [";
  for (int i = 1; i <= 60; ++i) list += std::string(i > 1 ? ", " : "") + "[Row " + std::to_string(i) + "]";
  app.insert(app.find("screens:"), list + "]\n");
  TestPhone phone(app);
  CHECK(phone.shows("Row 1"));
  CHECK(!phone.shows("Row 30"));
  CHECK(phone.find("content_list")->scrollable);
  const int before = phone.find("Row 6")->bounds.top;
  phone.swipe({540, 1500}, {540, 1100});
  CHECK(phone.find("Row 6")->bounds.top == before - 400);
  for (int i = 0; i < 20; ++i) phone.swipe({540, 2000}, {540, 500});
  CHECK(phone.shows("Row 60"));
  CHECK(!phone.shows("Row 1"));
  phone.tap("Row 58");
  CHECK(phone.shows("Chosen Row 58"));
  for (int i = 0; i < 20; ++i) phone.swipe({540, 500}, {540, 2000});
  CHECK(phone.shows("Row 1"));
}

TEST_CASE("a short finger move is a tap, a long one is not") {
  TestPhone phone(switch_app);
  const Point at = phone.find("Go on")->bounds.center();
  phone.swipe(at, {at.x + 5, at.y + 5});
  CHECK(phone.shows("Count 1"));
  phone.swipe(at, {at.x + 5, at.y - 300});
  CHECK(phone.shows("Count 1"));
}

const std::string many_screens = app_with(
    "      - {button: Deeper, tap: {go: second}}\n      - {button: Ask, tap: {go: sure}}\n"
    "      - {button: Nudge, tap: {snackbar: Well done}}\n      - {text: 'Count {count}'}\n",
    "  second:\n    title: Second\n    content:\n      - {button: Start again, tap: {restart_at: third}}\n"
    "  third:\n    title: Third\n    content: [{text: Third text}]\n"
    "  stuck:\n    title: Stuck\n    on_back: {set: {count: count + 1}}\n    content: [{text: 'Stuck {count}'}]\n"
    "dialogs:\n  sure:\n    title: Are you sure?\n    content: [{button: Stay here, tap: {set: {count: 3}}}]\n"
    "    buttons:\n      - {button: 'Yes', tap: {set: {count: 9}}}\n      - {button: 'No'}\n"
    "links:\n  - {url: 'test://stuck', go: stuck}\n  - {url: 'test://name/*', go: second, into: name}\n");

TEST_CASE("back goes back one screen at a time and in the end home") {
  TestPhone phone(many_screens);
  CHECK(!phone.shows("Navigate up"));
  phone.tap("Deeper");
  CHECK(phone.model.where() == "com.test.app/second");
  CHECK(phone.shows("Navigate up"));
  phone.press(Key::back);
  CHECK(phone.model.where() == "com.test.app/home");
  phone.press(Key::back);
  CHECK(phone.model.where() == "com.test.launcher/home");
  phone.press(Key::back);
  CHECK(phone.model.where() == "com.test.launcher/home");
}

TEST_CASE("the arrow in the bar goes back, and a restart leaves nothing to go back to") {
  TestPhone phone(many_screens);
  phone.tap("Deeper");
  phone.tap("Navigate up");
  CHECK(phone.model.where() == "com.test.app/home");
  phone.tap("Deeper");
  phone.tap("Start again");
  CHECK(phone.model.where() == "com.test.app/third");
  phone.press(Key::back);
  CHECK(phone.model.where() == "com.test.launcher/home");
}

TEST_CASE("a dialog is all that the dump shows, and its buttons close it") {
  TestPhone phone(many_screens);
  phone.tap("Ask");
  CHECK(phone.shows("Are you sure?"));
  CHECK(!phone.shows("Deeper"));
  phone.tap("Stay here");
  CHECK(phone.shows("Are you sure?"));
  phone.tap("Yes");
  CHECK(phone.model.where() == "com.test.app/home");
  CHECK(phone.shows("Count 9"));
}

TEST_CASE("a tap outside or back closes a dialog that may be closed") {
  TestPhone phone(many_screens);
  phone.tap("Ask");
  phone.tap_at({20, 200});
  CHECK(phone.model.where() == "com.test.app/home");
  phone.tap("Ask");
  phone.press(Key::back);
  CHECK(phone.model.where() == "com.test.app/home");
  CHECK(phone.shows("Count 0"));
}

TEST_CASE("a permission dialog belongs to the permission controller and does not go away by itself") {
  TestPhone phone(
      app_with("      - {button: Ask, tap: {go: may_i}}\n",
               "dialogs:\n  may_i:\n    kind: permission\n    title: Allow Test to see your location?\n"
               "    buttons:\n      - {button: Allow, id: permission_allow_button, tap: {set: {on: true}}}\n"));
  phone.tap("Ask");
  for (const DumpNode& node : phone.nodes()) CHECK(node.package == "com.android.permissioncontroller");
  CHECK(phone.find("permission_message")->text == "Allow Test to see your location?");
  CHECK(phone.find("Allow")->id == "com.android.permissioncontroller:id/permission_allow_button");
  phone.tap_at({20, 200});
  phone.press(Key::back);
  CHECK(phone.shows("Allow"));
  phone.tap("Allow");
  CHECK(phone.model.where() == "com.test.app/home");
}

TEST_CASE("a short message stays for two looks") {
  TestPhone phone(many_screens);
  phone.tap("Nudge");
  CHECK(phone.dump().find("Well done") != std::string::npos);
  CHECK(phone.dump().find("Well done") != std::string::npos);
  CHECK(phone.dump().find("Well done") == std::string::npos);
}

TEST_CASE("a screen may decide itself what back does") {
  TestPhone phone(many_screens);
  REQUIRE(phone.model.handle(primitive::Open{"test://stuck"}));
  phone.press(Key::back);
  CHECK(phone.shows("Stuck 1"));
}

TEST_CASE("a dialog that puts itself in the way belongs to another app and leaves the first as it was") {
  TestPhone phone(catalogue_of(many_screens,
                               "app: System\npackage: com.test.system\nhidden: true\ninterruptions: [low]\n"
                               "screens: {nothing: {content: []}}\ndialogs:\n  low:\n    title: Battery low\n"
                               "    cancelable: false\n    buttons: [{button: OK}]\n"));
  phone.launch("com.test.app");
  phone.tap("Deeper");
  REQUIRE(phone.model.interrupt(5));
  CHECK(!phone.model.interrupt(5));
  CHECK(phone.shows("Battery low"));
  CHECK(!phone.shows("Start again"));
  phone.press(Key::back);
  CHECK(phone.shows("Battery low"));
  phone.tap("OK");
  CHECK(phone.model.where() == "com.test.app/second");
}

TEST_CASE("an app starts by its package, by its name and by its icon") {
  TestPhone phone(catalogue_of(many_screens));
  CHECK(phone.model.where() == "com.test.launcher/home");
  phone.tap("Test");
  CHECK(phone.model.where() == "com.test.app/home");
  phone.press(Key::home);
  CHECK(phone.model.where() == "com.test.launcher/home");
  phone.launch("test");
  CHECK(phone.model.where() == "com.test.app/home");
}

TEST_CASE("an app that is not there can't be launched, and the error says what there is") {
  TestPhone phone(catalogue_of(many_screens));
  const auto reply = phone.model.handle(primitive::Launch{"Calculator"});
  REQUIRE(!reply);
  CHECK(reply.error().code == Errc::action_failed);
  CHECK(reply.error().cause.find("Calculator") != std::string::npos);
  CHECK(reply.error().remedy.find("Test") != std::string::npos);
}

TEST_CASE("leaving keeps an app's screen, terminating forgets the screen and keeps the data") {
  TestPhone phone(many_screens);
  phone.tap("Ask");
  phone.tap("Yes");
  phone.tap("Deeper");
  phone.press(Key::home);
  CHECK(!phone.model.is_cold("com.test.app"));
  phone.launch("com.test.app");
  CHECK(phone.model.where() == "com.test.app/second");
  REQUIRE(phone.model.handle(primitive::Terminate{"com.test.app"}));
  CHECK(phone.model.where() == "com.test.launcher/home");
  CHECK(phone.model.is_cold("com.test.app"));
  phone.launch("com.test.app");
  CHECK(phone.model.where() == "com.test.app/home");
  CHECK(phone.shows("Count 9"));
}

TEST_CASE("a reset closes apps, forgets their data and shows the home screen") {
  TestPhone phone(many_screens);
  phone.tap("Ask");
  phone.tap("Yes");
  phone.model.reset();
  CHECK(phone.model.where() == "com.test.launcher/home");
  phone.launch("com.test.app");
  CHECK(phone.shows("Count 0"));
}

TEST_CASE("links open their screen, and unknown ones are refused") {
  TestPhone phone(catalogue_of(many_screens));
  REQUIRE(phone.model.handle(primitive::Open{"test://name/Anna"}));
  CHECK(phone.model.where() == "com.test.app/second");
  const auto reply = phone.model.handle(primitive::Open{"https://example.org"});
  REQUIRE(!reply);
  CHECK(reply.error().code == Errc::action_failed);
}

TEST_CASE("a link with an item shows that item") {
  TestPhone phone(app_with("      - {text: Nothing}\n",
                           "  thing: {item: things, title: '{item.name}', content: [{text: 'It is {item.name}'}]}\n"
                           "links:\n  - {url: 'test://thing/*', go: thing, list: things, column: name}\n"));
  REQUIRE(phone.model.handle(primitive::Open{"test://thing/Two"}));
  CHECK(phone.shows("It is Two"));
  REQUIRE(phone.model.handle(primitive::Open{"test://thing/Seven"}));
  CHECK(!phone.shows("It is Seven"));
}

TEST_CASE("recents list the apps that ran, and a swipe from the bottom edge goes home") {
  TestPhone phone(many_screens);
  phone.press(Key::recents);
  CHECK(phone.model.where() == "com.test.launcher/recents");
  phone.tap("Test");
  CHECK(phone.model.where() == "com.test.app/home");
  phone.swipe({540, 2395}, {540, 1200});
  CHECK(phone.model.where() == "com.test.launcher/home");
  phone.swipe({540, 1800}, {540, 900});
  CHECK(phone.model.where() == "com.test.launcher/drawer");
}

TEST_CASE("with its display off a phone shows nothing and feels no touch") {
  TestPhone phone(switch_app);
  const Point at = phone.find("wifi")->bounds.center();
  phone.press(Key::power);
  CHECK(phone.dump() == "ERROR: null root node returned by UiTestAutomationBridge.\n");
  phone.tap_at(at);
  phone.press(Key::power);
  CHECK(!phone.find("wifi_switch")->checked);
}

TEST_CASE("rows are added, changed one by one or all at once, and removed") {
  TestPhone phone(app_with(
      "      - {repeat: things, show: [{item: '{item.name}', summary: 'done {item.done}', tap: {set: {item.done: not "
      "item.done}}, hold: {remove: item}}]}\n"
      "      - {button: More, tap: {add: {to: things, name: 'New {count(things)}'}}}\n"
      "      - {button: All, tap: {set_each: {in: things, done: true}}}\n      - {button: None, tap: {clear: things}}\n"
      "      - {text: '{count(things, item.done)} of {count(things)} done'}\n"));
  CHECK(phone.shows("0 of 3 done"));
  phone.tap("Two");
  CHECK(phone.shows("1 of 3 done"));
  phone.hold("One");
  CHECK(!phone.shows("One"));
  CHECK(phone.shows("1 of 2 done"));
  phone.tap("More");
  CHECK(phone.shows("New 2"));
  phone.tap("New 2");
  CHECK(phone.shows("2 of 3 done"));
  phone.tap("All");
  CHECK(phone.shows("3 of 3 done"));
  phone.tap("None");
  CHECK(phone.shows("0 of 0 done"));
}

TEST_CASE("actions that call each other for ever come to an end") {
  TestPhone phone(app_with("      - {button: Loop, tap: {go: loop}}\n",
                           "  loop:\n    on_enter: {go: loop}\n    content: [{text: Round and round}]\n"));
  phone.tap("Loop");
  CHECK(phone.shows("Round and round"));
}

TEST_CASE("one app's screens follow what another app was set to") {
  TestPhone phone(catalogue_of(switch_app,
                               "app: Other\npackage: com.test.other\nscreens:\n  home:\n    content:\n"
                               "      - {text: 'Offline', visible_when: not app.on}\n"
                               "      - {text: 'Online', visible_when: app.on}\n"));
  phone.launch("com.test.other");
  CHECK(phone.shows("Offline"));
  phone.launch("com.test.app");
  phone.tap("wifi");
  phone.launch("com.test.other");
  CHECK(phone.shows("Online"));
}

}  // namespace drover::devices::simulated
