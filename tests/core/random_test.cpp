#include "core/random.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace drover;
using namespace std::chrono_literals;

TEST_CASE("random streams give the same numbers in every build") {
  Random random(1);
  CHECK(random.next() == 0x910a2dec89025cc1ULL);
  CHECK(random.next() == 0xbeeb8da1658eec67ULL);
  CHECK(random.next() == 0xf893a2eefb32555eULL);
}

TEST_CASE("the stable hash gives the same numbers in every build") {
  CHECK(stable_hash("phone-07") == stable_hash("phone-07"));
  CHECK(stable_hash("phone-07") != stable_hash("phone-08"));
  CHECK(stable_hash("phone-07", 1) != stable_hash("phone-07", 2));
  CHECK(stable_hash("") == 0xaebe53f85cdc3c4cULL);
  CHECK(stable_hash("phone-07") == 0x48f007066ea44104ULL);
  CHECK(stable_hash("phone-07", 42) == 0x76d087a5f02b2a60ULL);
}

TEST_CASE("streams of one seed don't depend on each other") {
  Random first(42, "phone-01");
  Random second(42, "phone-02");
  const std::uint64_t expected = Random(42, "phone-02").next();
  for (int i = 0; i < 10; ++i) first.next();
  CHECK(second.next() == expected);
  CHECK(Random(42, "phone-01").next() != expected);
  CHECK(Random(43, "phone-02").next() != expected);
}

TEST_CASE("numbers stay in their bounds") {
  Random random(5);
  for (int i = 0; i < 10'000; ++i) {
    const double unit = random.unit();
    REQUIRE(unit >= 0.0);
    REQUIRE(unit < 1.0);
    REQUIRE(random.below(7) < 7);
    const Duration between = random.between(10ms, 20ms);
    REQUIRE(between >= 10ms);
    REQUIRE(between < 20ms);
    REQUIRE(random.log_normal(100ms, 0.3) > 0ms);
  }
  CHECK(random.below(0) == 0);
  CHECK(random.between(5ms, 5ms) == 5ms);
  CHECK(random.between(9ms, 5ms) == 9ms);
}

TEST_CASE("chances come true as often as they should") {
  Random random(9);
  int hits = 0;
  for (int i = 0; i < 20'000; ++i) hits += random.chance(0.25) ? 1 : 0;
  CHECK(hits > 4'700);
  CHECK(hits < 5'300);
  CHECK_FALSE(random.chance(0));
  CHECK(random.chance(1));
}

TEST_CASE("half of the log-normal times lie below the median") {
  Random random(11);
  std::vector<Duration> times;
  for (int i = 0; i < 5'001; ++i) times.push_back(random.log_normal(400ms, 0.35));
  std::nth_element(times.begin(), times.begin() + 2'500, times.end());
  CHECK(times[2'500] > 385ms);
  CHECK(times[2'500] < 415ms);
  CHECK(random.log_normal(400ms, 0) == 400ms);
}
