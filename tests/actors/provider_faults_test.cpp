#include <catch2/catch.hpp>

#include <optional>

#include "actors/actor_world.hpp"

using namespace drover;
using namespace drover::test;
using namespace std::chrono_literals;

namespace {

const RetryRules no_retries{{}, 0, 0};

std::vector<Task> tasks(int count) {
  std::vector<Task> made;
  for (int i = 1; i <= count; ++i) made.push_back(ActorWorld::task("task-" + std::to_string(i), 2));
  return made;
}

}  // namespace

TEST_CASE("a key that is refused ends every session in line at once, also while every slot is taken") {
  ActorWorld world;
  for (int i = 0; i < 6; ++i) world.add_phone("phone-" + std::to_string(i));
  world.gate.limits.max_in_flight = 2;
  world.gate.adaptive_in_flight = false;
  world.model = [](const net::HttpRequest&) { return refusal(401, "authentication_error"); };
  world.start();
  world.run(tasks(6), no_retries);
  const auto& ended = world.finish(std::chrono::seconds{10});
  REQUIRE(ended.tasks.size() == 6);
  for (const auto& task : ended.tasks) CHECK(task.outcome == Outcome::provider_unavailable);
  CHECK(world.transport->calls <= 2);
}

TEST_CASE("a key that is parked for a while serves again when that is over") {
  ActorWorld world;
  for (int i = 0; i < 3; ++i) world.add_phone("phone-" + std::to_string(i));
  world.gate.limits.max_in_flight = 1;
  world.gate.adaptive_in_flight = false;
  int calls = 0;
  TimePoint first{};
  world.model = [&](const net::HttpRequest& request) {
    if (++calls == 1) {
      first = world.time.now();
      return refusal(429, "insufficient_quota", {{"retry-after", "40"}});
    }
    CHECK(world.time.now() - first >= std::chrono::seconds{40});
    return tap_until(request, 2);
  };
  world.start();
  world.run(tasks(3), no_retries);
  const auto& ended = world.finish(std::chrono::minutes{2});
  int verified = 0;
  for (const auto& task : ended.tasks) verified += task.outcome == Outcome::verified_success ? 1 : 0;
  CHECK(verified == 2);
}

TEST_CASE("a provider that limits calls is in service, however long it goes on") {
  ActorWorld world;
  world.add_phone("phone-1");
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) {
    if (++calls <= 4) return refusal(429, "rate_limit_error", {{"retry-after", "20"}});
    return tap_until(request, 2);
  };
  world.start();
  auto all = tasks(1);
  all[0].limits.timeout = std::chrono::minutes{10};
  world.run(std::move(all), no_retries);
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
}

TEST_CASE("no call is given up for being refused, however often and by however many providers") {
  const bool two = GENERATE(false, true);
  CAPTURE(two);
  ActorWorld world;
  for (int i = 0; i < 12; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  const auto until = [&](const net::HttpRequest& request) {
    if (world.time.now() < TimePoint{} + 1h + 5min) {
      return world.transport->calls % 2 == 0 ? refusal(429, "rate_limit_error") : refusal(529, "overloaded_error");
    }
    return tap_until(request, 2);
  };
  world.model = until;
  if (two) world.second_model = until;
  world.start();
  auto all = tasks(12);
  for (auto& task : all) task.limits.timeout = 10min;
  world.run(std::move(all), no_retries);
  for (const auto& task : world.finish(20min).tasks) CHECK(task.outcome == Outcome::verified_success);
  CHECK(world.transport->calls < 400);
}

TEST_CASE("a call that is refused goes to the next provider at once, and those behind it do not wait for the first") {
  const auto* const wish = GENERATE("1", "3", "40", "200");
  const int status = GENERATE(429, 529);
  CAPTURE(wish, status);
  ActorWorld world;
  for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
  world.model = [&](const net::HttpRequest&) { return refusal(status, "rate_limit_error", {{"retry-after", wish}}); };
  world.second_model = [](const net::HttpRequest& request) { return tap_until(request, 2); };
  world.start();
  const TimePoint began = world.time.now();
  world.run(tasks(8), no_retries);
  for (const auto& task : world.finish(5min).tasks) CHECK(task.outcome == Outcome::verified_success);
  CHECK(world.time.now() - began < 30s);
  CHECK(world.second_transport->calls >= 16);
  CHECK(world.transport->calls <= 12);
}

TEST_CASE("a call that another provider has begins its tries anew there") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) { return refusal(529, "overloaded_error"); };
  world.second_model = [&](const net::HttpRequest& request) {
    return world.second_transport->calls <= 5 ? refusal(500, "api_error") : tap_until(request, 2);
  };
  world.start();
  world.run(tasks(1), no_retries);
  CHECK(world.finish(5min).tasks.at(0).outcome == Outcome::verified_success);
}

