#include <catch2/catch.hpp>

#include <string>
#include <string_view>

#include "decision_fixture.hpp"

using namespace drover;
using namespace drover::providers::scripted;

namespace {

constexpr std::string_view product =
    "page com.demo.shop/product app com.demo.shop size 1080x2400\n"
    "1 button \"Navigate up\"\n2 text \"Yoga mat\"\n3 text \"27.90 €\"\n4 button \"Add to cart\"\n";

constexpr std::string_view product_and_basket =
    "page com.demo.shop/product app com.demo.shop size 1080x2400\n"
    "1 button \"Navigate up\"\n2 text \"Yoga mat\"\n3 text \"27.90 €\"\n4 button \"Add to cart\"\n"
    "5 button \"Basket, 1 items\"\n";

constexpr std::string_view nothing_changed = "nothing on the screen changed";

}  // namespace

TEST_CASE("a page under a pop-up was reached by the tap before it") {
  const auto history = past_step("com.demo.shop/list", "tap", "Yoga mat, 27.90 €", "Open \"Yoga mat\"",
                                 "the page is now com.android.systemui/battery+dialog") +
                       past_step("com.android.systemui/battery+dialog", "tap", "No thanks",
                                 "Put \"Battery may run out\" out of the way");
  const auto shown = decide_on("Show me the yoga mat in the shop", product, history, "3 of 30");
  CHECK(shown.tool == finish_tool);
  CHECK(boolean_or(shown.arguments, "success"));
  CHECK(element_of(decide_on("Put a yoga mat into the basket", product, history, "3 of 30")) == 4);
}

TEST_CASE("a tap whose effect a pop-up hid is done again unless the page shows that it was taken") {
  const auto history = past_step("com.demo.shop/list", "tap", "Yoga mat, 27.90 €", "Look at \"Yoga mat\"") +
                       past_step("com.demo.shop/product", "tap", "Add to cart", "Add to the basket, 1 of 1",
                                 "the page is now com.android.systemui/battery+dialog") +
                       past_step("com.android.systemui/battery+dialog", "tap", "No thanks",
                                 "Put \"Battery may run out\" out of the way");
  const auto goal = "Put a yoga mat into the basket";
  CHECK(element_of(decide_on(goal, product, history, "4 of 30")) == 4);
  const auto counted = decide_on(goal, product_and_basket, history, "4 of 30");
  CHECK(counted.tool == finish_tool);
  CHECK(boolean_or(counted.arguments, "success"));
}

TEST_CASE("what two lost taps left unseen is tried again before anything that points there less") {
  constexpr std::string_view list =
      "page com.demo.settings/home app com.demo.settings size 1080x2400\n"
      "1 text \"Settings\"\n2 item \"Display\"\n3 item \"Sound\"\n4 item \"Apps\"\n";
  const auto lost = past_step("com.demo.settings/home", "tap", "Display",
                              "Open \"Display\" on the way to \"Use the dark theme\"", nothing_changed);
  CHECK(element_of(decide_on("Use the dark theme", list, lost + lost, "4 of 30")) == 2);
}

TEST_CASE("the switch of a neighbouring thing is not taken for the one that is asked for") {
  const auto decision =
      decide_on("Turn the Wi-Fi off",
                "page com.demo.settings/hotspot app com.demo.settings size 1080x2400\n"
                "1 text \"Hotspot\"\n2 toggle \"Wi-Fi hotspot, Share this phone's connection\" off\n");
  CHECK_FALSE((decision.tool == finish_tool && boolean_or(decision.arguments, "success")));
}
