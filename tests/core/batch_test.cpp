#include "core/batch.hpp"

#include <catch2/catch.hpp>

using namespace drover;

namespace {

Batch batch_of(int count, RetryRules retries = {}) {
  std::vector<Task> tasks;
  for (int i = 0; i < count; ++i) {
    Task task;
    task.id = TaskId(std::string(1, static_cast<char>('a' + i)));
    tasks.push_back(std::move(task));
  }
  return Batch(std::move(tasks), std::move(retries));
}

RetryRules all_classes() {
  return {{RetryClass::infrastructure, RetryClass::agent, RetryClass::failure, RetryClass::in_doubt}, 2, 1000};
}

const TaskId a("a");

}  // namespace

TEST_CASE("a task that waits for its retry keeps its first outcome when no phone comes") {
  Batch batch = batch_of(1, all_classes());
  batch.next();
  CHECK(batch.attempt_ended(a, Outcome::failed, {}).again);
  const auto second = batch.next();
  REQUIRE(second);
  CHECK(second->attempt == 2);
  batch.give_up(a, Outcome::device_lost);
  CHECK(batch.outcome_of(a) == Outcome::failed);
  CHECK(batch.attempts_of(a) == 1);
  CHECK(batch.finished());
}

TEST_CASE("a task that waits for its retry keeps its first outcome when the run is stopped") {
  Batch batch = batch_of(2, all_classes());
  batch.next();
  CHECK(batch.attempt_ended(a, Outcome::claimed_but_refuted, {}).again);
  CHECK(batch.stop(Outcome::cancelled) == std::vector<TaskId>{a, TaskId("b")});
  CHECK(batch.outcome_of(a) == Outcome::claimed_but_refuted);
  CHECK(batch.outcome_of(TaskId("b")) == Outcome::cancelled);
  CHECK(batch.attempts_of(a) == 1);
  CHECK(batch.attempts_of(TaskId("b")) == 0);
}

TEST_CASE("a retry that is cancelled under way says nothing, so the attempt before it stands") {
  Batch batch = batch_of(1, all_classes());
  batch.next();
  batch.attempt_ended(a, Outcome::stuck, {});
  batch.next();
  batch.stop(Outcome::cancelled);
  const auto ended = batch.attempt_ended(a, Outcome::cancelled, {});
  CHECK_FALSE(ended.again);
  CHECK(ended.outcome == Outcome::stuck);
  CHECK(batch.attempts_of(a) == 2);
}

TEST_CASE("a first attempt that is cancelled is cancelled") {
  Batch batch = batch_of(1, all_classes());
  batch.next();
  CHECK(batch.attempt_ended(a, Outcome::cancelled, {}).outcome == Outcome::cancelled);
}

TEST_CASE("a task that no attempt was made of takes the outcome of its lack of phones and counts none") {
  Batch batch = batch_of(1);
  batch.next();
  batch.give_up(a, Outcome::device_lost);
  CHECK(batch.outcome_of(a) == Outcome::device_lost);
  CHECK(batch.attempts_of(a) == 0);
}

TEST_CASE("a task is tried again only for the classes named, so many times and elsewhere") {
  Batch batch = batch_of(1, {{RetryClass::infrastructure}, 1, 1000});
  batch.next();
  CHECK(batch.attempt_ended(a, Outcome::device_lost, {DeviceId("phone-1")}).again);
  const auto second = batch.next();
  REQUIRE(second);
  CHECK(second->avoid.count(DeviceId("phone-1")) == 1);
  const auto ended = batch.attempt_ended(a, Outcome::device_lost, {});
  CHECK_FALSE(ended.again);
  CHECK(ended.outcome == Outcome::device_lost);
  Batch other = batch_of(1, {{RetryClass::infrastructure}, 1, 1000});
  other.next();
  CHECK_FALSE(other.attempt_ended(a, Outcome::failed, {}).again);
}

TEST_CASE("a task put back is handed out again as the same attempt") {
  Batch batch = batch_of(1);
  CHECK(batch.next()->attempt == 1);
  batch.put_back(a);
  CHECK(batch.next()->attempt == 1);
}

TEST_CASE("a pass after an attempt that was none is flaky") {
  Batch batch = batch_of(1, all_classes());
  batch.next();
  batch.attempt_ended(a, Outcome::failed, {});
  batch.next();
  const auto ended = batch.attempt_ended(a, Outcome::verified_success, {});
  CHECK(ended.flaky);
  CHECK(ended.outcome == Outcome::verified_success);
}
