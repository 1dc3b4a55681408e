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
