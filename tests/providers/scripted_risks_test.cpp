#include <catch2/catch.hpp>

#include <string>

#include "decision_fixture.hpp"
#include "providers/scripted/lexicon.hpp"

using namespace drover;
using namespace drover::providers::scripted;

TEST_CASE("no control that could do harm is taken to explore, whatever of its names it bears") {
  for (const auto* label :
       {"Delete",   "Remove",  "Erase",    "Discard",     "Clear all",  "Empty",    "Pay",     "Pay now",
        "Buy",      "Buy now", "Purchase", "Place order", "Order now",  "Checkout", "Reset",   "Factory reset",
        "Wipe",     "Call",    "Calls",    "Dial",        "Phone call", "Send",     "Submit",  "Post",
        "Sign out", "Log out", "Sign up",  "Register",    "Add",        "New",      "Turn on", "Turn off",
        "Enable",   "Update",  "Allow",    "Deny",        "Block",      "Undo",     "Forget",  "Redeem"}) {
    for (const auto* role : {"button", "item", "image"}) {
      const auto decision =
          decide_on("Enable the hologram mode",
                    "page com.demo.other/main app com.demo.other size 1080x2400\n1 text \"Page\"\n2 " +
                        std::string{role} + " \"" + label + "\"\n");
      INFO(label << " as " << role << ": " << dump_json(decision.arguments));
      CHECK_FALSE(element_of(decision) == 2);
    }
  }
}

TEST_CASE("called is a name and call is an act") {
  CHECK(providers::scripted::contains(read_terms("a note called Ferry"), meaning("name")));
  for (const auto* text : {"Call", "calls", "calling", "Call Nora"})
    CHECK(providers::scripted::contains(read_terms(text), meaning("call")));
}
