#include <catch2/catch.hpp>
#include <map>

#include "actors/actor_world.hpp"

using namespace drover;
using namespace drover::test;

namespace {

std::vector<Task> tasks(int count, int pages = 3) {
  std::vector<Task> made;
  for (int i = 1; i <= count; ++i) made.push_back(ActorWorld::task("task-" + std::to_string(100 + i), pages));
  return made;
}

}  // namespace

TEST_CASE("calls in flight never exceed the provider's limit") {
  ActorWorld world;
  for (int i = 0; i < 20; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  world.gate.limits.max_in_flight = 3;
  world.gate.adaptive_in_flight = false;
  world.start();
  world.run(tasks(40));
  const auto& ended = world.finish();
  for (const auto& task : ended.tasks) CHECK(task.outcome == Outcome::verified_success);
  CHECK(world.transport->most_in_flight == 3);
}

TEST_CASE("a refusal that passes is retried and not before the provider's wish", "[P7]") {
  ActorWorld world;
  world.add_phone("phone-1");
  std::vector<TimePoint> calls;
  world.model = [&](const net::HttpRequest& request) {
    calls.push_back(world.time.now());
    if (calls.size() == 1) return refusal(429, "rate_limit_error", {{"retry-after", "3"}});
    return tap_until(request, 3);
  };
  world.start();
  world.run(tasks(1));
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  REQUIRE(calls.size() >= 2);
  CHECK(calls[1] - calls[0] >= std::chrono::seconds{3});
  CHECK(world.statistics->transport_retries == 1);
}

TEST_CASE("no decision is made on a screen that grew stale while the call had to wait") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) {
    if (++calls == 1) return refusal(429, "rate_limit_error", {{"retry-after", "20"}});
    return tap_until(request, 3);
  };
  world.start();
  world.run(tasks(1));
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
  CHECK(world.statistics->relooks == 1);
  CHECK(phone.dumps >= 4);
}

TEST_CASE("a key that is refused ends the tasks at once with the infrastructure's exit code") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) { return refusal(401, "authentication_error"); };
  world.start();
  world.run(tasks(3), RetryRules{{}, 0, 0});
  const auto& ended = world.finish(std::chrono::minutes{1});
  for (const auto& task : ended.tasks) {
    CHECK(task.outcome == Outcome::provider_unavailable);
    CHECK(task.reason.rfind("ToolCallUnavailable: ", 0) == 0);
  }
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(world.transport->calls <= 2);
}

TEST_CASE("a line that is full refuses with a typed failure") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.admission.max_waiting = 0;
  world.start();
  world.run(tasks(1), RetryRules{{}, 0, 0});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::provider_unavailable);
  CHECK(ended.tasks.at(0).reason.find("full") != std::string::npos);
}

TEST_CASE("a provider actor that died fails its open calls instead of leaving them open") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    answer.after = std::chrono::seconds{20};
    return answer;
  };
  world.start();
  world.run(tasks(1), RetryRules{{}, 0, 0});
  world.run_until([&] { return world.transport->in_flight == 1; });
  caf::anon_send_exit(world.provider, caf::exit_reason::kill);
  caf::anon_send(world.router, actors::ProviderDied{0});
  const auto& ended = world.finish(std::chrono::seconds{10});
  CHECK(ended.tasks.at(0).outcome == Outcome::provider_unavailable);
}

TEST_CASE("equal sessions are served equally while the model is the bottleneck") {
  ActorWorld world;
  for (int i = 0; i < 30; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  world.gate.limits.max_in_flight = 2;
  world.gate.adaptive_in_flight = false;
  world.model = [](const net::HttpRequest& request) { return tap_until(request, 100000); };
  auto all = tasks(30, 3);
  for (auto& task : all) {
    task.limits.max_steps = 1000;
    task.limits.timeout = std::chrono::hours{1};
  }
  world.start();
  world.run(std::move(all));
  world.advance(std::chrono::minutes{2});
  int least = 1'000'000;
  int most = 0;
  for (const auto& phone : world.phones) {
    least = std::min(least, phone->taps);
    most = std::max(most, phone->taps);
  }
  CHECK(least >= 20);
  CHECK(most - least <= 2);
}

TEST_CASE("a stop cuts off model calls, begins nothing further and ends within five seconds") {
  ActorWorld world;
  for (int i = 0; i < 10; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    answer.after = std::chrono::seconds{25};
    return answer;
  };
  world.start();
  world.run(tasks(50));
  world.run_until([&] { return world.transport->in_flight == 10; });
  int taps = 0;
  for (const auto& phone : world.phones) taps += phone->taps;
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  const auto& ended = world.finish(std::chrono::seconds{5});
  CHECK(world.transport->cut_off == 10);
  CHECK(world.transport->in_flight == 0);
  CHECK(ended.exit_code == exit_code::interrupted);
  REQUIRE(ended.tasks.size() == 50);
  for (const auto& task : ended.tasks) CHECK(task.outcome == Outcome::cancelled);
  int taps_after = 0;
  for (const auto& phone : world.phones) taps_after += phone->taps;
  CHECK(taps_after == taps);
  CHECK(world.statistics->sessions == 0);
}

TEST_CASE("a stop waits for an act that was sent and records what became of it") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.tap_time = std::chrono::milliseconds{1500};
  world.start();
  world.run(tasks(1));
  world.run_until([&] { return phone.taps == 1; });
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  const auto& ended = world.finish(std::chrono::seconds{5});
  CHECK(ended.tasks.at(0).outcome == Outcome::cancelled);
  const auto outcomes = world.journal->of(storage::RecordKind::outcome);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].at("status") == "done");
}

TEST_CASE("an act whose phone stays silent is recorded as in doubt when the run is stopped") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.tap_time = std::chrono::seconds{60};
  world.start();
  world.run(tasks(1));
  world.run_until([&] { return phone.taps == 1; });
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  world.finish(std::chrono::seconds{5});
  const auto outcomes = world.journal->of(storage::RecordKind::outcome);
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].at("status") == "in_doubt");
}

TEST_CASE("many sessions share one commit of the journal") {
  ActorWorld world;
  for (int i = 0; i < 50; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  world.start();
  world.run(tasks(50));
  world.finish();
  CHECK(world.journal->commits * 4 < static_cast<int>(world.journal->entries.size()));
}
