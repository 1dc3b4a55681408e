#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "core/random.hpp"
#include "gate_fixture.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_CASE("no more calls start than the limit allows, and one ends before the next") {
  ProviderGate gate(fixed(2), 1, start);
  CallNumber call = 0;
  for (int i = 0; i < 2; ++i) {
    REQUIRE(is_ready(gate, start));
    call = gate.started(small, start);
  }
  CHECK(gate.in_flight() == 2);
  CHECK(std::holds_alternative<SlotsFull>(gate.readiness(small, start)));
  CHECK(std::holds_alternative<Deliver>(end_call(gate, call, ModelAnswer{}, start + seconds{1})));
  CHECK(gate.in_flight() == 1);
  CHECK(is_ready(gate, start + seconds{1}));
}

TEST_CASE("an abandoned call frees its slot and counts as spent") {
  auto options = fixed(1);
  options.limits.input_tokens_per_minute = 6000;
  ProviderGate gate(options, 1, start);
  const TokenEstimate large{3000, 0};
  REQUIRE(is_ready(gate, start, large));
  gate.abandoned(gate.started(large, start), start);
  CHECK(gate.in_flight() == 0);
  const auto ready = gate.readiness(large, start);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  CHECK(std::get<NotBefore>(ready).at > start + seconds{25});
}

TEST_CASE("a request limit spaces calls evenly") {
  auto options = fixed(32);
  options.limits.requests_per_minute = 60;
  ProviderGate gate(options, 1, start);
  REQUIRE(is_ready(gate, start));
  gate.started(small, start);
  const auto ready = gate.readiness(small, start);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  const auto at = std::get<NotBefore>(ready).at;
  CHECK(at >= start + seconds{1});
  CHECK(at <= start + milliseconds{1010});
  CHECK(is_ready(gate, at));
}

TEST_CASE("tokens that an answer did not use are given back") {
  auto options = fixed(32);
  options.limits.output_tokens_per_minute = 6000;
  ProviderGate gate(options, 1, start);
  const TokenEstimate large{0, 4000};
  const auto call = gate.started(large, start);
  CHECK_FALSE(is_ready(gate, start, large));
  ModelAnswer answer;
  answer.usage.output_tokens = 10;
  end_call(gate, call, answer, start);
  CHECK(is_ready(gate, start + milliseconds{120}, large));
}

TEST_CASE("cached input does not count where the provider does not count it") {
  for (const bool counts : {true, false}) {
    auto options = fixed(32);
    options.limits.input_tokens_per_minute = 60000;
    options.cached_input_counts = counts;
    ProviderGate gate(options, 1, start);
    const TokenEstimate large{10000, 0};
    const auto call = gate.started(large, start);
    ModelAnswer answer;
    answer.usage.input_tokens = 10000;
    answer.usage.cached_tokens = 10000;
    answer.usage.output_tokens = 1;
    end_call(gate, call, answer, start);
    CHECK(is_ready(gate, start + milliseconds{300}, large) == !counts);
  }
}

TEST_CASE("what the server says is left lowers the bucket") {
  auto options = fixed(32);
  options.limits.requests_per_minute = 600;
  ProviderGate gate(options, 1, start);
  const auto later = start + seconds{10};
  REQUIRE(is_ready(gate, later));
  const auto call = gate.started(small, later);
  REQUIRE(is_ready(gate, later));
  end_call(gate, call, ModelAnswer{}, later, 1, TimePoint::max(), {{"x-ratelimit-remaining-requests", "0"}});
  CHECK_FALSE(is_ready(gate, later));
}

TEST_CASE("a retry never comes before the time that the provider asked for") {
  ProviderGate gate(fixed(), 1, start);
  for (const auto kind : {FailureKind::rate_limited, FailureKind::overloaded, FailureKind::server}) {
    for (std::uint32_t tries = 1; tries <= 6; ++tries) {
      const auto at = again_at(fail_once(gate, failure_of_kind(kind, seconds{20}), start, tries));
      CHECK(at >= start + seconds{20});
      CHECK(at <= start + seconds{20 + 16});
    }
  }
}

TEST_CASE("retries of many calls are spread and not made together") {
  ProviderGate gate(fixed(), 1, start);
  std::set<TimePoint> times;
  for (int i = 0; i < 50; ++i) {
    times.insert(again_at(fail_once(gate, failure_of_kind(FailureKind::server), start, 4)));
  }
  CHECK(times.size() == 50);
  CHECK(*times.rbegin() - *times.begin() > seconds{2});
}

