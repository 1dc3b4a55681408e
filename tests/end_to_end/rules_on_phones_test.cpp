#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "config/configuration.hpp"
#include "core/json.hpp"
#include "rules_session.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;

namespace {

std::shared_ptr<const devices::simulated::AppCatalogue> shipped_apps() {
  static const auto apps = devices::simulated::load_apps(drover::test::source_folder() + "/configs/apps");
  REQUIRE(apps.apps);
  return apps.apps;
}

struct Goal {
  const char* words;
  const char* app;        ///< To start in; empty: the home screen.
  const char* assertion;  ///< As in a task file.
};

Task task_of(const Goal& goal) {
  Task task;
  task.goal = goal.words;
  task.app = goal.app;
  if (*goal.assertion != '\0') {
    const auto json = parse_json(goal.assertion, "assertion");
    REQUIRE(json.ok());
    const auto assertion = decode_assertion(*json);
    REQUIRE(assertion.ok());
    task.assertions.push_back(*assertion);
  }
  return task;
}

constexpr const char* settings = "com.android.settings";
constexpr const char* shop = "com.example.shop";

// Worded without the labels of the apps, as far as a tester would do without them.
const std::vector<Goal> reachable = {
    {"Make the phone stop all radio communication, as for a flight.", settings,
     R"({"toggle":{"id":"airplane_mode","on":true}})"},
    {"Give the whole phone a black background.", "", R"({"toggle":{"id":"dark_theme","on":true}})"},
    {"Make the letters on the screen as big as they get.", "", R"({"toggle":{"id":"font_largest","on":true}})"},
    {"Stop the phone from vibrating when somebody calls", "", R"({"toggle":{"id":"vibrate","on":false}})"},
    {"Write times with a.m. and p.m.", "", R"({"toggle":{"id":"hour_24","on":false}})"},
    {"Nobody should be able to find out where this phone is.", settings,
     R"({"toggle":{"id":"use_location","on":false}})"},
    {"Keep the screen lit for ten minutes when nobody touches it.", "", R"({"visible":{"text":"*After 10 minutes*"}})"},
    {"Show the menus in German.", settings, R"({"visible":{"text":"Deutsch*In use*"}})"},
    {"Use the open network of the library.", settings, R"({"visible":{"text":"Library-Guest*Connected*"}})"},
    {"Use the network of the coffee bar; the word at the counter is espresso8.", settings,
     R"({"visible":{"text":"CoffeeBar*Connected*"}})"},
    {"Rename the phone to \"Test 7\"", "", R"({"visible":{"text":"*Test 7*"}})"},
    {"The kitchen speaker was given away; the phone should forget it.", settings,
     R"({"absent":{"text":"Kitchen speaker*"}})"},
    {"Put two yoga mats into the shopping cart", "", R"({"visible":{"text":"Basket, 2 items"}})"},
    {"Two rain jackets should be in the basket, nothing else.", shop, R"({"visible":{"text":"Checkout (2*"}})"},
    {"Put the walnut wall clock into the basket and use the code SPRING10.", shop,
     R"({"visible":{"text":"Discount 10 %"}})"},
    {"Has Anna's rain jacket been sent? (anna@example.com, sunflower7) Open that order.", shop,
     R"({"visible":{"text":"On its way"}})"},
    {"Anna (anna@example.com, sunflower7) wants to send her mugs back, order 1038.", shop,
     R"({"visible":{"text":"Return requested"}})"},
    {"Signing in as demo with the password letmein must be refused.", shop, R"({"visible":{"id":"login_error"}})"},
    {"Save a place for deliveries for demo (password demo1234): Kim Roe, Elm Road 5, 10115 Berlin.", shop,
     R"({"visible":{"text":"Kim Roe*Elm Road 5*"}})"},
    {"Buy a yoga mat as demo (demo1234), delivered tomorrow to Kim Roe, Elm Road 5, 10115 Berlin.", shop,
     R"({"visible":{"text":"Your order * was received"}})"},
    {"Does this shop sell kayaks? Search for it.", shop, R"({"visible":{"id":"empty_state"}})"},
    {"How much does the cycling helmet cost in the shop?", "", R"({"visible":{"text":"*59.90*"}})"},
    {"What is the code for the parcel locker? Open the message.", "com.example.messages",
     R"({"visible":{"text":"*4417*"}})"},
    {"Tell Nora that Friday is fine.", "com.example.messages", R"({"visible":{"text":"*Friday is fine*"}})"},
    {"Nothing should be marked as unread any more.", "com.example.messages", R"({"absent":{"text":"*unread*"}})"},
    {"The alarm for the early shift should ring.", "com.example.clock", R"({"visible":{"text":"*Early shift*on"}})"},
    {"Wake me at 05:30 for the ferry; call it Ferry.", "com.example.clock", R"({"visible":{"text":"*05:30*Ferry*"}})"},
    {"Start a countdown of seven minutes.", "com.example.clock", R"({"visible":{"text":"Timer is running"}})"},
    {"Write down under Tickets: Seat 14C.", "com.example.notes", R"({"visible":{"text":"Tickets*Seat 14C*"}})"},
    {"Throw the gift ideas away.", "com.example.notes", R"({"absent":{"text":"Gift ideas*"}})"},
    {"I'd like a yoga mat in my basket", "", R"({"visible":{"text":"Basket, 1 items"}})"},
    {"I want to buy a yoga mat, lay it in my basket", "", R"({"visible":{"text":"Basket, 1 items"}})"},
    {"Get me a yoga mat", "", R"({"visible":{"text":"Basket, 1 items"}})"},
    {"Add the cheapest Movea product to the basket", "", R"({"visible":{"text":"Skipping rope"}})"},
    {"Turn off Wi-Fi and turn on Bluetooth", "", R"({"toggle":{"id":"bluetooth","on":true}})"},
    {"Turn on Wi-Fi and Bluetooth, then turn them off", "", R"({"toggle":{"id":"bluetooth","on":false}})"},
    {"Turn on the dark theme and then add a skipping rope to the basket in the shop", "",
     R"({"visible":{"text":"Basket, 1 items"}})"},
};

const std::vector<Goal> unreachable = {
    {"Enable the hologram mode", "", ""},
    {"Book a flight to Mars", "", ""},
    {"Protect the phone with a PIN.", settings, ""},
    {"Erase everything on this phone.", settings, ""},
    {"Turn on the data saver", "", ""},
    {"Buy the knitted gloves.", shop, ""},
    {"Order a garden gnome in the shop", "", ""},
    {"Put two water bottles into the basket", "", ""},
    {"Is there a yoga mat in my basket?", "", ""},
    {"Check that the basket contains a yoga mat", "", ""},
    {"Call Nora", "", ""},
    {"Remove order 1042 from the history of demo (demo1234).", shop, ""},
    {"Buy a reading lamp in the shop. Sign in as demo with password demo1234", "", ""},
    {"My basket should not contain a yoga mat", "", ""},
    {"I don't want a yoga mat in my basket", "", ""},
    {"The basket must not hold a yoga mat", "", ""},
    {"A yoga mat must not be in the basket", "", ""},
    {"Make sure a yoga mat is not in the basket", "", ""},
    {"The basket should be without a yoga mat", "", ""},
    {"Eliminate the yoga mat in the basket", "", ""},
    {"Replace the yoga mat in my basket", "", ""},
    {"Keep the yoga mat out of the basket", "", ""},
    {"Weigh a yoga mat in the basket", "", ""},
    {"Is a yoga mat in my basket", "", ""},
    {"Do I have a yoga mat in my basket", "", ""},
    {"I need a quiet phone", "", ""},
    {"Do not check out", "", ""},
    {"Buy a yoga mat and add it to my calendar", "", ""},
    {"Add a yoga mat to the basket and add it to my calendar", "", ""},
    {"Add a yoga mat to my calendar", "", ""},
};

}  // namespace

TEST_CASE("goals that name no label are reached on the shipped apps") {
  const auto apps = shipped_apps();
  std::string misses;
  std::size_t reached = 0;
  for (const auto& goal : reachable) {
    const auto report = follow_rules(task_of(goal), apps);
    if (report.verified() && report.steps <= 30) {
      ++reached;
    } else {
      misses += std::string{goal.words} + "\n" + report.text() + "\n\n";
    }
  }
  INFO(misses);
  CHECK(reached * 10 >= reachable.size() * 9);
}

TEST_CASE("goals that can't be reached are given up and never claimed") {
  const auto apps = shipped_apps();
  for (const auto& goal : unreachable) {
    const auto report = follow_rules(task_of(goal), apps);
    INFO(goal.words << "\n" << report.text());
    CHECK(report.finished);
    CHECK_FALSE(report.success);
  }
}

TEST_CASE("the app of the guide to app files is found when a goal names it") {
  std::ifstream guide{drover::test::source_folder() + "/docs/apps.md"};
  const std::string text{std::istreambuf_iterator<char>{guide}, {}};
  const auto begin = text.find("```yaml\n") + 8;
  const TemporaryFolder folder;
  for (const auto& file : std::filesystem::directory_iterator{drover::test::source_folder() + "/configs/apps"})
    std::filesystem::copy(file, folder.path());
  std::ofstream{folder.path() / "tea.yaml"} << text.substr(begin, text.find("```", begin) - begin);
  const auto apps = devices::simulated::load_apps(folder.path().string());
  REQUIRE(apps.apps);
  for (const auto& goal :
       std::vector<Goal>{{"Open Tea timer", "", R"({"visible":{"text":"Green*2 minutes*"}})"},
                         {"Open the Tea timer app", "", R"({"visible":{"text":"Green*2 minutes*"}})"},
                         {"Switch Running on in the Tea timer app", "", R"({"toggle":{"id":"running","on":true}})"},
                         {"Start the tea timer", "", R"({"visible":{"text":"3 minutes"}})"},
                         {"Start the green tea in the tea timer", "", R"({"visible":{"text":"2 minutes"}})"},
                         {"Open Tea timer", "com.example.clock", R"({"visible":{"text":"Green*2 minutes*"}})"}}) {
    const auto report = follow_rules(task_of(goal), apps.apps);
    INFO(goal.words << "\n" << report.text());
    CHECK(report.verified());
    CHECK(report.steps <= 8);
  }
}

TEST_CASE("goods go into the basket as often as asked, whatever the button is called") {
  std::ifstream file{drover::test::source_folder() + "/configs/apps/shop.yaml"};
  const std::string shop_file{std::istreambuf_iterator<char>{file}, {}};
  const std::string label = "\"{if(item.basket == 0, 'Add to basket', 'Add another one')}\"";
  const auto at = shop_file.find(label);
  REQUIRE(at != std::string::npos);
  PhoneFaultSettings faults;
  faults.swallowed_tap = 0.04;
  faults.popup = 0.04;
  for (const std::string name : {"Put into my bag", "Take it", "To the basket"}) {
    const TemporaryFolder folder;
    for (const auto& app : std::filesystem::directory_iterator{drover::test::source_folder() + "/configs/apps"})
      if (app.path().filename() != "shop.yaml") std::filesystem::copy(app, folder.path());
    std::ofstream{folder.path() / "shop.yaml"} << std::string{shop_file}.replace(at, label.size(), "\"" + name + "\"");
    const auto apps = devices::simulated::load_apps(folder.path().string());
    REQUIRE(apps.apps);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto one = task_of({"Put a yoga mat into the basket", "", R"({"visible":{"text":"Basket, 1 items"}})"});
      const auto two = task_of({"Put two yoga mats into the basket", "", R"({"visible":{"text":"Basket, 2 items"}})"});
      for (const auto& task : {one, two}) {
        const auto report = follow_rules(task, apps.apps, seed, seed > 1 ? faults : PhoneFaultSettings{});
        INFO(name << ", seed " << seed << "\n" << report.text());
        CHECK(report.verified() == report.success);
        CHECK((report.success || seed > 1));
      }
    }
  }
}

