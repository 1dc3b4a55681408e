#include "cli/decision_comparison.hpp"

#include <catch2/catch.hpp>

#include <sstream>

#include "cli/terminal_width.hpp"

using namespace drover;
using namespace drover::cli;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

DecisionRecord tap(int element, const std::string& purpose = "turn it on") {
  DecisionRecord record;
  record.provider = "main";
  record.model = "m";
  record.tool = "tap";
  record.arguments = {{"element", element}};
  record.purpose = purpose;
  record.usage = {1, 1000, 400, 20, 0, Money{4200, "USD"}};
  record.called = 812ms;
  return record;
}

DecisionRecord failed(const std::string& error) {
  DecisionRecord record;
  record.error = error;
  return record;
}

}  // namespace

TEST_CASE("two decisions for the same act are the same, whatever the reasons that are given") {
  CHECK(is_same_act(tap(3), tap(3, "because")));
  CHECK_FALSE(is_same_act(tap(3), tap(4)));
  CHECK_FALSE(is_same_act(failed("x"), failed("x")));
  CHECK(differences(tap(3), tap(3)).empty());
  CHECK(differences(tap(3), tap(4, "because")) == std::vector<std::string>{"arguments", "purpose"});
}

TEST_CASE("errors in other words are no difference, an error in the place of a decision is one") {
  CHECK(differences(failed("one"), failed("another")).empty());
  CHECK(differences(tap(3), failed("x")) == std::vector<std::string>{"tool", "arguments", "purpose", "error"});
  CHECK(act_text(tap(3)) == "tap {\"element\":3}");
  CHECK(act_text(failed("x")) == "no decision: x");
  CHECK(act_text(DecisionRecord{}) == "no call");
}

TEST_CASE("a turn is its last request, with what all of its requests consumed and took") {
  const std::vector<DecisionRecord> requests = {tap(1), tap(2), tap(3)};
  const auto turn = turn_of(requests);
  CHECK(turn.arguments == Json{{"element", 3}});
  CHECK(turn.usage == Usage{3, 3000, 1200, 60, 0, Money{12600, "USD"}});
  CHECK(turn.called == 2436ms);
}

TEST_CASE("decisions stand side by side, and what none of them has is left out") {
  auto other =
      tap(4, "a purpose in so many words that they do not fit into one line of the column that they are given");
  other.provider = "second";
  other.usage.cost.reset();
  const auto text = side_by_side({{"logged", tap(3), 1}, {"second", other, 2}}, any_width);
  INFO(text);
  CHECK_THAT(text, Contains("arguments   {\"element\":3}") && Contains("0.0042 USD") && Contains("no price") &&
                       Contains("1000 (400 cached)") && Contains("812 ms") && !Contains("error") &&
                       !Contains("rationale") && !Contains("…"));
  for (const char* word : {"so many words", "they are given"}) CHECK_THAT(text, Contains(word));
}

TEST_CASE("on a terminal the columns share the width, and long words and other alphabets are broken whole") {
  auto one = tap(3, std::string(100, 'x') + " ünïcödé ünïcödé ünïcödé ünïcödé ünïcödé");
  const auto text = side_by_side({{"logged", one, 1}, {"today", tap(3), 1}}, 80);
  INFO(text);
  std::istringstream lines(text);
  std::size_t marks = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto characters = std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
    CHECK(characters <= 80);
    marks += static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x'));
  }
  CHECK(marks == 100);
}

TEST_CASE("a decision for programs tells an unknown cost as null") {
  auto record = tap(3);
  CHECK(shown_json({"today", record, 1}).at("cost_micros") == 4200);
  record.usage.cost.reset();
  const auto json = shown_json({"today", record, 1});
  CHECK(json.at("cost_micros").is_null());
  CHECK(json.at("decided") == true);
  CHECK(json.at("input_tokens") == 1000);
}