TEST_CASE("a provider that refuses until the task's time is over is at fault, and not the model") {
  const auto* const wish = GENERATE("1", "20", "100");
  const bool two = GENERATE(false, true);
  CAPTURE(wish, two);
  ActorWorld world;
  for (int i = 0; i < 3; ++i) world.add_phone("phone-" + std::to_string(i));
  const auto refuse = [&](const net::HttpRequest&) {
    return refusal(429, "rate_limit_error", {{"retry-after", wish}});
  };
  world.model = refuse;
  if (two) world.second_model = refuse;
  world.start();
  auto all = tasks(3);
  for (auto& task : all) task.limits.timeout = 90s;
  world.run(std::move(all), no_retries);
  const auto& ended = world.finish(10min);
  for (const auto& task : ended.tasks) {
    INFO(task.reason);
    CHECK(task.outcome == Outcome::provider_unavailable);
  }
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("a provider that never answers in time is at fault, and not the model") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    AnsweringTransport::Answer answer;
    answer.never = true;
    return answer;
  };
  world.start();
  auto all = tasks(1);
  all[0].limits.timeout = 50s;
  world.run(std::move(all), no_retries);
  CHECK(world.finish(10min).tasks.at(0).outcome == Outcome::provider_unavailable);
}

TEST_CASE("an only provider that asks for minutes costs no attempt whose time goes beyond them") {
  ActorWorld world;
  for (int i = 0; i < 3; ++i) world.add_phone("phone-" + std::to_string(i));
  world.model = [&](const net::HttpRequest& request) {
    if (world.time.now() < TimePoint{} + 1h + 200s) return refusal(429, "rate_limit_error", {{"retry-after", "200"}});
    return tap_until(request, 2);
  };
  world.start();
  auto all = tasks(3);
  for (auto& task : all) task.limits.timeout = 10min;
  world.run(std::move(all), no_retries);
  for (const auto& task : world.finish(20min).tasks) CHECK(task.outcome == Outcome::verified_success);
}

TEST_CASE("a provider that can't be reached ends the run with its cause and a remedy") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    AnsweringTransport::Answer answer;
    answer.response = Error{Errc::network, "nothing answers at 127.0.0.1:1: connection refused", "is it running?"};
    return answer;
  };
  world.start();
  world.run(tasks(1), no_retries);
  const auto& ended = world.finish(std::chrono::minutes{2});
  CHECK(ended.tasks.at(0).outcome == Outcome::provider_unavailable);
  CHECK(ended.tasks.at(0).reason.find("connection refused") != std::string::npos);
  CHECK(ended.tasks.at(0).reason.find("is it running?") != std::string::npos);
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("a provider that has answered once is waited for twice as long as one that never did") {
  // From the first failure until nobody asks it any more, for a while or for good.
  const auto asked_for = [](bool answers_first) {
    ActorWorld world;
    world.add_phone("phone-1");
    std::vector<TimePoint> failures;
    world.model = [&](const net::HttpRequest& request) {
      if (answers_first && world.transport->calls == 1) return tap_until(request, 3);
      failures.push_back(world.time.now());
      return refusal(500, "api_error");
    };
    world.start();
    world.run(tasks(12), no_retries);
    for (const auto& task : world.finish(1h).tasks) CHECK(task.outcome == Outcome::provider_unavailable);
    auto last = failures.begin();
    while (last + 1 != failures.end() && *(last + 1) - *last < 55s) ++last;
    return *last - failures.front();
  };
  const Duration never_answered = asked_for(false);
  CHECK(never_answered >= 30s);
  CHECK(never_answered < 60s);
  const Duration answered = asked_for(true);
  CHECK(answered >= 60s);
  CHECK(answered < 100s);
}

