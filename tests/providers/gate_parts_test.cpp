#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "providers/circuit_breaker.hpp"
#include "providers/client_throttle.hpp"
#include "providers/in_flight_limit.hpp"
#include "providers/retry_policy.hpp"
#include "providers/token_bucket.hpp"

using namespace drover;
using namespace drover::providers;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

const TimePoint start = TimePoint{} + hours{1};

/// A breaker and the numbers of its calls.
struct BreakerCalls {
  CircuitBreaker breaker;
  CallNumber last = 0;

  CallNumber begin() {
    breaker.started(++last);
    return last;
  }
  void end(CallNumber call, CallNews news, TimePoint now, std::optional<Duration> wish = {}) {
    breaker.ended(call, news, wish, now);
  }
  void one(CallNews news, TimePoint now, std::optional<Duration> wish = {}) { end(begin(), news, now, wish); }
};

}  // namespace

TEST_CASE("a bucket fills evenly up to its capacity") {
  TokenBucket bucket(60, 5, 0, start);
  CHECK(bucket.level(start + seconds{2}) == Approx(2));
  CHECK(bucket.level(start + minutes{9}) == Approx(5));
  CHECK(bucket.wait_for(1, start) == seconds{1});
  CHECK(bucket.wait_for(100, start) == seconds{5});
}

TEST_CASE("a bucket goes into debt for a large call and works it off") {
  TokenBucket bucket(60, 5, 5, start);
  CHECK(bucket.wait_for(100, start) == Duration::zero());
  bucket.take(100, start);
  CHECK(bucket.level(start) == Approx(-95));
  CHECK(bucket.wait_for(1, start) == seconds{96});
}

TEST_CASE("what is given back may exceed the capacity but not a minute's worth") {
  TokenBucket bucket(60, 5, 5, start);
  bucket.give_back(20, start);
  CHECK(bucket.level(start) == Approx(25));
  CHECK(bucket.level(start + seconds{10}) == Approx(25));
  bucket.give_back(1000, start);
  CHECK(bucket.level(start) == Approx(60));
}

TEST_CASE(
    "a bucket keeps what it gathered when its rate changes, and time "
    "never runs back") {
  TokenBucket bucket(60, 10, 0, start);
  bucket.set_rate(600, 10, start + seconds{4});
  CHECK(bucket.level(start + seconds{4}) == Approx(4));
  CHECK(bucket.level(start) == Approx(4));
  CHECK(bucket.level(start + milliseconds{4200}) == Approx(6));
}

TEST_CASE(
    "the in-flight limit doubles from its start while it is used and "
    "stops at the most") {
  InFlightLimit limit(10, true, true);
  CHECK(limit.value() == 4);
  limit.succeeded(1);
  CHECK(limit.value() == 4);
  for (int i = 0; i < 4; ++i) limit.succeeded(limit.value());
  CHECK(limit.value() == 8);
  for (int i = 0; i < 20; ++i) limit.succeeded(limit.value());
  CHECK(limit.value() == 10);
}

TEST_CASE(
    "congestion lowers the in-flight limit once per window and never "
    "below one") {
  InFlightLimit limit(100, true, false);
  limit.congested(start, seconds{1});
  CHECK(limit.value() == 90);
  limit.congested(start + milliseconds{500}, seconds{1});
  CHECK(limit.value() == 90);
  limit.congested(start + seconds{1}, seconds{1});
  CHECK(limit.value() == 63);
  for (int i = 2; i < 60; ++i) limit.congested(start + seconds{i}, seconds{1});
  CHECK(limit.value() == 1);
}

TEST_CASE("after congestion the in-flight limit grows by one a round, later by two and by three") {
  InFlightLimit limit(100, true, false);
  for (int i = 0; i < 7; ++i) limit.congested(start + i * seconds{1}, seconds{1});
  REQUIRE(limit.value() == 10);
  const auto grown_by = [&](int successes) {
    const auto before = limit.value();
    for (int i = 0; i < successes; ++i) limit.succeeded(limit.value());
    return limit.value() - before;
  };
  CHECK(grown_by(11) == 1);
  grown_by(8);
  CHECK(grown_by(12) == 2);
  grown_by(9);
  CHECK(grown_by(15) == 3);
}

TEST_CASE("a refused rate costs the in-flight limit a tenth, also in a row") {
  InFlightLimit limit(100, true, false);
  for (int i = 0; i < 3; ++i) limit.refused(start + i * seconds{1}, seconds{1});
  limit.refused(start + milliseconds{2500}, seconds{1});
  CHECK(limit.value() == 72);
}

