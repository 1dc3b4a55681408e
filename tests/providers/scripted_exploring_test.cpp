#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "decision_fixture.hpp"

using namespace drover;
using namespace drover::providers::scripted;

namespace {

constexpr std::string_view home =
    "page com.demo.launcher/home app com.demo.launcher size 1080x2400\n"
    "1 item \"Clock\"\n2 item \"Settings\"\n";

constexpr std::string_view drawer =
    "page com.demo.launcher/drawer app com.demo.launcher size 1080x2400\n"
    "1 field \"Search apps\"\n2 item \"Clock\"\n3 item \"Settings\"\n4 item \"Tea timer\"\n";

/// Plays a phone whose apps have one page each, for a prompt that shows only
/// the last steps, as a long history does. Rationales are left out where
/// `forced` says so.
struct DeadEndPhone {
  std::vector<std::string> steps;  ///< What was tapped or pressed.
  bool gave_up = false;

  template <class Forced>
  void follow(std::string_view goal, int most_steps, Forced forced) {
    const std::vector<std::string> apps = {"Clock", "Settings", "Tea timer"};
    std::vector<std::string> lines;
    std::string notes;
    std::string place = "home";
    for (int step = 1; step <= most_steps && !gave_up; ++step) {
      const auto page = place == "home" ? home : place == "drawer" ? drawer : std::string_view{};
      const auto inside = "page com.demo." + place + "/main app com.demo." + place +
                          " size 1080x2400\n1 text \"Nothing to see\"\n2 item \"One\"\n3 item \"Two\"\n";
      std::string history;
      const auto shown = std::min<std::size_t>(lines.size(), 6);
      if (shown < lines.size())
        history = "{\"earlier_steps\":" + std::to_string(lines.size() - shown) + ",\"pages\":[]}\n";
      for (auto i = lines.size() - shown; i < lines.size(); ++i) history += lines[i];
      auto text = prompt_text(goal, page.empty() ? inside : page, history,
                              std::to_string(step) + " of " + std::to_string(most_steps));
      if (!notes.empty()) text.insert(text.find("History"), "Notes:\n" + notes);
      const auto prompt = read_prompt(text);
      REQUIRE(prompt.scene);
      const auto decision = decide(prompt, [](std::string_view) { return true; });
      if (decision.tool == finish_tool) {
        CHECK_FALSE(boolean_or(decision.arguments, "success", true));
        gave_up = true;
        return;
      }
      Json action = decision.arguments;
      action["tool"] = decision.tool;
      const auto* aimed = prompt.scene->find(element_of(decision));
      if (aimed != nullptr) action["on"] = aimed->label;
      const Json line = {{"page", prompt.scene->page},
                         {"action", action},
                         {"purpose", text_or(decision.arguments, "purpose")},
                         {"rationale", forced(step) ? std::string{} : decision.rationale},
                         {"success", true},
                         {"observed", "the screen changed"}};
      lines.push_back(dump_json(line) + "\n");
      steps.push_back(decision.tool == "tap" ? text_or(action, "on") : decision.tool);
      if (decision.tool == "note") notes += "- " + dump_json(decision.arguments["text"]) + "\n";
      if (decision.tool == "swipe" && place == "home") place = "drawer";
      if (decision.tool == "press_key") place = "home";
      if (decision.tool == "tap" && (place == "home" || place == "drawer"))
        place = std::to_string(std::find(apps.begin(), apps.end(), steps.back()) - apps.begin());
    }
  }
};

}  // namespace

TEST_CASE("each app of the home screen and of the list of all apps is looked into before anything deeper") {
  DeadEndPhone phone;
  phone.follow("Enable the hologram mode", 40, [](int) { return false; });
  CHECK(phone.gave_up);
  CHECK(phone.steps.size() < 30);
  const auto first = [&](std::string_view name) {
    return std::find(phone.steps.begin(), phone.steps.end(), name) - phone.steps.begin();
  };
  for (const auto* app : {"Clock", "Settings", "Tea timer"}) {
    CHECK(first(app) < static_cast<std::ptrdiff_t>(phone.steps.size()));
    CHECK(first(app) < first("One"));
  }
}

TEST_CASE("what was looked behind is remembered when the history is cut and rationales are missing") {
  for (int period = 2; period <= 5; ++period) {
    DeadEndPhone phone;
    phone.follow("Enable the hologram mode", 40, [&](int step) { return step % period == 0; });
    INFO(period);
    CHECK(phone.gave_up);
    CHECK(phone.steps.size() < 30);
  }
}

TEST_CASE("an app that the goal names and the phone lacks is given up after one look into each app") {
  DeadEndPhone phone;
  phone.follow("Play jazz in the radio app", 40, [](int) { return false; });
  CHECK(phone.gave_up);
  CHECK(phone.steps.size() < 15);
  CHECK(phone.steps.front() == "swipe");
  CHECK(std::count(phone.steps.begin(), phone.steps.end(), "One") == 0);
}

TEST_CASE("an app that the goal names is looked for in the list of all apps before another one is opened") {
  for (const auto* goal : {"Open Tea timer", "Open the Tea timer app", "Switch Running on in the Tea timer app"}) {
    INFO(goal);
    CHECK(decide_on(goal, home).tool == "swipe");
    const auto opened = past_step("com.demo.launcher/home", "swipe", "", "Look at all apps");
    CHECK(element_of(decide_on(goal, drawer, opened, "2 of 30")) == 4);
  }
  CHECK(element_of(decide_on("Open the clock app", home)) == 1);
}
