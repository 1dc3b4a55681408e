#include <catch2/catch.hpp>

#include <string>

#include "cli/run_summary.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

std::string summary_of(const actors::BatchSummary& batch) {
  RunRecord run;
  run.run = RunId{"night"};
  RunEnding ending;
  ending.exit_code = 20;
  ending.why = "the infrastructure failed";
  const actors::RunStatistics statistics;
  return summary_text(run, batch, statistics, std::chrono::seconds{60}, ending, "journal");
}

actors::TaskSummary task(const std::string& id, Verdict verdict, Outcome outcome, const std::string& reason) {
  actors::TaskSummary summary;
  summary.task = TaskId{id};
  summary.verdict = verdict;
  summary.outcome = outcome;
  summary.reason = reason;
  return summary;
}

}  // namespace

TEST_CASE("what stood in the way is told in full and once, however many tasks it stopped") {
  const std::string cause =
      "claude has answered nothing but failures for 31 s, the last: nothing answers at 127.0.0.1:9: connection refused "
      "(is the service running, and is base_url its address?)";
  actors::BatchSummary batch;
  for (int i = 0; i < 3; ++i) {
    batch.tasks.push_back(task("t" + std::to_string(i), Verdict::error, Outcome::provider_unavailable, cause));
  }
  const std::string text = summary_of(batch);
  const auto heading = text.find("What stood in the way:\n  " + cause + "\n");
  REQUIRE(heading != std::string::npos);
  CHECK(text.find(cause) == text.rfind(cause));
}

TEST_CASE("a task that failed by itself is no cause that stood in the way") {
  actors::BatchSummary batch;
  batch.tasks.push_back(task("dark", Verdict::failed, Outcome::failed, "TaskFailedError: no such switch"));
  CHECK_THAT(summary_of(batch), Contains("TaskFailedError: no such switch") && !Contains("What stood in the way"));
}
