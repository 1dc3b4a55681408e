#include <catch2/catch.hpp>
#include <vector>

#include "gate_fixture.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;
using std::chrono::seconds;

TEST_CASE("the breaker opens on failures, lets one probe through and closes with its answer") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 10; ++i) {
    REQUIRE_FALSE(gate.breaker_open(start));
    fail_once(gate, failure_of_kind(FailureKind::timeout), start);
  }
  CHECK(gate.breaker_open(start));
  const auto ready = gate.readiness(small, start);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  const auto at = std::get<NotBefore>(ready).at;
  CHECK(at == start + seconds{5});
  REQUIRE(is_ready(gate, at));
  const auto call = gate.started(small, at);
  CHECK(std::holds_alternative<SlotsFull>(gate.readiness(small, at)));
  end_call(gate, call, ModelAnswer{}, at);
  CHECK_FALSE(gate.breaker_open(at));
  CHECK(is_ready(gate, at));
}

TEST_CASE("a failed probe doubles the pause, an abandoned one leaves room for the next") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 10; ++i) fail_once(gate, failure_of_kind(FailureKind::timeout), start);
  const auto probe = start + seconds{5};
  REQUIRE(is_ready(gate, probe));
  fail_once(gate, failure_of_kind(FailureKind::timeout), probe);
  CHECK(std::get<NotBefore>(gate.readiness(small, probe)).at == probe + seconds{10});
  const auto second = probe + seconds{10};
  gate.abandoned(gate.started(small, second), second);
  CHECK(is_ready(gate, second));
}

TEST_CASE("calls from before the breaker opened are no news for the probe") {
  ProviderGate gate(fixed(20), 1, start);
  std::vector<CallNumber> calls;
  for (int i = 0; i < 15; ++i) calls.push_back(gate.started(small, start));
  for (std::size_t i = 0; i < 10; ++i) end_call(gate, calls[i], failure_of_kind(FailureKind::timeout), start);
  const auto at = start + seconds{5};
  REQUIRE(is_ready(gate, at));
  const auto probe = gate.started(small, at);
  for (std::size_t i = 10; i < 15; ++i) end_call(gate, calls[i], failure_of_kind(FailureKind::timeout), at);
  CHECK(std::holds_alternative<SlotsFull>(gate.readiness(small, at)));
  end_call(gate, probe, ModelAnswer{}, at + seconds{1});
  CHECK(is_ready(gate, at + seconds{1}));
}

TEST_CASE("a breaker whose old calls are refused lets the next probe start after a failed one") {
  ProviderGate gate(fixed(20), 1, start);
  std::vector<CallNumber> calls;
  for (int i = 0; i < 15; ++i) calls.push_back(gate.started(small, start));
  const auto end = [&](CallNumber call, FailureKind kind, TimePoint now) {
    end_call(gate, call, failure_of_kind(kind), now);
  };
  for (std::size_t i = 0; i < 10; ++i) end(calls[i], FailureKind::timeout, start);
  REQUIRE(gate.breaker_open(start));
  for (std::size_t i = 10; i < 14; ++i) end(calls[i], FailureKind::rate_limited, start + seconds{1});
  gate.abandoned(calls[14], start + seconds{1});
  const auto probe = start + seconds{5};
  REQUIRE(is_ready(gate, probe));
  end(gate.started(small, probe), FailureKind::server, probe);
  const auto ready = gate.readiness(small, probe);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  CHECK(std::get<NotBefore>(ready).at == probe + seconds{10});
  CHECK(is_ready(gate, probe + seconds{10}));
}

TEST_CASE("a probe that fails while old calls are still under way is known by its number") {
  ProviderGate gate(fixed(20), 1, start);
  const auto old = gate.started(small, start);
  for (int i = 0; i < 10; ++i) {
    const auto call = gate.started(small, start);
    end_call(gate, call, failure_of_kind(FailureKind::timeout), start);
  }
  const auto probe = start + seconds{5};
  const auto call = gate.started(small, probe);
  end_call(gate, call, failure_of_kind(FailureKind::timeout), probe);
  const auto ready = gate.readiness(small, probe);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  CHECK(std::get<NotBefore>(ready).at == probe + seconds{10});
  end_call(gate, old, ModelAnswer{}, probe);
  CHECK(is_ready(gate, probe));
}

TEST_CASE("the breaker of a service that sheds calls opens when it sheds every one of many") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 39; ++i) fail_once(gate, failure_of_kind(FailureKind::overloaded), start);
  CHECK_FALSE(gate.breaker_open(start));
  fail_once(gate, failure_of_kind(FailureKind::overloaded), start);
  CHECK(gate.breaker_open(start));

  ProviderGate mixed(fixed(), 1, start);
  for (int i = 0; i < 200; ++i) {
    fail_once(mixed, failure_of_kind(FailureKind::overloaded), start);
    if (i % 30 == 0) end_call(mixed, mixed.started(small, start), ModelAnswer{}, start);
  }
  CHECK_FALSE(mixed.breaker_open(start));
}

TEST_CASE("refused rates do not open the breaker") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 50; ++i) fail_once(gate, failure_of_kind(FailureKind::rate_limited), start);
  CHECK_FALSE(gate.breaker_open(start));
}
