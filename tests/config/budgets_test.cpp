#include <catch2/catch.hpp>

#include "support/configuration_reading.hpp"

using namespace drover;
using namespace drover::test;

TEST_CASE("budgets and prices are read in dollars and kept in millionths") {
  const auto loaded = read(R"(
budgets: {task: {calls: 60, time: 5m}, batch: {money: 2.5}, day: {tokens: 1000000, money: 0.0001}}
providers: [{name: lab, kind: vllm, model: m, price: {input: 0.25, cached_input: 0.02, cache_write: 0.3, output: 10}}]
)");
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  const auto& budgets = loaded.configuration.budgets;
  CHECK(budgets.task.calls == 60);
  CHECK(budgets.task.time == std::chrono::minutes{5});
  CHECK(budgets.batch.micros == 2'500'000);
  CHECK(budgets.day.tokens == 1'000'000);
  CHECK(budgets.day.micros == 100);
  CHECK_FALSE(budgets.day.calls);
  CHECK(loaded.configuration.providers.at(0).price == Price{250'000, 20'000, 300'000, 10'000'000, 0});
}

TEST_CASE("what a price leaves out of the prompt cache costs as much as input, and no price is half a price") {
  const auto priced = [](const std::string& price) {
    return read("providers: [{name: lab, kind: vllm, model: m, price: " + price + "}]\n");
  };
  const auto loaded = priced("{input: 2, output: 10}");
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  CHECK(loaded.configuration.providers.at(0).price == Price{2'000'000, 2'000'000, 2'000'000, 10'000'000, 0});
  CHECK(priced("{input: 2, cached_input: 0, output: 10}").configuration.providers.at(0).price->cached_input == 0);
  for (const auto* const half : {"{input: 2}", "{output: 10}", "{cached_input: 1}", "{}"}) {
    CHECK(all_problems(priced(half)).find("a price needs input and output") != std::string::npos);
  }
}

TEST_CASE("budgets that can't be meant are refused") {
  CHECK(all_problems(read("budgets: {task: {calls: 0}}")).find("a whole number from 1") != std::string::npos);
  CHECK(all_problems(read("budgets: {day: {time: 1h}}")).find("unknown key \"time\"") != std::string::npos);
  CHECK(all_problems(read("budgets: {batch: {money: -1}}")).find("a number from 0.0001") != std::string::npos);
  CHECK(all_problems(read("budgets: {batch: {money: free}}")).find("a number from 0.0001") != std::string::npos);
}