TEST_CASE("a call is not retried after its last try, past its deadline or when it can't help") {
  ProviderGate gate(fixed(), 1, start);
  CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(FailureKind::server), start, 7)));
  CHECK(std::holds_alternative<Deliver>(
      fail_once(gate, failure_of_kind(FailureKind::rate_limited, seconds{20}), start, 1, start + seconds{19})));
  for (const auto kind :
       {FailureKind::bad_request, FailureKind::unreadable, FailureKind::refused, FailureKind::cancelled}) {
    CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(kind), start)));
  }
  CHECK(std::holds_alternative<RetryAt>(fail_once(gate, failure_of_kind(FailureKind::network), start)));
}

TEST_CASE("x-should-retry overrides the kind in both directions") {
  ProviderGate gate(fixed(), 1, start);
  auto no = failure_of_kind(FailureKind::server);
  no.should_retry = false;
  CHECK(std::holds_alternative<Deliver>(fail_once(gate, no, start)));
  auto yes = failure_of_kind(FailureKind::bad_request);
  yes.should_retry = true;
  CHECK(std::holds_alternative<RetryAt>(fail_once(gate, yes, start)));
}

TEST_CASE("a call that was refused waits in line until its deadline, however often it was") {
  ProviderGate gate(fixed(), 1, start);
  for (const auto kind : {FailureKind::rate_limited, FailureKind::overloaded}) {
    for (const std::uint32_t tries : {1U, 6U, 7U, 200U}) {
      const auto next = fail_once(gate, failure_of_kind(kind), start, tries);
      REQUIRE(std::holds_alternative<LineUpAt>(next));
      // What spaces it is the gate, not a wait that grows.
      CHECK(std::get<LineUpAt>(next).at <= start + milliseconds{500});
    }
    CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(kind, seconds{9}), start, 1, start)));
  }
}

TEST_CASE("calls whose retry the budget does not cover wait in line, and it comes back with first tries") {
  auto options = fixed(4);
  ProviderGate gate(options, 1, start);
  int retries = 0;
  // Answers in between keep the breaker closed.
  for (int i = 0; i < 40; ++i) {
    if (std::holds_alternative<RetryAt>(fail_once(gate, failure_of_kind(FailureKind::server), start, 2))) ++retries;
    for (int answers = 0; answers < 3; ++answers) {
      end_call(gate, gate.started(small, start), ModelAnswer{}, start, 2);
    }
  }
  CHECK(retries == 10);
  for (int i = 0; i < 5; ++i) {
    end_call(gate, gate.started(small, start), ModelAnswer{}, start, 1);
  }
  CHECK(std::holds_alternative<RetryAt>(fail_once(gate, failure_of_kind(FailureKind::server), start, 2)));
  const auto next = fail_once(gate, failure_of_kind(FailureKind::server), start, 2);
  REQUIRE(std::holds_alternative<LineUpAt>(next));
  CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(FailureKind::server), start, 7)));
}

TEST_CASE("one refusal delays its own call, two in a row hold the key back") {
  ProviderGate gate(fixed(), 1, start);
  fail_once(gate, failure_of_kind(FailureKind::rate_limited, seconds{10}), start);
  CHECK(is_ready(gate, start));
  end_call(gate, gate.started(small, start), ModelAnswer{}, start);
  fail_once(gate, failure_of_kind(FailureKind::rate_limited, seconds{10}), start);
  CHECK(is_ready(gate, start));
  fail_once(gate, failure_of_kind(FailureKind::rate_limited, seconds{10}), start);
  const auto ready = gate.readiness(small, start);
  REQUIRE(std::holds_alternative<NotBefore>(ready));
  CHECK(std::get<NotBefore>(ready).at == start + seconds{10});
  CHECK(is_ready(gate, start + seconds{10}));
}

TEST_CASE("a key out of quota or refused is parked and not called again") {
  for (const auto kind : {FailureKind::quota, FailureKind::authentication}) {
    ProviderGate gate(fixed(), 1, start);
    CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(kind), start)));
    const auto ready = gate.readiness(small, start + hours{10});
    REQUIRE(std::holds_alternative<Parked>(ready));
    CHECK(std::get<Parked>(ready).reason == "told so");
    CHECK_FALSE(std::get<Parked>(ready).until);
  }
}

