#include <catch2/catch.hpp>

#include "gate_simulation.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

double share(std::uint64_t accepted, double per_minute, double in_minutes) {
  return static_cast<double>(accepted) / (per_minute * in_minutes);
}

}  // namespace

TEST_CASE("a request limit is used to 98 % and hardly a call is refused") {
  const double per_minute = GENERATE(30.0, 60.0, 600.0, 6000.0);
  const bool short_windows = GENERATE(true, false);
  CAPTURE(per_minute, short_windows);
  GateOptions options;
  options.limits.requests_per_minute = static_cast<std::uint32_t>(per_minute);
  options.limits.max_in_flight = 256;
  SimulatedService service;
  const double capacity = short_windows ? std::max(3.0, per_minute / 60) : per_minute;
  service.requests = {per_minute, capacity, {}};
  GateSimulation simulation(options, service);

  const auto ramp = simulation.run(minutes{1});
  const auto steady = simulation.run(minutes{20});
  const double used = share(steady.accepted, per_minute, 20);
  INFO("share " << used << ", refused " << steady.refused << " of " << steady.accepted + steady.refused);
  CHECK(used >= 0.98);
  CHECK(used <= 1.001);
  CHECK(static_cast<double>(ramp.refused + steady.refused) <=
        0.001 * static_cast<double>(steady.accepted + steady.refused));
}

