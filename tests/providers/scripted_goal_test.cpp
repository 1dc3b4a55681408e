#include <catch2/catch.hpp>

#include "providers/scripted/goal.hpp"

namespace {

using namespace drover::providers::scripted;

bool is_about(const GoalPart& part, std::string_view name) { return contains(part.object, meaning(name)); }

const GoalPart& only_part(const Goal& goal) {
  REQUIRE(goal.parts.size() == 1);
  return goal.parts.front();
}

}  // namespace

TEST_CASE("words that mean the same on a phone read as one meaning") {
  CHECK(read_terms("flight mode") == read_terms("Aeroplane mode"));
  CHECK(read_terms("shopping cart") == read_terms("basket"));
  CHECK(read_terms("log in") == read_terms("Sign in"));
  CHECK(read_terms("Wi-Fi") == read_terms("WLAN"));
  CHECK(read_identifier("addToCart_button").front() == read_terms("add").front());
  CHECK_FALSE(read_terms("kettle") == read_terms("mug"));
}

TEST_CASE("forms of a word and small slips in spelling still match") {
  CHECK(coverage(read_terms("running shoes"), read_terms("Shoe for a run")) > 0.9);
  CHECK(coverage(read_terms("vibration"), read_terms("Vibrate")) == Approx(1));
  CHECK(coverage(read_terms("kettels"), read_terms("Kettles")) > 0.8);
  CHECK(coverage(read_terms("red kettle"), read_terms("Red mug")) == Approx(0.5));
}

TEST_CASE("a thing is related to the places where it is looked for") {
  CHECK(relatedness(read_terms("flight mode"), read_terms("Network & internet")) > 0.5);
  CHECK(relatedness(read_terms("flight mode"), read_terms("Settings")) > 0.3);
  CHECK(relatedness(read_terms("flight mode"), read_terms("Display")) == Approx(0));
  CHECK(usual_app(read_terms("dark theme")) == "settings");
  CHECK(usual_app(read_terms("shopping cart")) == "shop");
  CHECK(usual_app(read_terms("hologram")).empty());
}

TEST_CASE("switching on and off is read from many wordings") {
  struct Wording {
    const char* text;
    const char* thing;
    bool on;
  };
  const auto wording = GENERATE(
      Wording{"Put the phone into flight mode", "airplane_mode", true},
      Wording{"Take the phone out of airplane mode", "airplane_mode", false},
      Wording{"Please turn the dark theme on", "dark_mode", true},
      Wording{"Switch off the vibration", "vibration", false}, Wording{"Make sure Wi-Fi is off", "wifi", false},
      Wording{"Stop the phone from vibrating", "vibration", false},
      Wording{"The phone should not vibrate", "vibration", false},
      Wording{"Disable Bluetooth on this device", "bluetooth", false}, Wording{"Use the dark theme", "dark_mode", true},
      Wording{"Let the screen rotate by itself", "auto_rotate", true});
  const auto goal = read_goal(wording.text);
  CAPTURE(wording.text);
  const auto& part = only_part(goal);
  CHECK(part.kind == PartKind::set_switch);
  CHECK(is_about(part, wording.thing));
  CHECK(part.on == wording.on);
}

TEST_CASE("a goal of several parts is cut at its verbs") {
  const auto goal = read_goal("Turn on Wi-Fi and Bluetooth, then add two blue mugs to the cart and check out");
  REQUIRE(goal.parts.size() == 4);
  CHECK(goal.parts[0].kind == PartKind::set_switch);
  CHECK(is_about(goal.parts[0], "wifi"));
  CHECK(is_about(goal.parts[1], "bluetooth"));
  CHECK(goal.parts[2].kind == PartKind::add);
  CHECK(goal.parts[2].quantity == 2);
  CHECK(goal.parts[2].object_text == "blue mugs");
  CHECK(goal.parts[3].kind == PartKind::check_out);
}

TEST_CASE("buying is adding and checking out") {
  const auto goal = read_goal("Buy a pair of running shoes");
  REQUIRE(goal.parts.size() == 2);
  CHECK(goal.parts[0].kind == PartKind::add);
  CHECK(goal.parts[0].quantity == 1);
  CHECK(goal.parts[1].kind == PartKind::check_out);
}

