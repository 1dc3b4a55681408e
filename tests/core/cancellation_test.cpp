#include "core/cancellation.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <optional>
#include <thread>
#include <vector>

using namespace drover;

TEST_CASE("a token is cancelled once and keeps its first reason") {
  CancelToken token;
  CHECK_FALSE(token.cancelled());
  CHECK(token.reason() == CancelReason::none);
  CHECK(token.cancel(CancelReason::deadline));
  CHECK_FALSE(token.cancel(CancelReason::user));
  CHECK(token.reason() == CancelReason::deadline);
}

TEST_CASE("none is no reason to cancel") {
  CancelToken token;
  CHECK_FALSE(token.cancel(CancelReason::none));
  CHECK_FALSE(token.cancelled());
}

TEST_CASE("copies of a token share what happens to it") {
  CancelToken token;
  const CancelToken copy = token;
  token.cancel(CancelReason::user);
  CHECK(copy.reason() == CancelReason::user);
}

TEST_CASE("a child is cancelled with its parent and a parent never with its child") {
  CancelToken run;
  const CancelToken task = run.child();
  const CancelToken session = task.child();
  const CancelToken other = run.child();
  session.cancel(CancelReason::device_lost);
  CHECK_FALSE(task.cancelled());
  CHECK_FALSE(run.cancelled());
  run.cancel(CancelReason::user);
  CHECK(task.reason() == CancelReason::user);
  CHECK(other.reason() == CancelReason::user);
  CHECK(session.reason() == CancelReason::device_lost);
}

TEST_CASE("a child lives on without its parent's handle and the other way round") {
  std::optional<CancelToken> run(std::in_place);
  const CancelToken task = run->child();
  { const CancelToken forgotten = run->child(); }
  run->cancel(CancelReason::shutdown);
  CHECK(task.cancelled());
  run.reset();
  CHECK(task.reason() == CancelReason::shutdown);
}

TEST_CASE("a child of a cancelled token is born cancelled") {
  CancelToken token;
  token.cancel(CancelReason::budget);
  CHECK(token.child().reason() == CancelReason::budget);
}

TEST_CASE("a callback runs once on cancellation") {
  CancelToken token;
  int calls = 0;
  CancelReason seen = CancelReason::none;
  const auto registration = token.on_cancel([&](CancelReason reason) {
    ++calls;
    seen = reason;
  });
  CHECK(calls == 0);
  token.cancel(CancelReason::request);
  token.cancel(CancelReason::user);
  CHECK(calls == 1);
  CHECK(seen == CancelReason::request);
}

TEST_CASE("a callback registered too late runs at once") {
  CancelToken token;
  token.cancel(CancelReason::user);
  int calls = 0;
  const auto registration = token.on_cancel([&](CancelReason) { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("a registration that ended calls nobody") {
  CancelToken token;
  int calls = 0;
  {
    const auto registration = token.on_cancel([&](CancelReason) { ++calls; });
  }
  auto kept = token.on_cancel([&](CancelReason) { calls += 10; });
  auto moved = std::move(kept);
  auto dropped = token.on_cancel([&](CancelReason) { calls += 100; });
  dropped.reset();
  token.cancel(CancelReason::user);
  CHECK(calls == 10);
}

TEST_CASE("a callback may cancel another token or end its own registration") {
  CancelToken first;
  CancelToken second;
  CancelToken::Registration registration;
  registration = first.on_cancel([&](CancelReason reason) {
    second.cancel(reason);
    registration.reset();
  });
  first.cancel(CancelReason::user);
  CHECK(second.cancelled());
}

TEST_CASE("of many threads that cancel one wins and every callback runs once") {
  for (int round = 0; round < 50; ++round) {
    CancelToken token;
    std::atomic<int> winners{0};
    std::atomic<int> calls{0};
    const CancelToken child = token.child();
    const auto registration = child.on_cancel([&](CancelReason) { ++calls; });
    std::promise<void> start;
    const std::shared_future<void> started = start.get_future().share();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, started] {
        started.wait();
        if (token.cancel(CancelReason::user)) ++winners;
      });
    }
    start.set_value();
    for (std::thread& thread : threads) thread.join();
    CHECK(winners == 1);
    CHECK(calls == 1);
  }
}

TEST_CASE("every reason has a name of its own") {
  CHECK(name_of(CancelReason::user) == "user");
  CHECK(name_of(CancelReason::terminated) == "terminated");
  CHECK(name_of(CancelReason::device_lost) == "device_lost");
  CHECK(name_of(static_cast<CancelReason>(99)) == "unknown");
}
