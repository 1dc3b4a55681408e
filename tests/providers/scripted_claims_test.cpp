#include <algorithm>

#include "decision_fixture.hpp"
#include "providers/scripted/goal.hpp"

using namespace drover;
using namespace drover::providers::scripted;

namespace {

int count_of_kind(const Goal& goal, PartKind kind) {
  return static_cast<int>(
      std::count_if(goal.parts.begin(), goal.parts.end(), [&](const GoalPart& part) { return part.kind == kind; }));
}

}  // namespace

TEST_CASE("what should not be in the basket, is asked about or is there already is not put in") {
  const auto* text = GENERATE(
      "My basket should not contain a yoga mat", "I don't want a yoga mat in my basket",
      "The basket must not hold a yoga mat", "A yoga mat must not be in the basket",
      "Make sure a yoga mat is not in the basket", "Make sure there isn't a yoga mat in my basket",
      "I want no yoga mat in my basket", "There should never be a yoga mat in the basket",
      "The basket should be without a yoga mat", "Eliminate the yoga mat in the basket",
      "Replace the yoga mat in my basket", "Is a yoga mat in my basket", "Is there a yoga mat in my basket",
      "Do I have a yoga mat in my basket", "Does my basket contain a yoga mat", "Drop the yoga mat from the basket",
      "Do not put a yoga mat into the basket", "Never add a yoga mat to the basket");
  CAPTURE(text);
  const auto goal = read_goal(text);
  CHECK(count_of_kind(goal, PartKind::add) == 0);
  CHECK(goal.parts.size() == 1);
}

TEST_CASE("what is not to be done has no step") {
  const auto* goal = GENERATE("My basket should not contain a yoga mat", "Don't buy a yoga mat", "Do not check out",
                              "Never open the basket");
  const auto decision = decide_on(goal,
                                  "page com.demo.shop/product app com.demo.shop size 1080x2400\n"
                                  "1 text \"Yoga mat\"\n2 button \"Add to basket\"\n3 button \"Basket\"\n"
                                  "4 button \"Checkout\"\n");
  CAPTURE(goal, decision.rationale, decision.tool);
  CHECK(decision.tool == finish_tool);
  CHECK_FALSE(boolean_or(decision.arguments, "success"));
}

TEST_CASE("a basket that is filled and not to be paid for goes no further") {
  const auto* text = GENERATE(
      "Put a yoga mat into the basket, but do not buy it", "Put a yoga mat into the basket and do not check out",
      "Put a yoga mat into the basket and don't pay", "Two yoga mats should be in the basket, nothing else");
  CAPTURE(text);
  const auto goal = read_goal(text);
  CHECK(count_of_kind(goal, PartKind::add) == 1);
  CHECK(goal.parts.size() == 1);
}

TEST_CASE("a wish is for goods where the goal names the shop or its basket") {
  CHECK(count_of_kind(read_goal("I need a quiet phone"), PartKind::add) == 0);
  CHECK(count_of_kind(read_goal("I would like a dark screen"), PartKind::add) == 0);
  CHECK(count_of_kind(read_goal("I need a red kettle from the shop"), PartKind::add) == 1);
  CHECK(count_of_kind(read_goal("I want to buy a red kettle"), PartKind::add) == 1);
}

TEST_CASE("goods that go elsewhere are not put into the basket") {
  const auto bought = read_goal("Buy a yoga mat and add it to my calendar");
  REQUIRE(bought.parts.size() == 3);
  CHECK(bought.parts[1].kind == PartKind::check_out);
  CHECK(bought.parts[2].kind == PartKind::operate);
  const auto added = read_goal("Add a yoga mat to the basket and add it to my calendar");
  REQUIRE(added.parts.size() == 2);
  CHECK(added.parts[0].kind == PartKind::add);
  CHECK(added.parts[1].kind == PartKind::operate);
  CHECK(count_of_kind(read_goal("Add a yoga mat to my calendar"), PartKind::add) == 0);
  CHECK(read_goal("I want to buy a lamp and add it").parts.size() == 1);
}

TEST_CASE("'them' are all things that were switched before, and 'it' is the last") {
  const auto* text = GENERATE("Turn on the dark theme and Bluetooth and then turn them off",
                              "Turn on the dark theme, turn on Bluetooth, then turn both of them off again",
                              "Enable the dark theme and Bluetooth. Disable them.",
                              "Turn on the dark theme and Bluetooth, then turn off both");
  CAPTURE(text);
  const auto goal = read_goal(text);
  REQUIRE(goal.parts.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(goal.parts[i].kind == PartKind::set_switch);
    CHECK(goal.parts[i].on == (i < 2));
    CHECK(goal.parts[i].object == goal.parts[i % 2].object);
  }
  const auto last = read_goal("Turn on the dark theme and Bluetooth and then turn it off");
  REQUIRE(last.parts.size() == 3);
  CHECK(contains(last.parts[2].object, meaning("bluetooth")));
}

TEST_CASE("an act is refused by a message that says no, and by no other words") {
  struct Answer {
    const char* observed;
    bool refused;
  };
  const auto answer = GENERATE(Answer{"the screen changed; new: \"Report archived. Reports you need are kept\"", false},
                               Answer{"the screen changed; new: \"0 reports failed\"", false},
                               Answer{"the screen changed; new: \"Archived. This can't be undone.\"", false},
                               Answer{"the screen changed; new: \"Archived\", \"You need to rest\"", false},
                               Answer{"the screen changed; new: \"Archiving needs a SIM card.\"", true},
                               Answer{"the screen changed; new: \"Archiving failed\"", true},
                               Answer{"the screen changed; new: \"It could not be archived\"", true},
                               Answer{"the screen changed; new: \"12:31\", \"Reports can't be archived\"", true});
  const auto history = past_step("com.demo.reports/report", "tap", "Archive report",
                                 "Use \"Archive report\" to \"Archive report\"", answer.observed);
  const auto decision = decide_on("Archive the report",
                                  "page com.demo.reports/report app com.demo.reports size 1080x2400\n"
                                  "1 text \"Report\"\n2 button \"Archive report\"\n"
                                  "3 text \"Reports can't be archived\" #snackbar_text\n",
                                  history);
  CAPTURE(answer.observed, decision.rationale, dump_json(decision.arguments));
  REQUIRE(decision.tool == finish_tool);
  CHECK(boolean_or(decision.arguments, "success") == !answer.refused);
  CHECK(dump_json(decision.arguments).find("..") == std::string::npos);
}