TEST_CASE("the thing of one part stands for 'it' in the next") {
  const auto goal = read_goal("Find the red kettle and add it to the basket");
  REQUIRE(goal.parts.size() == 2);
  CHECK(goal.parts[1].kind == PartKind::add);
  CHECK(goal.parts[1].object == goal.parts[0].object);
}

TEST_CASE("credentials are read wherever a goal gives them") {
  const auto goal = GENERATE(as<std::string>{}, "Sign in as mia with password Tea4two and show my past orders",
                             "Log in with the user name \"mia\" and the password \"Tea4two\", then open my orders",
                             "After signing in with mia and Tea4two, look at earlier purchases",
                             "Open my orders. Use the user name mia and the password Tea4two.");
  CAPTURE(goal);
  const auto read = read_goal(goal);
  std::string user;
  std::string password;
  for (const auto& text : read.texts) {
    if (contains(text.field, meaning("password"))) password = text.text;
    if (contains(text.field, meaning("user_name"))) user = text.text;
  }
  CHECK(user == "mia");
  CHECK(password == "Tea4two");
}

TEST_CASE("an e-mail address is a user name, too") {
  const auto goal = read_goal("Sign in with mia.rose@example.com and 'pass word 1'");
  REQUIRE(goal.texts.size() == 2);
  CHECK(goal.texts[0].text == "mia.rose@example.com");
  CHECK(contains(goal.texts[0].field, meaning("email")));
  CHECK(goal.texts[1].text == "pass word 1");
}

TEST_CASE("quoted texts are kept as they are") {
  const auto goal = read_goal("Write a note saying \"Buy milk, then eggs and turn on Wi-Fi\"");
  const auto& part = only_part(goal);
  CHECK(part.kind == PartKind::create);
  CHECK(part.value == "Buy milk, then eggs and turn on Wi-Fi");
}

TEST_CASE("values, questions and places are told apart") {
  CHECK(only_part(read_goal("Change the language to German")).value == "German");
  const auto timeout = read_goal("Set the screen timeout to 5 minutes in the display settings");
  CHECK(only_part(timeout).kind == PartKind::set_value);
  CHECK(only_part(timeout).value == "5 minutes");
  CHECK(contains(only_part(timeout).place, meaning("display")));
  CHECK(only_part(read_goal("What is the battery level?")).kind == PartKind::read);
  CHECK(only_part(read_goal("Find out which Android version is installed")).kind == PartKind::read);
  CHECK(only_part(read_goal("Remove the mug from the basket")).kind == PartKind::remove);
  CHECK(only_part(read_goal("Search for running shoes")).value == "running shoes");
  CHECK(only_part(read_goal("Set an alarm for 7:30")).value == "7:30");
  CHECK(only_part(read_goal("Open the page about this phone")).kind == PartKind::reach);
}

TEST_CASE("a short clause without a question word asks for nothing to be read") {
  struct Wording {
    const char* text;
    PartKind kind;
    const char* thing;
  };
  const auto wording =
      GENERATE(Wording{"Find kettles", PartKind::find, "kettle"}, Wording{"Find the kettle", PartKind::find, "kettle"},
               Wording{"Find kettle", PartKind::find, "kettle"}, Wording{"See notes", PartKind::reach, "note"},
               Wording{"See the notes", PartKind::reach, "note"},
               Wording{"Check notifications", PartKind::reach, "notification"},
               Wording{"Look inside the basket", PartKind::reach, "basket"},
               Wording{"Find out the battery level", PartKind::read, "battery"},
               Wording{"Check how much battery is left", PartKind::read, "battery"},
               Wording{"See whether Bluetooth is on", PartKind::read, "bluetooth"},
               Wording{"Find what the battery level is", PartKind::read, "battery"});
  CAPTURE(wording.text);
  const auto goal = read_goal(wording.text);
  const auto& part = only_part(goal);
  CHECK(name_of(part.kind) == name_of(wording.kind));
  CHECK((is_about(part, wording.thing) || part.object == read_terms(wording.thing)));
}