TEST_CASE("a wait of many minutes parks the key until then") {
  ProviderGate gate(fixed(), 1, start);
  fail_once(gate, failure_of_kind(FailureKind::rate_limited, hours{2}), start);
  const auto ready = gate.readiness(small, start + minutes{1});
  REQUIRE(std::holds_alternative<Parked>(ready));
  CHECK(std::get<Parked>(ready).until == start + hours{2});
  CHECK(is_ready(gate, start + hours{2}));
}

TEST_CASE("the end of a call that is not under way changes nothing") {
  ProviderGate gate(fixed(1), 1, start);
  const auto call = gate.started(small, start);
  const auto check_full = [&] {
    CHECK(gate.in_flight() == 1);
    CHECK(std::holds_alternative<SlotsFull>(gate.readiness(small, start)));
  };
  CHECK(std::holds_alternative<Deliver>(end_call(gate, call + 1, failure_of_kind(FailureKind::server), start)));
  check_full();
  gate.abandoned(call + 1, start);
  check_full();
  end_call(gate, call, ModelAnswer{}, start);
  for (int i = 0; i < 20; ++i) end_call(gate, call, failure_of_kind(FailureKind::authentication), start);
  CHECK(is_ready(gate, start));
}

TEST_CASE("whatever its calls came to, a gate with none under way allows one when enough time has passed") {
  // Without those that park the key until a person acts.
  constexpr std::array kinds{FailureKind::rate_limited, FailureKind::overloaded, FailureKind::server,
                             FailureKind::network,      FailureKind::timeout,    FailureKind::quota,
                             FailureKind::bad_request,  FailureKind::unreadable, FailureKind::refused,
                             FailureKind::cancelled};
  std::set<std::size_t> seen;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    GateOptions options;
    options.limits.max_in_flight = static_cast<std::uint32_t>(1 + random.below(24));
    options.limits.requests_per_minute = random.chance(0.5) ? 600 : 0;
    options.adaptive_in_flight = random.chance(0.5);
    options.ramp_up = random.chance(0.5);
    ProviderGate gate(options, seed, start);
    // Long runs of failures, as breakers open on, with other ends strewn in.
    const double failing = random.unit();
    std::vector<CallNumber> open;
    TimePoint now = start;
    const auto end_one = [&] {
      const auto place = open.begin() + static_cast<std::ptrdiff_t>(random.below(open.size()));
      const CallNumber call = *place;
      open.erase(place);
      if (random.chance(0.1)) return gate.abandoned(call, now);
      DecodedAnswer answer = ModelAnswer{};
      if (random.chance(failing)) {
        answer = failure_of_kind(FailureKind::server);
      } else if (const auto drawn = random.below(kinds.size() + 1); drawn < kinds.size()) {
        seen.insert(drawn);
        auto failure = failure_of_kind(kinds[drawn]);
        if (failure.kind == FailureKind::quota || random.chance(0.3)) {
          failure.retry_after = random.between(Duration::zero(), random.chance(0.9) ? seconds{20} : seconds{600});
        }
        answer = failure;
      }
      end_call(gate, call, answer, now);
    };
    for (int step = 0; step < 300; ++step) {
      now += random.between(Duration::zero(), seconds{random.chance(0.1) ? 30 : 1});
      if (random.chance(0.5) && is_ready(gate, now)) {
        open.push_back(gate.started(small, now));
      } else if (!open.empty()) {
        end_one();
      }
    }
    while (!open.empty()) end_one();
    REQUIRE(gate.in_flight() == 0);
    CHECK(is_ready(gate, now + seconds{600}));
  }
  CHECK(seen.size() == kinds.size());
}

TEST_CASE("the calls a minute follow the buckets, the mean size and the limit in flight") {
  auto options = fixed(4);
  ProviderGate gate(options, 1, start);
  CHECK(gate.calls_per_minute() == 0);
  end_call(gate, gate.started(small, start), ModelAnswer{}, start + seconds{2});
  CHECK(gate.calls_per_minute() == Approx(120));

  options.limits.requests_per_minute = 60;
  ProviderGate limited(options, 1, start);
  CHECK(limited.calls_per_minute() == Approx(59.7));

  options.limits.requests_per_minute = 0;
  options.limits.input_tokens_per_minute = 10000;
  ProviderGate by_tokens(options, 1, start);
  const auto call = by_tokens.started(small, start);
  ModelAnswer answer;
  answer.usage.input_tokens = 500;
  answer.usage.output_tokens = 10;
  end_call(by_tokens, call, answer, start + milliseconds{1});
  CHECK(by_tokens.calls_per_minute() == Approx(19.9));
}
