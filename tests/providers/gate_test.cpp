#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "core/random.hpp"
#include "providers/provider_gate.hpp"

using namespace drover;
using namespace drover::providers;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

const TimePoint start = TimePoint{} + hours{1};
const TokenEstimate small{100, 50};

GateOptions fixed(std::uint32_t in_flight = 4) {
  GateOptions options;
  options.limits.max_in_flight = in_flight;
  options.adaptive_in_flight = false;
  options.ramp_up = false;
  return options;
}

ProviderFailure failure_of_kind(FailureKind kind, std::optional<Duration> wish = {}) {
  ProviderFailure failure;
  failure.kind = kind;
  failure.cause = "told so";
  failure.retry_after = wish;
  return failure;
}

bool is_ready(ProviderGate& gate, TimePoint now, TokenEstimate estimate = small) {
  return std::holds_alternative<Ready>(gate.readiness(estimate, now));
}

Disposition end_call(ProviderGate& gate, CallNumber call, const DecodedAnswer& answer, TimePoint now,
                     std::uint32_t tries = 1, TimePoint deadline = TimePoint::max(), const net::Headers& headers = {}) {
  return gate.finished(call, answer, headers, tries, deadline, now);
}

Disposition fail_once(ProviderGate& gate, const ProviderFailure& failure, TimePoint now, std::uint32_t tries = 1,
                      TimePoint deadline = TimePoint::max()) {
  return end_call(gate, gate.started(small, now), failure, now, tries, deadline);
}

}  // namespace

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
  for (std::uint32_t tries = 1; tries <= 6; ++tries) {
    const auto next = fail_once(gate, failure_of_kind(FailureKind::rate_limited, seconds{20}), start, tries);
    REQUIRE(std::holds_alternative<RetryAt>(next));
    CHECK(std::get<RetryAt>(next).at >= start + seconds{20});
    CHECK(std::get<RetryAt>(next).at <= start + seconds{20 + 16});
  }
}

TEST_CASE("retries of many calls are spread and not made together") {
  ProviderGate gate(fixed(), 1, start);
  std::set<TimePoint> times;
  for (int i = 0; i < 50; ++i) {
    times.insert(std::get<RetryAt>(fail_once(gate, failure_of_kind(FailureKind::rate_limited), start, 4)).at);
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

TEST_CASE("retries stop when their budget is used up and come back with first tries") {
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
  CHECK(std::holds_alternative<Deliver>(fail_once(gate, failure_of_kind(FailureKind::server), start, 2)));
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

TEST_CASE("the breaker opens on failures, lets one probe through and closes with its answer") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 10; ++i) {
    REQUIRE_FALSE(gate.breaker_open(start));
    fail_once(gate, failure_of_kind(FailureKind::overloaded), start);
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

TEST_CASE("a breaker whose old calls are refused lets the next probe start after a failed one") {
  ProviderGate gate(fixed(20), 1, start);
  std::vector<CallNumber> calls;
  for (int i = 0; i < 15; ++i) calls.push_back(gate.started(small, start));
  const auto end = [&](CallNumber call, FailureKind kind, TimePoint now) {
    end_call(gate, call, failure_of_kind(kind), now);
  };
  for (std::size_t i = 0; i < 10; ++i) end(calls[i], FailureKind::overloaded, start);
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

TEST_CASE("refused rates do not open the breaker") {
  ProviderGate gate(fixed(), 1, start);
  for (int i = 0; i < 50; ++i) fail_once(gate, failure_of_kind(FailureKind::rate_limited), start);
  CHECK_FALSE(gate.breaker_open(start));
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
