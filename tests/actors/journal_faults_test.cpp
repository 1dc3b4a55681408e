#include <catch2/catch.hpp>
#include <deque>

#include "actors/actor_world.hpp"
#include "actors/test_double.hpp"

using namespace drover;
using namespace drover::test;
using namespace std::chrono_literals;

namespace {

const RetryRules no_retries{{}, 0, 0};

std::vector<Task> tasks(int count) {
  std::vector<Task> made;
  for (int i = 1; i <= count; ++i) made.push_back(ActorWorld::task("task-" + std::to_string(100 + i)));
  return made;
}

/// A journal that can be behind: what it is sent waits until it is let through.
struct SlowJournal {
  explicit SlowJournal(ActorWorld& in) : world(in) {
    real = world.system.spawn(actors::journal,
                              actors::JournalParts{world.journal, world.statistics, world.pressure, {}, &world.time});
    world.journal_handle =
        spawn_double<actors::journal_actor>(world.system, [this]() -> actors::journal_actor::behavior_type {
          return {[this](const actors::Append& append) {
                    held.push_back(append);
                    const auto& last = append.entries.back();
                    const bool run_end =
                        last.kind == storage::RecordKind::run && last.value.find("exit_code") != last.value.npos;
                    if (!behind && !(hold_run_end && run_end)) let_through(held.size());
                  },
                  [](const actors::WriteNow&) {}, [](const actors::ExtendLease&) {},
                  [this](const actors::ReserveFences& wish) {
                    if (!fences) return actors::FenceBlock{};
                    return actors::FenceBlock{*world.journal->reserve_fences(wish.count), wish.count};
                  }};
        });
  }
  ~SlowJournal() { caf::anon_send_exit(real, caf::exit_reason::kill); }

  /// The oldest `count` of what waits.
  void let_through(std::size_t count) {
    for (; count > 0 && !held.empty(); --count) {
      caf::anon_send(real, std::move(held.front()));
      held.pop_front();
    }
  }

  ActorWorld& world;
  actors::journal_actor real;
  std::deque<actors::Append> held;
  bool behind = false;
  bool hold_run_end = false;
  bool fences = true;
};

std::size_t run_records_ended(const ActorWorld& world) {
  std::size_t ended = 0;
  for (const auto& run : world.journal->of(storage::RecordKind::run)) ended += run.contains("exit_code") ? 1 : 0;
  return ended;
}

}  // namespace

TEST_CASE("what is sent to the journal counts as waiting until it lets go of it, even unread") {
  auto pressure = std::make_shared<actors::JournalPressure>(100);
  std::vector<storage::JournalEntry> entries{{storage::RecordKind::step, std::string(20, 'k'), std::string(90, 'v')}};
  {
    const actors::Append append(entries, {}, pressure);
    const actors::Append copy = append;
    CHECK(pressure->waiting_bytes() == 110);
    CHECK(pressure->too_high());
  }
  CHECK(pressure->waiting_bytes() == 0);
  CHECK_FALSE(pressure->too_high());
}