TEST_CASE("'check it' and 'find it' are about the thing of the part before") {
  const auto checked = read_goal("Remove the mug from the basket and check it");
  REQUIRE(checked.parts.size() == 2);
  CHECK(checked.parts[1].kind == PartKind::reach);
  CHECK(checked.parts[1].object == checked.parts[0].object);
  const auto found = read_goal("Add a red kettle to the basket, then find it");
  REQUIRE(found.parts.size() == 2);
  CHECK(found.parts[1].kind == PartKind::find);
  CHECK(found.parts[1].object == found.parts[0].object);
  CHECK(found.parts[1].value == "red kettle");
  CHECK(only_part(read_goal("Find a kettle")).value == "kettle");
}

TEST_CASE("the means to an end is what is to be done, in every form of its verb") {
  struct Wording {
    const char* text;
    const char* thing;
    bool on;
    const char* does;
  };
  const auto wording = GENERATE(
      Wording{"Save power by turning on the battery saver", "battery_saver", true, "turn on battery saver"},
      Wording{"Save power by turning the battery saver on", "battery_saver", true, "turn on battery saver"},
      Wording{"Save power by switching the battery saver on", "battery_saver", true, "turn on battery saver"},
      Wording{"Save power by switching off Bluetooth", "bluetooth", false, "turn off Bluetooth"},
      Wording{"Save power by enabling the battery saver", "battery_saver", true, "turn on battery saver"},
      Wording{"Save power by activating the battery saver", "battery_saver", true, "turn on battery saver"},
      Wording{"Save power by disabling Bluetooth", "bluetooth", false, "turn off Bluetooth"},
      Wording{"Save power by deactivating Bluetooth", "bluetooth", false, "turn off Bluetooth"},
      Wording{"Rest your eyes by using the dark theme", "dark_mode", true, "turn on dark theme"},
      Wording{"Get some peace by putting the phone into flight mode", "airplane_mode", true, "turn on flight mode"},
      Wording{"Get some peace by setting Wi-Fi to off", "wifi", false, "turn off Wi-Fi"});
  CAPTURE(wording.text);
  const auto goal = read_goal(wording.text);
  const auto& part = only_part(goal);
  CHECK(part.kind == PartKind::set_switch);
  CHECK(is_about(part, wording.thing));
  CHECK(part.object.size() == 1);
  CHECK(part.on == wording.on);
  CHECK(part.text == wording.does);
}

TEST_CASE("who or what stands behind 'by' is no means") {
  CHECK(only_part(read_goal("Find the book by King")).kind == PartKind::find);
  CHECK(only_part(read_goal("Search for songs by Sting")).value == "songs by Sting");
  CHECK(only_part(read_goal("Delete the alarm by turning it off")).kind == PartKind::remove);
}

TEST_CASE("what one wants to get rid of begins behind 'of', or right behind 'rid'") {
  const auto goal = GENERATE(as<std::string>{}, "Get rid of the football note", "Get rid of football note",
                             "Get rid the football note", "Get rid football note", "Remove the football note");
  CAPTURE(goal);
  const auto read = read_goal(goal);
  const auto& part = only_part(read);
  CHECK(part.kind == PartKind::remove);
  CHECK(part.object == read_terms("football note"));
  CHECK(part.object_text.find("football note") != std::string::npos);
}

TEST_CASE("'get rid' stands before anything, also a quoted text and nothing at all") {
  CHECK(only_part(read_goal("Get rid of \"Old kayak\"")).object == read_terms("old kayak"));
  CHECK(read_goal("Get rid").parts.size() == 1);
  CHECK(read_goal("Get rid of").parts.size() == 1);
}