TEST_CASE("a limit that is not adaptive never moves") {
  InFlightLimit limit(7, false, true);
  limit.congested(start, seconds{0});
  CHECK(limit.value() == 7);
  limit.restart();
  CHECK(limit.value() == 7);
}

TEST_CASE("backoff is full jitter below a doubling ceiling, on top of the wish") {
  Backoff backoff(milliseconds{500}, seconds{30}, 1);
  Duration longest{};
  Duration shortest = hours{1};
  for (int i = 0; i < 2000; ++i) {
    const auto wait = backoff.next(3, std::nullopt);
    CHECK(wait < seconds{2});
    longest = std::max(longest, wait);
    shortest = std::min(shortest, wait);
  }
  CHECK(longest > milliseconds{1900});
  CHECK(shortest < milliseconds{100});
  for (int i = 0; i < 100; ++i) {
    CHECK(backoff.next(60, std::nullopt) < seconds{30});
    const auto wished = backoff.next(1, seconds{20});
    CHECK(wished >= seconds{20});
    CHECK(wished < milliseconds{20500});
  }
}

TEST_CASE("the same seed draws the same waits") {
  Backoff first(seconds{1}, seconds{30}, 5);
  Backoff second(seconds{1}, seconds{30}, 5);
  for (std::uint32_t i = 0; i < 20; ++i) CHECK(first.next(i, std::nullopt) == second.next(i, std::nullopt));
}

TEST_CASE(
    "the retry budget is a share of first tries with a reserve that "
    "comes back") {
  RetryBudget budget(0.2, 10, start);
  int granted = 0;
  while (budget.withdraw(start)) ++granted;
  CHECK(granted == 10);
  for (int i = 0; i < 100; ++i) budget.first_try(start);
  granted = 0;
  while (budget.withdraw(start)) ++granted;
  CHECK((granted == 19 || granted == 20));
  granted = 0;
  while (budget.withdraw(start + minutes{5})) ++granted;
  CHECK((granted == 4 || granted == 5));
}

TEST_CASE("over ten minutes in which every call fails the retry budget keeps to its share") {
  RetryBudget budget(0.2, 10, start);
  int retries = 0;
  constexpr int first_tries = 6000;
  for (int i = 0; i < first_tries; ++i) {
    const auto now = start + i * milliseconds{100};
    budget.first_try(now);
    while (budget.withdraw(now)) ++retries;
  }
  CHECK(retries >= 0.2 * first_tries);
  CHECK(retries <= 0.2 * first_tries + 20);
}

TEST_CASE("the throttle lets everything through while at least half of it is answered") {
  ClientThrottle throttle(start);
  TimePoint now = start;
  for (int i = 0; i < 2000; ++i) {
    CHECK_FALSE(throttle.not_before(8, now));
    throttle.ended(i % 2 == 0, now);
    now += milliseconds{100};
  }
}

TEST_CASE("what a service sheds is at most what it takes and twenty calls a quarter of a minute") {
  // It takes one call a second, at most three at once; ten a second are wanted.
  ClientThrottle throttle(start);
  for (int i = 0; i < 300; ++i) throttle.ended(true, start + i * milliseconds{100});
  int sent = 0;
  int taken = 0;
  double room = 3;
  for (int i = 0; i < 10 * 600; ++i) {
    const auto now = start + seconds{30} + i * milliseconds{100};
    room = std::min(3.0, room + 0.1);
    if (throttle.not_before(0, now)) continue;
    const bool takes = room >= 1;
    if (takes) room -= 1;
    throttle.ended(takes, now);
    if (i < 10 * 60) continue;
    ++sent;
    taken += takes ? 1 : 0;
  }
  CHECK(taken >= 0.95 * 540);
  CHECK(sent <= 2 * taken + 20 * 540 / 15);
}

TEST_CASE("with nothing taken the throttle lets a call through every so often, and never several on trust") {
  ClientThrottle throttle(start);
  for (int i = 0; i < 100; ++i) throttle.ended(false, start);
  const auto wait = throttle.not_before(0, start);
  REQUIRE(wait);
  CHECK(*wait <= start + seconds{1});
  int sent = 0;
  for (int i = 0; i < 10 * 600; ++i) {
    const auto now = start + i * milliseconds{100};
    CHECK(throttle.not_before(20, now));
    if (throttle.not_before(0, now)) continue;
    throttle.ended(false, now);
    ++sent;
  }
  CHECK(sent >= 700);
  CHECK(sent <= 820);
}