TEST_CASE("no ticket is given while the journal is behind, and they come back when it has caught up") {
  ActorWorld world;
  for (int i = 0; i < 30; ++i) world.add_phone("phone-" + std::to_string(100 + i));
  world.gate.limits.max_in_flight = 1;
  world.gate.adaptive_in_flight = false;
  world.pressure = std::make_shared<actors::JournalPressure>(40'000);
  SlowJournal slow(world);
  world.start();
  world.run(tasks(30), no_retries);
  slow.behind = true;
  world.advance(1min);
  const int calls = world.transport->calls;
  CHECK(world.pressure->too_high());
  CHECK(calls < 30);
  world.advance(20s);
  CHECK(world.transport->calls == calls);
  slow.behind = false;
  slow.let_through(slow.held.size());
  world.drain();
  CHECK(world.pressure->waiting_bytes() == 0);
  for (const auto& task : world.finish().tasks) CHECK(task.outcome == Outcome::verified_success);
  CHECK(world.pressure->waiting_bytes() == 0);
}

TEST_CASE("a stop is answered within five seconds although the journal never confirms, and says so") {
  ActorWorld world;
  world.add_phone("phone-1");
  SlowJournal slow(world);
  world.start();
  slow.behind = true;
  world.run(tasks(2), no_retries);
  world.advance(5s);
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  const auto& ended = world.finish(5s);
  REQUIRE(ended.failure);
  CHECK(ended.failure->code == Errc::storage_failed);
  CHECK(ended.failure->cause.find("did not confirm") != std::string::npos);
  CHECK(ended.exit_code == exit_code::interrupted);
  REQUIRE(ended.tasks.size() == 2);
  for (const auto& task : ended.tasks) CHECK(task.outcome == Outcome::cancelled);
  CHECK(world.statistics->sessions == 0);
}

TEST_CASE("late confirmations of older records do not end the batch before its run record is on disk") {
  ActorWorld world;
  world.add_phone("phone-1");
  SlowJournal slow(world);
  world.start();
  world.run(tasks(1), no_retries);
  world.run_until([&] { return world.phones[0]->dumps == 1; });
  slow.behind = true;
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  world.advance(500ms);
  REQUIRE(slow.held.size() >= 2);
  while (slow.held.size() > 1) {
    slow.let_through(1);
    world.drain();
    CHECK_FALSE(world.ended->has_value());
  }
  CHECK(run_records_ended(world) == 0);
  slow.let_through(1);
  world.advance(10ms);
  REQUIRE(world.ended->has_value());
  CHECK(run_records_ended(world) == 1);
  CHECK_FALSE(world.ended->value().failure);
}

TEST_CASE("a batch whose last record is never confirmed ends with that as its failure") {
  ActorWorld world;
  world.add_phone("phone-1");
  SlowJournal slow(world);
  slow.hold_run_end = true;
  world.start();
  world.run(tasks(1));
  const auto& ended = world.finish(5min);
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  REQUIRE(ended.failure);
  CHECK(ended.failure->cause.find("did not confirm the last 1 ") != std::string::npos);
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("an attempt whose session waits for the journal in vain ends soon after its deadline") {
  ActorWorld world;
  world.add_phone("phone-1");
  SlowJournal slow(world);
  world.start();
  world.run(tasks(1), no_retries);
  slow.behind = true;
  const auto& ended = world.finish(3min);
  CHECK(ended.tasks.at(0).outcome == Outcome::error);
  CHECK(ended.tasks.at(0).took <= 2min + 10s);
  REQUIRE(ended.failure);
  CHECK(ended.failure->code == Errc::storage_failed);
  CHECK(ended.exit_code == exit_code::infrastructure);
  CHECK(world.statistics->sessions == 0);
}

TEST_CASE("leases that the journal does not give are an error of the infrastructure and no missing phone") {
  ActorWorld world;
  world.add_phone("phone-1");
  SlowJournal slow(world);
  slow.fences = false;
  world.start();
  world.run(tasks(2));
  const auto& ended = world.finish(1min);
  for (const auto& task : ended.tasks) {
    CHECK(task.outcome == Outcome::error);
    CHECK(task.reason.find("leases") != std::string::npos);
    CHECK(task.attempts == 0);
  }
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("a disk that is full from the start is told as that and not as a missing phone") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.journal->failure = Error{Errc::disk_full, "the disk is full", "make room"};
  world.start();
  world.run(tasks(2));
  const auto& ended = world.finish(1min);
  REQUIRE(ended.failure);
  CHECK(ended.failure->code == Errc::disk_full);
  CHECK(ended.exit_code == exit_code::infrastructure);
}

TEST_CASE("a run without any phone exits with 18, and one that is stopped meanwhile with the stop's code") {
  for (const bool stopped : {false, true}) {
    ActorWorld world;
    world.add_phone("phone-1").gone = true;
    world.device_timeout = 10s;
    world.start();
    world.run(tasks(2), no_retries, 1);
    if (stopped) {
      world.advance(5s);
      caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
    }
    const auto& ended = world.finish(1min);
    CHECK(ended.tasks.at(0).outcome == (stopped ? Outcome::cancelled : Outcome::device_lost));
    CHECK(ended.tasks.at(0).attempts == 0);
    CHECK(ended.exit_code == (stopped ? exit_code::interrupted : exit_code::no_device));
  }
}

TEST_CASE("a record that no journal takes is refused to its client in order, and to nobody else") {
  ActorWorld world;
  world.start();
  std::vector<std::string> heard;
  const auto client = [&](const std::string& name) {
    return spawn_double<actors::journal_client_actor>(
        world.system, [&heard, name]() -> actors::journal_client_actor::behavior_type {
          return {[&heard, name](const actors::JournalAck& ack) {
            heard.push_back(name + (ack.status.ok() ? " written" : " " + ack.status.error().describe()));
          }};
        });
  };
  const auto first = client("first");
  const auto second = client("second");
  const auto append = [&](const actors::journal_client_actor& to, std::string value) {
    std::vector<storage::JournalEntry> entries{{storage::RecordKind::step, "key", std::move(value)}};
    caf::anon_send(world.journal_handle, actors::Append{std::move(entries), to, world.pressure});
  };
  append(first, "{}");
  append(first, "{" + std::string(9u << 20, ' ') + "}");
  append(second, "{}");
  world.advance(1s);
  REQUIRE(heard.size() == 3);
  CHECK(heard[0] == "first written");
  CHECK(heard[1].find("first A record for the journal has") == 0);
  CHECK(heard[2] == "second written");
  for (const auto& handle : {first, second}) caf::anon_send_exit(handle, caf::exit_reason::kill);
  world.drain();
}