TEST_CASE("an input token limit is used to 98 % although the estimate is too high") {
  GateOptions options;
  options.limits.input_tokens_per_minute = 400'000;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.input_per_call = 2000;
  service.input_tokens = {400'000, 400'000.0 / 6, {}};
  GateSimulation simulation(options, service, {2600, 1024});
  simulation.run(minutes{1});
  const auto steady = simulation.run(minutes{20});
  const double used = static_cast<double>(steady.accepted) * 2000 / (400'000.0 * 20);
  INFO("share " << used << ", refused " << steady.refused);
  CHECK(used >= 0.98);
  CHECK(static_cast<double>(steady.refused) <= 0.001 * static_cast<double>(steady.accepted));
}

TEST_CASE("an estimate that is too low costs no refusals once usage is known") {
  GateOptions options;
  options.limits.input_tokens_per_minute = 400'000;
  SimulatedService service;
  service.input_per_call = 2000;
  service.input_tokens = {400'000, 400'000.0 / 2, {}};
  GateSimulation simulation(options, service, {1500, 300});
  simulation.run(minutes{1});
  const auto steady = simulation.run(minutes{10});
  const double used = static_cast<double>(steady.accepted) * 2000 / (400'000.0 * 10);
  CHECK(used >= 0.98);
  CHECK(static_cast<double>(steady.refused) <= 0.001 * static_cast<double>(steady.accepted));
}

TEST_CASE("a limit that is not configured is learned from the headers") {
  GateOptions options;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.requests = {600, 600, {}};
  service.tells_limits = true;
  GateSimulation simulation(options, service);
  simulation.run(minutes{2});
  const auto steady = simulation.run(minutes{10});
  CHECK(share(steady.accepted, 600, 10) >= 0.98);
  CHECK(static_cast<double>(steady.refused) <= 0.001 * static_cast<double>(steady.accepted));
  CHECK(simulation.gate.calls_per_minute() == Approx(597).margin(3));
}

TEST_CASE("a limit that is configured too high is kept by slowing down, not by hammering") {
  GateOptions options;
  options.limits.requests_per_minute = 1200;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.requests = {600, 20, {}};
  GateSimulation simulation(options, service);
  simulation.run(minutes{1});
  const auto steady = simulation.run(minutes{10});
  INFO("share " << share(steady.accepted, 600, 10) << ", refused " << steady.refused << " of " << steady.accepted);
  CHECK(share(steady.accepted, 600, 10) >= 0.85);
  CHECK(static_cast<double>(steady.refused) <= 0.1 * static_cast<double>(steady.accepted));
  CHECK(steady.delivered_failures == 0);
}

TEST_CASE("of a service that takes a part of its limit that part is used, and few calls are refused") {
  const double part = GENERATE(0.5, 0.2, 0.1);
  const bool known = GENERATE(true, false);
  CAPTURE(part, known);
  GateOptions options;
  options.limits.requests_per_minute = known ? 600 : 0;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.latency = seconds{2};
  service.requests = {600 * part, std::max(3.0, 10 * part), {}};
  GateSimulation simulation(options, service);
  simulation.run(minutes{2});
  const auto steady = simulation.run(minutes{10});
  INFO("share " << share(steady.accepted, 600 * part, 10) << ", refused " << steady.refused);
  CHECK(share(steady.accepted, 600 * part, 10) >= 0.95);
  CHECK(static_cast<double>(steady.refused) <= (known ? 0.25 : 0.35) * static_cast<double>(steady.accepted));
  CHECK(steady.delivered_failures == 0);
}

namespace {

GateSimulation::Counts shed_by_chance(double shed) {
  GateOptions options;
  options.limits.requests_per_minute = 600;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  Random random(3);
  service.fault = [&random, shed](TimePoint) -> std::optional<ProviderFailure> {
    if (!random.chance(shed)) return std::nullopt;
    ProviderFailure failure;
    failure.kind = FailureKind::overloaded;
    failure.status = 529;
    return failure;
  };
  GateSimulation simulation(options, service);
  simulation.run(minutes{2});
  return simulation.run(minutes{10});
}

}  // namespace

TEST_CASE("a service that sheds every second call, whoever calls, is asked at the full rate") {
  const auto counts = shed_by_chance(0.5);
  CHECK(counts.answers >= 0.85 * 3000);
  CHECK(counts.delivered_failures == 0);
}

TEST_CASE("a service that sheds four of five calls, whoever calls, is asked less, and nothing is given up") {
  const auto counts = shed_by_chance(0.8);
  CHECK(counts.answers >= 0.15 * 1200);
  // Twice what it answered and twenty calls a quarter of a minute.
  CHECK(counts.accepted <= 2 * counts.answers + 20 * 600 / 15);
  CHECK(counts.delivered_failures == 0);
}

TEST_CASE("after minutes in which every call was refused the full rate is back within a minute") {
  GateOptions options;
  options.limits.requests_per_minute = 600;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  TimePoint back{};
  const auto kind = GENERATE(FailureKind::rate_limited, FailureKind::overloaded);
  service.fault = [&back, kind](TimePoint now) -> std::optional<ProviderFailure> {
    if (now >= back) return std::nullopt;
    ProviderFailure failure;
    failure.kind = kind;
    return failure;
  };
  GateSimulation simulation(options, service);
  simulation.run(minutes{1});
  back = simulation.time.now() + minutes{10};
  const auto refused = simulation.run(minutes{10});
  INFO("sent " << refused.accepted);
  CHECK(refused.accepted <= 300);
  CHECK(refused.delivered_failures == 0);
  simulation.run(seconds{50});
  CHECK(simulation.run(seconds{10}).accepted >= 90);
}

TEST_CASE("the rate ramps up at the start and again after idleness") {
  GateOptions options;
  options.limits.requests_per_minute = 600;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.requests = {600, 600, {}};
  GateSimulation simulation(options, service);
  const auto first = simulation.run(seconds{5});
  CHECK(first.accepted < 30);
  CHECK(first.accepted > 10);
  const auto later = simulation.run(seconds{25});
  CHECK(simulation.run(seconds{5}).accepted >= 47);
  CHECK(later.accepted > 200);

  simulation.drain();
  simulation.time.advance(minutes{5});
  CHECK(simulation.run(seconds{5}).accepted < 32);
}

TEST_CASE("without a ramp the full rate is there at once") {
  GateOptions options;
  options.ramp_up = false;
  options.limits.requests_per_minute = 600;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  service.requests = {600, 600, {}};
  GateSimulation simulation(options, service);
  CHECK(simulation.run(seconds{10}).accepted >= 97);
}

TEST_CASE("without any limit the calls in flight grow to the configured number") {
  GateOptions options;
  options.limits.max_in_flight = 40;
  GateSimulation simulation(options, {});
  const auto start = simulation.run(milliseconds{300});
  CHECK(start.most_in_flight <= 8);
  CHECK(simulation.run(minutes{1}).most_in_flight == 40);
}

TEST_CASE("seeded overload costs in-flight calls and no answers") {
  GateOptions options;
  options.limits.max_in_flight = 64;
  SimulatedService service;
  Random random(3);
  service.fault = [&random](TimePoint) -> std::optional<ProviderFailure> {
    if (!random.chance(0.02)) return std::nullopt;
    ProviderFailure failure;
    failure.kind = FailureKind::overloaded;
    failure.status = 529;
    return failure;
  };
  GateSimulation simulation(options, service);
  const auto counts = simulation.run(minutes{10});
  CHECK(counts.delivered_failures == 0);
  CHECK(counts.answers > 10 * 60 * 15);
}

TEST_CASE("while a provider is down it gets single probes, and full traffic when it is back") {
  GateOptions options;
  options.limits.max_in_flight = 32;
  SimulatedService service;
  TimePoint back{};
  service.fault = [&back](TimePoint now) -> std::optional<ProviderFailure> {
    if (now >= back) return std::nullopt;
    ProviderFailure failure;
    failure.kind = FailureKind::server;
    failure.status = 500;
    return failure;
  };
  GateSimulation simulation(options, service);
  back = simulation.time.now() + minutes{5};
  simulation.run(minutes{1});
  CHECK(simulation.gate.breaker_open(simulation.time.now()));
  const auto down = simulation.run(minutes{4});
  CHECK(down.accepted <= 12);
  CHECK(down.most_in_flight <= 1);
  simulation.run(minutes{2});
  CHECK_FALSE(simulation.gate.breaker_open(simulation.time.now()));
  CHECK(simulation.run(minutes{1}).answers > 1000);
}