TEST_CASE("a breaker needs enough outcomes and half of them failed") {
  BreakerCalls calls;
  for (int i = 0; i < 9; ++i) calls.one(CallNews::failed, start);
  CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
  calls.one(CallNews::failed, start);
  CHECK(calls.breaker.state() == CircuitBreaker::State::open);

  BreakerCalls mixed;
  for (int i = 0; i < 200; ++i) {
    mixed.one(CallNews::answered, start);
    mixed.one(CallNews::answered, start);
    mixed.one(CallNews::failed, start);
  }
  CHECK(mixed.breaker.state() == CircuitBreaker::State::closed);
}

TEST_CASE("calls that are shed open a breaker only when forty in a row are") {
  BreakerCalls calls;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 39; ++i) calls.one(CallNews::shed, start);
    calls.one(CallNews::answered, start);
  }
  CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
  for (int i = 0; i < 40; ++i) calls.one(CallNews::shed, start);
  CHECK(calls.breaker.state() == CircuitBreaker::State::open);
  TimePoint now = start;
  for (const int pause : {5, 10, 15, 15}) {
    CHECK(calls.breaker.probe_at() - now == seconds{pause});
    now = calls.breaker.probe_at();
    calls.one(CallNews::shed, now);
  }
  now = calls.breaker.probe_at();
  calls.one(CallNews::shed, now, seconds{40});
  CHECK(calls.breaker.probe_at() - now == seconds{40});
}

TEST_CASE("old failures do not open a breaker") {
  BreakerCalls calls;
  for (int i = 0; i < 40; ++i) calls.one(CallNews::failed, start + i * seconds{10});
  CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
}

TEST_CASE(
    "the pause of a breaker doubles up to its longest and starts anew "
    "after a success") {
  BreakerCalls calls;
  const auto& breaker = calls.breaker;
  TimePoint now = start;
  for (int i = 0; i < 10; ++i) calls.one(CallNews::failed, now);
  for (const int pause : {5, 10, 20, 40, 60, 60}) {
    CHECK(breaker.probe_at() - now == seconds{pause});
    CHECK_FALSE(breaker.admits(breaker.probe_at() - milliseconds{1}));
    now = breaker.probe_at();
    REQUIRE(breaker.admits(now));
    const auto probe = calls.begin();
    CHECK_FALSE(breaker.admits(now));
    calls.end(probe, CallNews::failed, now);
  }
  now = breaker.probe_at();
  calls.one(CallNews::answered, now);
  CHECK(breaker.state() == CircuitBreaker::State::closed);
  while (breaker.state() == CircuitBreaker::State::closed) calls.one(CallNews::failed, now);
  CHECK(breaker.probe_at() - now == seconds{5});
}

TEST_CASE(
    "a breaker stays open as long as the provider asked, within its "
    "longest pause") {
  BreakerCalls calls;
  for (int i = 0; i < 10; ++i) calls.one(CallNews::failed, start, seconds{20});
  CHECK(calls.breaker.probe_at() == start + seconds{20});
}

TEST_CASE("only the probe's own end, or an answer, changes a half open breaker") {
  const auto old_news = GENERATE(CallNews::failed, CallNews::refused, CallNews::none);
  BreakerCalls calls;
  const auto old = calls.begin();
  const auto last_old = calls.begin();
  for (int i = 0; i < 10; ++i) calls.one(CallNews::failed, start);
  const auto now = calls.breaker.probe_at();
  const auto probe = calls.begin();
  calls.end(old, old_news, now);
  CHECK(calls.breaker.state() == CircuitBreaker::State::half_open);
  SECTION("a failed probe opens it for longer") {
    calls.end(probe, CallNews::failed, now);
    CHECK(calls.breaker.state() == CircuitBreaker::State::open);
    CHECK(calls.breaker.probe_at() == now + seconds{10});
  }
  SECTION("a refused probe closes it: the provider is up") {
    calls.end(probe, CallNews::refused, now);
    CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
  }
  SECTION("a probe that was cut off leaves room for the next at once") {
    calls.end(probe, CallNews::none, now);
    CHECK(calls.breaker.admits(now));
  }
  SECTION("an old call's answer closes it") {
    calls.end(last_old, CallNews::answered, now);
    CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
    calls.end(probe, CallNews::failed, now);
    CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
  }
}

TEST_CASE("old calls that fail after the probe was answered do not open the breaker again") {
  BreakerCalls calls;
  std::vector<CallNumber> old;
  for (int i = 0; i < 30; ++i) old.push_back(calls.begin());
  for (int i = 0; i < 10; ++i) calls.end(old[static_cast<std::size_t>(i)], CallNews::failed, start);
  const auto now = calls.breaker.probe_at();
  calls.one(CallNews::answered, now);
  for (std::size_t i = 10; i < old.size(); ++i) calls.end(old[i], CallNews::failed, now);
  CHECK(calls.breaker.state() == CircuitBreaker::State::closed);
}
