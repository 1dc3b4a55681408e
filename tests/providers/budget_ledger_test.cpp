#include <catch2/catch.hpp>

#include "providers/budget_ledger.hpp"

using namespace drover;
using namespace drover::providers;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

const TimePoint start{std::chrono::hours{1}};
constexpr BudgetSpent one_call{1, 1000, 2000};

std::string why(const std::optional<BudgetRefusal>& refusal) { return refusal ? refusal->why : ""; }

BudgetSettings of_task(BudgetLimits limits) { return {std::move(limits), {}, {}}; }
BudgetSettings of_batch(BudgetLimits limits) { return {{}, std::move(limits), {}}; }

}  // namespace

TEST_CASE("a budget stops the call that would go beyond it, before it is sent") {
  BudgetLedger ledger(of_batch({3, {}, {}, {}}), {}, start);
  for (std::uint64_t call = 1; call <= 3; ++call) CHECK_FALSE(ledger.set_aside(call, TaskId("a"), one_call, start));
  CHECK(why(ledger.set_aside(4, TaskId("b"), one_call, start)) == "the batch's budget of 3 calls is used up");
  CHECK_FALSE(ledger.exhausted(start));
  for (std::uint64_t call = 1; call <= 3; ++call) ledger.settle(call, one_call);
  CHECK(ledger.exhausted(start) == "the batch's budget of 3 calls is used up");
  CHECK_FALSE(ledger.set_aside(4, TaskId("b"), one_call, start)->for_now);
  CHECK(ledger.batch().calls == 3);
}

TEST_CASE("what is set aside counts as spent until the call is settled") {
  BudgetLedger ledger(of_batch({{}, 2500, {}, {}}), {}, start);
  CHECK_FALSE(ledger.set_aside(1, TaskId("a"), one_call, start));
  CHECK_FALSE(ledger.set_aside(2, TaskId("b"), one_call, start));
  CHECK(why(ledger.set_aside(3, TaskId("c"), one_call, start)) == "the batch's budget of 2500 tokens is used up");
  CHECK(ledger.set_aside(3, TaskId("c"), one_call, start)->for_now);
  CHECK_FALSE(ledger.exhausted(start));
  ledger.settle(1, BudgetSpent{1, 400, 800});
  CHECK(ledger.batch() == BudgetSpent{2, 1400, 2800});
  CHECK_FALSE(ledger.set_aside(3, TaskId("c"), one_call, start));
}

TEST_CASE("a call that was cut off has spent what was set aside, and is settled once") {
  BudgetLedger ledger(of_batch({{}, {}, 5000, {}}), {}, start);
  CHECK_FALSE(ledger.set_aside(1, TaskId("a"), one_call, start));
  ledger.settle(1, std::nullopt);
  ledger.settle(1, BudgetSpent{});
  ledger.settle(9, BudgetSpent{1, 1, 1'000'000});
  CHECK(ledger.batch() == one_call);
  CHECK_FALSE(ledger.set_aside(2, TaskId("a"), one_call, start));
  CHECK(why(ledger.set_aside(3, TaskId("a"), one_call, start)) == "the batch's budget of 0.0050 USD is used up");
}

TEST_CASE("each budget that is used up, money too, lets no task begin") {
  const auto limits =
      GENERATE(BudgetLimits{1, {}, {}, {}}, BudgetLimits{{}, 1000, {}, {}}, BudgetLimits{{}, {}, 2000, {}});
  BudgetLedger ledger(of_batch(limits), {}, start);
  CHECK_FALSE(ledger.exhausted(start));
  CHECK_FALSE(ledger.set_aside(1, TaskId("a"), one_call, start));
  CHECK_FALSE(ledger.exhausted(start));
  ledger.settle(1, BudgetSpent{1, 999, 1999});
  CHECK(ledger.exhausted(start).has_value() == limits.calls.has_value());
  BudgetLedger day({{}, {}, limits}, one_call, start);
  CHECK(day.exhausted(start));
}

TEST_CASE("a task's budget counts its own calls, over all its attempts") {
  BudgetLedger ledger(of_task({2, {}, {}, minutes{5}}), {}, start);
  CHECK_FALSE(ledger.set_aside(1, TaskId("a"), one_call, start));
  ledger.settle(1, one_call);
  CHECK_FALSE(ledger.set_aside(2, TaskId("a"), one_call, start + minutes{1}));
  CHECK(why(ledger.set_aside(3, TaskId("a"), one_call, start + minutes{2})) ==
        "the task's budget of 2 calls is used up");
  CHECK_FALSE(ledger.set_aside(3, TaskId("b"), one_call, start + minutes{2}));
  CHECK_FALSE(ledger.exhausted(start + minutes{2}));
  // b began two minutes after the batch did.
  CHECK_FALSE(ledger.set_aside(4, TaskId("b"), one_call, start + minutes{6}));
  CHECK_FALSE(ledger.set_aside(5, TaskId("c"), one_call, start + minutes{7}));
  CHECK(why(ledger.set_aside(6, TaskId("c"), one_call, start + minutes{12})) ==
        "the task's budget of 300 s is used up");
}

TEST_CASE("the day's budget goes on where other runs left it, and time ends a batch") {
  BudgetLedger day({{}, {}, {{}, {}, 10'000, {}}}, {7, 9000, 7000}, start);
  CHECK_FALSE(day.set_aside(1, TaskId("a"), one_call, start));
  CHECK(why(day.set_aside(2, TaskId("a"), one_call, start)) == "the day's budget of 0.0100 USD is used up");
  CHECK(day.day().micros == 9000);
  CHECK(day.batch().micros == 2000);

  BudgetLedger timed(of_batch({{}, {}, {}, minutes{10}}), {}, start);
  CHECK_FALSE(timed.exhausted(start + minutes{9}));
  CHECK(timed.exhausted(start + minutes{10}) == "the batch's budget of 600 s is used up");
}