TEST_CASE("a sign-in that is to be refused is one part, however the goal says so") {
  const auto goal = GENERATE(
      as<std::string>{}, "Sign in as mia and see it refused", "Sign in as mia with password wrong1, which is refused",
      "Sign in as mia with the password wrong1 and check that it fails",
      "Try to sign in as mia with the password wrong1. It should be rejected.",
      "Log in with mia and wrong1; the shop must deny access",
      "Sign in as mia and make sure that the sign-in is refused", "Sign in as mia and see that it does not work",
      "Sign in as mia, then verify that mia cannot sign in", "Sign in as mia, expecting a refusal",
      "Sign in as mia with a password that is refused",
      "Make sure that signing in as mia with the password wrong1 fails", "The sign-in as mia must fail",
      "See the sign-in as mia refused");
  CAPTURE(goal);
  const auto read = read_goal(goal);
  const auto& part = only_part(read);
  CHECK(part.kind == PartKind::sign_in);
  CHECK(part.refusal_expected);
}

TEST_CASE("a sign-in that may not fail is no refused one, and other refusals are parts of their own") {
  const auto goal =
      GENERATE(as<std::string>{}, "Sign in as mia", "Sign in as mia with password Tea4two without failing",
               "Sign in as mia and open the rejected orders", "Sign in as mia, it must not fail",
               "Sign in as mia and show the failed payments", "Sign in as mia and read the message",
               "Sign in as mia. If it is refused, open the account");
  CAPTURE(goal);
  const auto read = read_goal(goal);
  REQUIRE_FALSE(read.parts.empty());
  CHECK(read.parts.front().kind == PartKind::sign_in);
  CHECK_FALSE(read.parts.front().refusal_expected);
  const auto orders = read_goal("Sign in as mia and open the rejected orders");
  REQUIRE(orders.parts.size() == 2);
  CHECK(orders.parts[1].kind == PartKind::reach);
  CHECK(only_part(read_goal("Show the failed sign-ins")).kind == PartKind::reach);
}

TEST_CASE("anything at all can be a goal") {
  CHECK(read_goal("").parts.empty());
  CHECK(read_goal("   \n ...").parts.empty());
  CHECK(read_goal("Frobnicate").parts.size() == 1);
  CHECK(read_goal("\"unclosed and then 'mixed").parts.size() >= 1);
  CHECK(read_goal("打开飞行模式").parts.size() == 1);
  CHECK(read_goal(std::string(100'000, 'a')).parts.size() == 1);
}

TEST_CASE("goods that are wished for or fetched are to go into the basket and no further") {
  const auto* text = GENERATE("I'd like a red kettle in my basket", "I want to buy a red kettle, lay it in my basket",
                              "Get me a red kettle", "I need a red kettle in my cart",
                              "A red kettle, please, into the basket", "I'd like to have a red kettle in the basket",
                              "There should be a red kettle in my cart", "My basket should contain a red kettle",
                              "Make sure there is a red kettle in my cart", "Stash a red kettle in the trolley",
                              "I want a red kettle. Put it into the basket.", "Grab a red kettle for me");
  CAPTURE(text);
  const auto goal = read_goal(text);
  const auto& part = only_part(goal);
  CHECK(part.kind == PartKind::add);
  CHECK(part.object == read_terms("red kettle"));
  CHECK(part.quantity == 1);
}

TEST_CASE("what the basket holds is only looked up where the goal checks it") {
  const auto goal = read_goal("Check that the basket contains a red kettle");
  const auto& part = only_part(goal);
  CHECK(part.kind == PartKind::find);
  CHECK(contains(part.place, meaning("basket")));
  CHECK(is_about(part, "kettl"));
  CHECK(only_part(read_goal("Is there a red kettle in my basket?")).kind == PartKind::read);
}

TEST_CASE("other wishes are no goods") {
  CHECK(only_part(read_goal("I want a louder ringtone")).kind != PartKind::add);
  CHECK(only_part(read_goal("I'd like to have Bluetooth on")).kind == PartKind::set_switch);
  CHECK(only_part(read_goal("Get me to the settings")).kind == PartKind::reach);
}

TEST_CASE("what is switched back by a pronoun is what was switched before") {
  const auto goal = read_goal("Turn on flight mode and then turn it off again");
  REQUIRE(goal.parts.size() == 2);
  CHECK(goal.parts[1].kind == PartKind::set_switch);
  CHECK(is_about(goal.parts[1], "airplane_mode"));
  CHECK_FALSE(goal.parts[1].on);
}
