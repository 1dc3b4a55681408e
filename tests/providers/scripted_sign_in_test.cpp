#include <catch2/catch.hpp>

#include <string>
#include <string_view>

#include "decision_fixture.hpp"

using namespace drover;
using namespace drover::providers::scripted;

namespace {

std::string sign_in_form(std::string_view user, std::string_view password, std::string_view message = {}) {
  return "page com.demo.shop/login app com.demo.shop size 1080x2400\n1 text \"Log in\"\n2 field \"User name\"" +
         std::string{user} + "\n3 field \"Password\"" + std::string{password} + " password\n4 button \"Log in\"\n" +
         (message.empty() ? std::string{} : "5 text \"" + std::string{message} + "\"\n");
}

constexpr std::string_view sign_in_goal = "Sign in to the shop as mia with password Tea4two";
constexpr std::string_view login = "com.demo.shop/login";
constexpr std::string_view sending = "Send the sign-in with \"Log in\"";

}  // namespace

TEST_CASE("a sign-in that was refused and left by other steps is never claimed") {
  const auto history = past_step(login, "tap", "Log in", sending, "new: \"Unknown user name\"") +
                       past_step(login, "press_key", "", "Leave this dead end");
  const auto decision =
      decide_on(sign_in_goal,
                "page com.demo.shop/home app com.demo.shop size 1080x2400\n1 text \"Welcome\"\n2 button \"Account\"\n",
                history, "6 of 30");
  CHECK_FALSE((decision.tool == finish_tool && boolean_or(decision.arguments, "success")));
}

TEST_CASE("a sign-in that led away from its form is done, also when a pop-up came in between") {
  constexpr std::string_view greeting =
      "page com.demo.shop/account app com.demo.shop size 1080x2400\n1 text \"Hello, Mia\"\n";
  const auto sent = past_step(login, "tap", "Log in", sending, "the page is now com.demo.shop/account");
  const auto pop_up = past_step("com.android.systemui/battery+dialog", "tap", "No thanks",
                                "Put \"Battery may run out\" out of the way");
  for (const auto& history : {sent, sent + pop_up}) {
    const auto decision = decide_on(sign_in_goal, greeting, history, "6 of 30");
    CHECK(decision.tool == finish_tool);
    CHECK(boolean_or(decision.arguments, "success"));
  }
}

TEST_CASE("a field that reads empty after a refused form is filled in again and the form sent once more") {
  const auto lost = past_step(login, "input_text", "User name", "Fill in \"User name\"", "the field reads \"\"", false);
  const auto filled = past_step(login, "input_text", "Password", "Fill in \"Password\"");
  const auto refused = past_step(login, "tap", "Log in", sending, "new: \"Unknown user name\"");
  const auto complaint = "Unknown user name or wrong password";
  const auto again =
      decide_on(sign_in_goal, sign_in_form("", " =\"••••\"", complaint), lost + filled + refused, "4 of 30");
  CHECK(again.tool == "input_text");
  CHECK(element_of(again) == 2);
  const auto refilled = past_step(login, "input_text", "User name", "Fill in \"User name\"");
  const auto sent = decide_on(sign_in_goal, sign_in_form(" =\"mia\"", " =\"••••\"", complaint),
                              lost + filled + refused + refilled, "5 of 30");
  CHECK(sent.tool == "tap");
  CHECK(element_of(sent) == 4);
}

TEST_CASE("after two lost texts the field is touched first and then typed into") {
  const auto lost = past_step(login, "input_text", "User name", "Fill in \"User name\"", "the field reads \"\"", false);
  const auto touch = decide_on(sign_in_goal, sign_in_form("", ""), lost + lost, "3 of 30");
  CHECK(touch.tool == "tap");
  CHECK(element_of(touch) == 2);
  const auto touched = past_step(login, "tap", "User name", "Touch \"User name\" before typing");
  const auto typed = decide_on(sign_in_goal, sign_in_form("", ""), lost + lost + touched, "4 of 30");
  CHECK(typed.tool == "input_text");
  CHECK(element_of(typed) == 2);
}
