#include "cli/model_spending.hpp"

#include <catch2/catch.hpp>

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

DecisionRecord asked(const std::string& model, std::optional<std::int64_t> micros, std::uint64_t input = 100) {
  DecisionRecord record;
  record.model = model;
  record.raw_answer = "{}";
  record.usage = {1, input, 10, 5, 2, std::nullopt};
  if (micros) record.usage.cost = Money{*micros, "USD"};
  return record;
}

}  // namespace

TEST_CASE("what each model consumed is summed up, and an unknown price is no zero") {
  const auto models = spending_by_model({asked("a", 1500), asked("b", std::nullopt), asked("a", 2700), asked("c", 0)});
  REQUIRE(models.size() == 3);
  CHECK(models[0].answered == Usage{2, 200, 20, 10, 4, Money{4200, "USD"}});
  const auto text = spending_text(models);
  INFO(text);
  CHECK_THAT(text, Contains("a: 2 calls, 200 in (20 cached), 10 out (4 thinking), 0.0042 USD\n") &&
                       Contains("b: 1 call, 100 in (10 cached), 5 out (2 thinking), no price\n"));
  const auto json = spending_json(models);
  CHECK(json.at(0).at("cost_micros") == 4200);
  CHECK(json.at(1).at("cost_micros").is_null());
  CHECK(json.at(2).at("cost_micros") == 0);
  CHECK(json.at(0).at("thinking_tokens") == 4);
}

TEST_CASE("one call without a price leaves the model's sum without one") {
  const auto models = spending_by_model({asked("a", 1500), asked("a", std::nullopt)});
  CHECK_FALSE(models.at(0).answered.cost.has_value());
  CHECK_THAT(spending_text(models), Contains("no price"));
}

TEST_CASE("a call that was cut off counts with its estimated tokens and no cost") {
  auto cut = asked("a", std::nullopt, 700);
  cut.raw_answer.clear();
  cut.error = "stopped before an answer came: user";
  CHECK(was_cut_off(cut));
  CHECK(cost_of_decision(cut).empty());
  const auto models = spending_by_model({cut, asked("a", 1500)});
  CHECK_THAT(spending_text(models),
             Contains("a: 2 calls, 800 in") && Contains("0.0015 USD, what was cut off not counted"));
  CHECK(spending_json(models).at(0).at("calls_cut_off") == 1);
  CHECK(spending_json(models).at(0).at("cost_micros") == 1500);
}

TEST_CASE("requests that consumed nothing cost nothing, and those that were never sent are of no model") {
  DecisionRecord refused;
  refused.model = "a";
  refused.error = "connection refused";
  DecisionRecord unsent;
  unsent.error = "no provider is in service";
  const auto models = spending_by_model({refused, unsent});
  REQUIRE(models.size() == 1);
  CHECK_THAT(spending_text(models), Contains("a: 0 calls") && Contains("no cost"));
  CHECK(cost_of_decision(refused).empty());
}
