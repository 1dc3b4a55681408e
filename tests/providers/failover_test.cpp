#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "providers/failover.hpp"

using namespace drover::providers;

namespace {

const auto everyone = [](std::size_t) { return true; };

std::map<std::size_t, int> turns_of(Failover& failover, int calls, const std::set<std::size_t>& out = {},
                                    const std::set<std::size_t>& busy = {}) {
  std::map<std::size_t, int> turns;
  for (int i = 0; i < calls; ++i) {
    const auto choice = failover.choose([&](std::size_t place) { return !out.contains(place); },
                                        [&](std::size_t place) { return !busy.contains(place); });
    if (choice && !choice->busy) ++turns[choice->place];
  }
  return turns;
}

}  // namespace

TEST_CASE("by order the first that is in service is asked, and waited for while it is busy") {
  Failover failover(places_by(FailoverPolicy::order, {1, 1, 1}, {{}, {}, {}}));
  CHECK(turns_of(failover, 5) == std::map<std::size_t, int>{{0, 5}});
  CHECK(turns_of(failover, 5, {0}) == std::map<std::size_t, int>{{1, 5}});
  CHECK(turns_of(failover, 5, {0, 1, 2}).empty());
  const auto waits = failover.choose(everyone, [](std::size_t place) { return place != 0; });
  REQUIRE(waits);
  CHECK(waits->busy);
  CHECK(waits->place == 0);
}

TEST_CASE("by weight calls are shared out, evenly within any short time") {
  Failover failover(places_by(FailoverPolicy::weight, {3, 1}, {{}, {}}));
  CHECK(turns_of(failover, 400) == std::map<std::size_t, int>{{0, 300}, {1, 100}});
  CHECK(turns_of(failover, 4) == std::map<std::size_t, int>{{0, 3}, {1, 1}});
  CHECK(turns_of(failover, 10, {}, {0}) == std::map<std::size_t, int>{{1, 10}});
  CHECK(turns_of(failover, 10, {1}) == std::map<std::size_t, int>{{0, 10}});
}

TEST_CASE("by cost the cheapest comes first, and one without a known price last") {
  Failover failover(places_by(FailoverPolicy::cost, {1, 1, 1}, {{}, 300, 100}));
  CHECK(turns_of(failover, 3) == std::map<std::size_t, int>{{2, 3}});
  CHECK(turns_of(failover, 3, {2}) == std::map<std::size_t, int>{{1, 3}});
  CHECK(turns_of(failover, 3, {1, 2}) == std::map<std::size_t, int>{{0, 3}});
}

TEST_CASE("keys of one rank take turns, and one that comes back gets no burst") {
  Failover failover({{0, 1}, {0, 1}, {1, 1}});
  CHECK(turns_of(failover, 10) == std::map<std::size_t, int>{{0, 5}, {1, 5}});
  CHECK(turns_of(failover, 10, {0}) == std::map<std::size_t, int>{{1, 10}});
  CHECK(turns_of(failover, 10) == std::map<std::size_t, int>{{0, 5}, {1, 5}});
  CHECK(turns_of(failover, 3, {0, 1}) == std::map<std::size_t, int>{{2, 3}});
}
