#include <algorithm>
#include <catch2/catch.hpp>

#include "providers/admission_queue.hpp"

using namespace drover;
using namespace drover::providers;
using namespace std::chrono_literals;

TEST_CASE("tickets whose holders' deadlines have passed come back, whatever became of the holders") {
  AdmissionQueue queue({});
  queue.set_capacity(2, 0);
  const TimePoint start{1h};
  SessionNumber number = 0;
  for (int i = 0; i < 100; ++i) REQUIRE(queue.join(++number, 1, start + 10s, start));
  std::size_t given = 0;
  while (const auto session = queue.next_ticket(start)) {
    ++given;
    if (given == 1) queue.ready(*session, start, 100ms, start);
  }
  REQUIRE(given > 1);
  REQUIRE(queue.join(++number, 1, start + 1h, start));
  CHECK(queue.expire(start + 9s).empty());
  CHECK(queue.expire(start + 10s).size() == 100);
  CHECK(queue.waiting_for_slot() == 0);
  CHECK(queue.next_ticket(start + 10s) == number);
  // As many are to be had as before, so none was lost.
  for (int i = 0; i < 100; ++i) REQUIRE(queue.join(++number, 1, start + 1h, start + 10s));
  std::size_t again = 1;
  while (queue.next_ticket(start + 10s)) ++again;
  CHECK(again == given);
}