TEST_CASE("a radio app that no phone has is given up well before the steps run out") {
  const auto apps = shipped_apps();
  PhoneFaultSettings faults;
  faults.swallowed_tap = 0.04;
  faults.popup = 0.02;
  Task task = task_of({"Play jazz in the radio app", "", ""});
  task.limits.max_steps = 40;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto report = follow_rules(task, apps, seed, faults);
    INFO(seed << "\n" << report.text());
    CHECK(report.finished);
    CHECK_FALSE(report.success);
    CHECK(report.steps <= 25);
  }
}

TEST_CASE("swallowed taps, failed dumps and pop-ups change the steps and not the end") {
  const auto apps = shipped_apps();
  PhoneFaultSettings faults;
  faults.swallowed_tap = 0.06;
  faults.popup = 0.03;
  faults.null_root = 0.03;
  faults.dump_failure = 0.02;
  std::string misses;
  std::size_t runs = 0;
  std::size_t reached = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (std::size_t i = 0; i < reachable.size(); i += 3) {
      const auto report = follow_rules(task_of(reachable[i]), apps, seed, faults);
      ++runs;
      if (report.verified()) {
        ++reached;
      } else {
        misses += std::string{reachable[i].words} + ", seed " + std::to_string(seed) + "\n" + report.text() + "\n\n";
      }
    }
  }
  INFO(misses);
  CHECK(reached * 100 >= runs * 85);
}

TEST_CASE("the same seed gives the same steps") {
  const auto apps = shipped_apps();
  PhoneFaultSettings faults;
  faults.swallowed_tap = 0.2;
  const auto task = task_of(reachable.front());
  CHECK(follow_rules(task, apps, 5, faults).log == follow_rules(task, apps, 5, faults).log);
}

TEST_CASE("the tasks of the demonstration are reached within their steps") {
  const auto loaded = config::load(drover::test::source_folder() + "/configs/demo.yaml",
                                   [](const std::string&) { return std::nullopt; });
  REQUIRE(loaded.problems.empty());
  const auto apps = shipped_apps();
  std::size_t passed = 0;
  std::string misses;
  for (const auto& task : loaded.configuration.tasks) {
    const auto report = follow_rules(task, apps);
    if (report.verified()) {
      ++passed;
    } else {
      misses += task.id.value + ": " + task.goal + "\n" + report.text() + "\n\n";
    }
  }
  INFO(misses);
  // Two of them are there to fail: one can't be reached, one is lied about.
  CHECK(passed + 2 == loaded.configuration.tasks.size());
}
