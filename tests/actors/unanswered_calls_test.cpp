#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"
#include "actors/shared_budget.hpp"

using namespace drover;
using namespace drover::test;
using actors::SharedBudget;
using std::chrono::seconds;

namespace {

const RetryRules no_retries{{}, 0, 0};

AnsweringTransport::Answer silence() {
  AnsweringTransport::Answer answer;
  answer.never = true;
  return answer;
}

AnsweringTransport::Answer broken(bool sent) {
  AnsweringTransport::Answer answer;
  answer.response = Error{Errc::network, "the connection broke", ""};
  answer.sent = sent;
  return answer;
}

/// A world with one phone and a budget of the day, which counts.
struct CountedWorld : ActorWorld {
  explicit CountedWorld(std::optional<std::uint64_t> tokens = {}) {
    add_phone("phone-1");
    BudgetSettings settings;
    settings.task.tokens = tokens;
    budget = std::make_shared<SharedBudget>(settings, journal, time);
    REQUIRE(budget->open().ok());
  }

  /// Runs one task and checks that the budget, the statistics, the provider's account, the
  /// task and the decisions have counted the same. Gives the decisions.
  std::vector<Json> count(Duration timeout, Outcome outcome) {
    start();
    auto only = task("a", 2);
    only.limits.timeout = timeout;
    run({only}, no_retries);
    const auto& batch = finish();
    drain();
    REQUIRE(batch.tasks.size() == 1);
    CHECK(batch.tasks[0].outcome == outcome);
    reason = batch.tasks[0].reason;
    REQUIRE(budget->close().ok());
    const auto decisions = journal->of(storage::RecordKind::decision);
    std::uint64_t calls = 0;
    std::uint64_t tokens = 0;
    for (const auto& decision : decisions) {
      if (!decision.contains("usage")) continue;
      const auto& usage = decision.at("usage");
      calls += usage.value("calls", 0u);
      tokens += usage.value("input_tokens", 0u) + usage.value("output_tokens", 0u);
    }
    const std::string day = "budget/" + to_iso8601(time.utc_now()).substr(0, 10);
    CHECK(static_cast<std::uint64_t>(journal->counters[day + "/tokens"]) == tokens);
    CHECK(statistics->input_tokens + statistics->output_tokens == tokens);
    CHECK(batch.tasks[0].usage.input_tokens + batch.tasks[0].usage.output_tokens == tokens);
    CHECK(batch.tasks[0].usage.calls == calls);
    CHECK(account->input_tokens + account->output_tokens == tokens);
    CHECK(account->calls_cut_off == statistics->calls_cut_off);
    CHECK(journal->counters[day + "/calls"] == transport->calls);
    return decisions;
  }

  std::string reason;
};

std::string error_of(const Json& decision) { return decision.value("error", ""); }

}  // namespace

TEST_CASE("calls that time out until their screens are stale each leave a record with its error and estimate") {
  CountedWorld world;
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) { return ++calls <= 2 ? silence() : tap_until(request, 2); };
  const auto decisions = world.count(std::chrono::minutes{10}, Outcome::verified_success);
  REQUIRE(decisions.size() == 4);
  for (std::size_t i : {0u, 1u}) {
    CHECK(error_of(decisions[i]) == "no answer in time");
    CHECK(decisions[i].at("provider") == "test");
    CHECK(decisions[i].at("request") == i + 1);
    CHECK(decisions[i].at("step") == 1);
    CHECK(decisions[i].at("usage").at("calls") == 1);
    CHECK(decisions[i].at("usage").at("input_tokens") > 500);
  }
  CHECK(decisions[2].at("request") == 3);
  CHECK(error_of(decisions[2]).empty());
  CHECK(world.statistics->calls_cut_off == 2);
}

TEST_CASE("a budget that calls without an answer have used up says the same as the statistics") {
  CountedWorld world(6500);
  world.model = [](const net::HttpRequest&) { return silence(); };
  const auto decisions = world.count(std::chrono::minutes{30}, Outcome::budget_exhausted);
  CHECK(world.reason.find("the task's budget of 6500 tokens is used up") != std::string::npos);
  CHECK(world.transport->calls >= 2);
  CHECK(world.statistics->calls_cut_off == static_cast<std::uint64_t>(world.transport->calls));
  REQUIRE(decisions.size() >= static_cast<std::size_t>(world.transport->calls));
}

TEST_CASE("a connection that breaks after its call was sent is counted, although the next try is answered at once") {
  CountedWorld world;
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) { return ++calls == 1 ? broken(true) : tap_until(request, 2); };
  const auto decisions = world.count(std::chrono::minutes{10}, Outcome::verified_success);
  REQUIRE(decisions.size() == 3);
  CHECK(error_of(decisions[0]) == "the connection broke");
  CHECK(error_of(decisions[1]).empty());
  CHECK(decisions[1].at("retries") == 1);
  CHECK(world.statistics->transport_retries == 1);
}

TEST_CASE("a call that was never sent has consumed nothing, but for a call of the budget") {
  CountedWorld world;
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) { return ++calls == 1 ? broken(false) : tap_until(request, 2); };
  CHECK(world.count(std::chrono::minutes{10}, Outcome::verified_success).size() == 2);
  CHECK(world.statistics->calls_cut_off == 0);
}

TEST_CASE("a deadline finds every call counted, be it under way, waiting for its retry or given up") {
  const auto timeout = GENERATE(seconds{2}, seconds{31}, seconds{40}, seconds{62});
  CAPTURE(timeout.count());
  CountedWorld world;
  world.model = [](const net::HttpRequest&) { return silence(); };
  // One call may be cut short by the task's own time; a second that stays silent too is the provider's fault.
  const bool twice = timeout > seconds{35};
  const auto decisions = world.count(timeout, twice ? Outcome::provider_unavailable : Outcome::timeout);
  CHECK(decisions.size() == static_cast<std::size_t>(world.transport->calls));
  for (const auto& decision : decisions) CHECK_FALSE(error_of(decision).empty());
}

TEST_CASE("a call that a second provider answers after the first was silent has a record of each") {
  CountedWorld world;
  world.gate.max_retries = 0;
  world.model = [](const net::HttpRequest&) { return broken(true); };
  world.second_model = [](const net::HttpRequest& request) { return tap_until(request, 2); };
  world.start();
  world.run({ActorWorld::task("a", 2)}, no_retries);
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  std::uint64_t tokens = 0;
  std::uint64_t silent = 0;
  for (const auto& decision : world.journal->of(storage::RecordKind::decision)) {
    tokens += decision.at("usage").value("input_tokens", 0u);
    silent += error_of(decision).empty() ? 0 : 1;
  }
  CHECK(silent == static_cast<std::uint64_t>(world.transport->calls));
  CHECK(world.statistics->calls_cut_off == silent);
  CHECK(world.statistics->input_tokens == tokens);
  CHECK(ended.tasks.at(0).usage.input_tokens == tokens);
}