TEST_CASE("a provider that fell silent is tried again, and serves when the outage is over") {
  ActorWorld world;
  world.add_phone("phone-1");
  std::optional<TimePoint> outage;
  world.model = [&](const net::HttpRequest& request) {
    if (world.transport->calls == 1) return tap_until(request, 2);
    if (!outage) outage = world.time.now();
    if (world.time.now() - *outage < 90s) return refusal(500, "api_error");
    return tap_until(request, 2);
  };
  world.start();
  world.run(tasks(20), no_retries);
  int served = 0;
  for (const auto& task : world.finish(10min).tasks) {
    served += task.outcome == Outcome::verified_success ? 1 : 0;
    CHECK((task.outcome == Outcome::verified_success || task.outcome == Outcome::provider_unavailable));
  }
  CHECK(served >= 18);
}

TEST_CASE("who waits for a provider that is silent until its time is over ends as the provider's fault") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [&](const net::HttpRequest& request) {
    return world.transport->calls == 1 ? tap_until(request, 3) : refusal(500, "api_error");
  };
  world.start();
  auto all = tasks(12);
  for (auto& task : all) task.limits.timeout = 50s;
  world.run(std::move(all), no_retries);
  const auto& ended = world.finish(1h);
  int told = 0;
  for (const auto& task : ended.tasks) {
    INFO(task.reason);
    CHECK(task.outcome == Outcome::provider_unavailable);
    told += task.reason.find("nothing but failures") != std::string::npos ? 1 : 0;
  }
  CHECK(told >= 3);
}

TEST_CASE("calls under way are heard out when their provider goes out of service for good") {
  ActorWorld world;
  for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
  world.gate.limits.max_in_flight = 4;
  world.gate.adaptive_in_flight = false;
  world.model = [&](const net::HttpRequest& request) {
    if (world.transport->calls < 4) {
      auto good = tap_until(request, 1);
      good.after = 5s;
      return good;
    }
    return refusal(401, "authentication_error");
  };
  world.start();
  world.run(tasks(4), no_retries);
  int heard = 0;
  for (const auto& task : world.finish(1min).tasks) heard += task.usage.output_tokens > 0 ? 1 : 0;
  CHECK(heard == 3);
}

TEST_CASE("a service whose certificate is refused hands its calls to the next provider") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    AnsweringTransport::Answer answer;
    answer.response = Error{Errc::tls, "the certificate has expired", "name its authority as ca_file"};
    return answer;
  };
  world.second_model = [](const net::HttpRequest& request) { return tap_until(request, 2); };
  world.start();
  world.run(tasks(1), no_retries);
  CHECK(world.finish(std::chrono::minutes{1}).tasks.at(0).outcome == Outcome::verified_success);
  CHECK(world.transport->calls == 1);
}

TEST_CASE("a session whose last provider went out of service ends and holds up nobody") {
  ActorWorld world;
  for (int i = 0; i < 4; ++i) world.add_phone("phone-" + std::to_string(i));
  int second = 0;
  world.model = [&](const net::HttpRequest& request) {
    if (second == 0 && world.transport->calls == 1) return refusal(500, "api_error");
    return tap_until(request, 2);
  };
  world.gate.max_retries = 0;
  world.second_model = [&](const net::HttpRequest&) {
    ++second;
    return refusal(401, "authentication_error");
  };
  world.start();
  world.run(tasks(4), no_retries);
  const auto& ended = world.finish(std::chrono::minutes{1});
  int verified = 0;
  int unavailable = 0;
  for (const auto& task : ended.tasks) {
    verified += task.outcome == Outcome::verified_success ? 1 : 0;
    unavailable += task.outcome == Outcome::provider_unavailable ? 1 : 0;
  }
  CHECK(verified == 3);
  CHECK(unavailable == 1);
  CHECK(second == 1);
}
