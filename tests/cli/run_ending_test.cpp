#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "cli/run_ending.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

actors::BatchSummary batch_of(std::initializer_list<Verdict> verdicts, int exit_code) {
  actors::BatchSummary batch;
  for (const Verdict verdict : verdicts) {
    batch.tasks.emplace_back();
    batch.tasks.back().task = TaskId{"t" + std::to_string(batch.tasks.size())};
    batch.tasks.back().verdict = verdict;
  }
  batch.exit_code = exit_code;
  return batch;
}

std::string why(const actors::BatchSummary& batch) { return ending_of(batch, {}).why; }

}  // namespace

TEST_CASE("what went well is told apart into what passed and what was only claimed") {
  using enum Verdict;
  CHECK(why(batch_of({passed, passed}, exit_code::success)) == "every task passed");
  CHECK(why(batch_of({passed, unverified, passed}, exit_code::success)) ==
        "2 tasks passed, 1 task was only claimed to be done: without assertions a claim stands (state assertions, or "
        "have claims fail with --require-assertions)");
  CHECK_THAT(why(batch_of({unverified, unverified}, exit_code::success)),
             Catch::StartsWith("2 tasks were only claimed to be done: "));
  CHECK(why(batch_of({unverified}, exit_code::failed)) ==
        "1 task was only claimed to be done, and a verified success is required (state assertions)");
}

TEST_CASE("a run that only looked claims nothing") {
  using enum Verdict;
  const RunEnding seen = ending_of(batch_of({unverified, unverified}, exit_code::success), {}, true);
  CHECK(seen.described);
  CHECK(seen.why == "2 screens were described, nothing was verified");
  CHECK_THAT(ending_of(batch_of({unverified}, exit_code::failed), {}, true).why,
             Catch::StartsWith("--describe verifies nothing"));
}

TEST_CASE("a promise that these tasks can't keep is refused with what does not match") {
  using enum Verdict;
  std::vector<Task> tasks(2);
  tasks[0].id = TaskId{"a"};
  tasks[1].id = TaskId{"b"};
  CHECK(check_promise({"e.yaml", {{"a", passed}, {"b", failed}}}, tasks).ok());
  const auto both = check_promise({"e.yaml", {{"a", passed}, {"c", passed}}}, tasks);
  REQUIRE_FALSE(both.ok());
  CHECK(both.error().cause ==
        "--expect: e.yaml promises verdicts of what is no task of this run: c; promises none of: b");
  std::map<std::string, Verdict> many;
  for (int i = 0; i < 100; ++i) many["t" + std::to_string(i)] = passed;
  CHECK_THAT(check_promise({"e.yaml", many}, tasks).error().cause, Contains("t0, t1, t10, t11, t12 and 95 more"));
}

TEST_CASE("what ended a run early is named whether it decides the exit code or not") {
  using enum Verdict;
  auto batch = batch_of({failed, error, error}, exit_code::failed);
  batch.failure = Error{Errc::disk_full, "the disk of the journal is full", "make room"};
  CHECK(why(batch) == "1 task failed, and the run ended early: the disk of the journal is full (make room)");
  batch.exit_code = exit_code::infrastructure;
  CHECK(why(batch) == "the disk of the journal is full (make room)");
  batch.exit_code = exit_code::interrupted;
  batch.cancelled = CancelReason::user;
  CHECK(why(batch) ==
        "the run was stopped with Ctrl-C, and the run ended early: the disk of the journal is full "
        "(make room)");
  const RunEnding promised = ending_of(batch, {"expected.yaml", {{"t1", failed}}});
  CHECK(promised.exit_code == exit_code::interrupted);
}

TEST_CASE("beside the code of a promise that was kept or broken stands the batch's own") {
  using enum Verdict;
  const auto batch = batch_of({failed, passed}, exit_code::failed);
  const RunEnding kept = ending_of(batch, {"expected.yaml", {{"t1", failed}, {"t2", passed}}});
  CHECK(kept.exit_code == 0);
  CHECK(kept.why == "the verdicts are those of expected.yaml (batch exit 1: 1 task failed)");
  const RunEnding broken = ending_of(batch, {"expected.yaml", {{"t1", passed}, {"t2", passed}}});
  CHECK(broken.exit_code == 1);
  CHECK(broken.why == "1 verdict not as expected.yaml promises");
  const auto well = batch_of({passed}, exit_code::success);
  CHECK(ending_of(well, {"expected.yaml", {{"t1", passed}}}).why == "the verdicts are those of expected.yaml");
}

TEST_CASE("of very many differences from a promise the first are listed and all are counted") {
  actors::BatchSummary batch;
  batch.tasks.resize(2500);
  std::map<std::string, Verdict> promised;
  for (std::size_t i = 0; i < batch.tasks.size(); ++i) {
    batch.tasks[i].task = TaskId{"t" + std::to_string(i)};
    promised[batch.tasks[i].task.value] = Verdict::passed;
  }
  const RunEnding ending = ending_of(batch, {"expected.yaml", promised});
  CHECK(std::count(ending.differences.begin(), ending.differences.end(), '\n') == 51);
  CHECK_THAT(ending.differences, Contains("… and 2450 more\n"));
  CHECK_THAT(ending.why, Contains("2500 verdicts not as"));
}
