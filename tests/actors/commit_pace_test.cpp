#include "actors/commit_pace.hpp"

#include <catch2/catch.hpp>

using namespace drover;
using namespace drover::actors;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_CASE("a commit waits for nobody while few write") {
  CommitPace pace;
  TimePoint now{seconds{1}};
  CHECK(pace.wait(now) == Duration::zero());
  for (int i = 0; i < 10; ++i) {
    pace.committed(1, now);
    now += milliseconds{2};
    CHECK(pace.wait(now) == Duration::zero());
  }
}

TEST_CASE("a commit waits a moment while many write, and no longer once they have stopped") {
  CommitPace pace;
  TimePoint now{seconds{1}};
  pace.committed(4, now);
  now += milliseconds{1};
  pace.committed(4, now);
  CHECK(pace.wait(now) > Duration::zero());
  CHECK(pace.wait(now) <= milliseconds{5});
  CHECK(pace.wait(now + milliseconds{50}) == Duration::zero());
}

TEST_CASE("a pause between two bursts says nothing about the second") {
  CommitPace pace;
  TimePoint now{seconds{1}};
  pace.committed(50, now);
  now += seconds{10};
  pace.committed(50, now);
  CHECK(pace.wait(now) == Duration::zero());
}
