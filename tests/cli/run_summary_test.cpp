#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "cli/run_summary.hpp"
#include "cli/terminal_width.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

std::string summary_of(const actors::BatchSummary& batch, std::size_t width = any_width) {
  RunRecord run;
  run.run = RunId{"night"};
  RunEnding ending;
  ending.exit_code = 20;
  ending.why = "the infrastructure failed";
  const actors::RunStatistics statistics;
  return summary_text(run, batch, statistics, std::chrono::seconds{60}, ending, "journal", width);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
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

TEST_CASE("a reason that a terminal's table cuts is told below it in full and once, however many tasks it stopped") {
  const std::string cause =
      "claude has answered nothing but failures for 31 s, the last: nothing answers at 127.0.0.1:9: connection refused "
      "(is the service running, and is base_url its address?)";
  const std::string refuted = "expected #hotspot is on, but nothing on page com.android.settings/network matches that";
  actors::BatchSummary batch;
  for (int i = 0; i < 5; ++i) {
    batch.tasks.push_back(task("t" + std::to_string(i), Verdict::error, Outcome::provider_unavailable, cause));
  }
  batch.tasks.push_back(task("lie", Verdict::failed, Outcome::claimed_but_refuted, refuted));
  batch.tasks.push_back(task("dark", Verdict::failed, Outcome::failed, "no switch"));
  const std::string text = summary_of(batch, 100);
  CHECK_THAT(text, Contains("The reasons in full:\n  t0, t1, t2 and 2 more: " + cause + "\n  lie: " + refuted + "\n"));
  CHECK(text.find(cause) == text.rfind(cause));
  CHECK(text.find("no switch") == text.rfind("no switch"));
}

TEST_CASE("in a file every task that did not pass has a row, and nothing of it is cut") {
  actors::BatchSummary batch;
  for (int i = 0; i < 50; ++i) {
    const std::string reason = std::to_string(i) + std::string(300, 'x');
    batch.tasks.push_back(task(std::string(80, 'n') + std::to_string(i), Verdict::failed, Outcome::failed, reason));
  }
  const std::string text = summary_of(batch);
  CHECK_THAT(text, !Contains("…") && !Contains("in full"));
  for (const auto& each : batch.tasks) CHECK_THAT(text, Contains(each.task.value + " "));
}

TEST_CASE("tasks that ended in the same way share a row, and few of them have one each") {
  actors::BatchSummary batch;
  for (int i = 0; i < 249; ++i) {
    batch.tasks.push_back(task("t" + std::to_string(i), Verdict::error, Outcome::error, "the disk is full"));
  }
  for (int i = 0; i < 3; ++i) {
    batch.tasks.push_back(task("u" + std::to_string(i), Verdict::agent, Outcome::stuck, "nothing changes"));
  }
  for (const std::size_t width : {any_width, std::size_t{120}}) {
    const std::string text = summary_of(batch, width);
    INFO(text);
    CHECK_THAT(text, Contains("249 tasks: t0, t1, t2") && Contains("the disk is full"));
    CHECK(text.find("the disk is full") == text.rfind("the disk is full"));
    for (const char* own : {"\nu0 ", "\nu1 ", "\nu2 "}) CHECK_THAT(text, Contains(own));
    CHECK(lines_of(text) < 30);
  }
}

TEST_CASE("a summary is short however many tasks did not pass, and says where the rest is") {
  actors::BatchSummary batch;
  for (int i = 0; i < 2500; ++i) {
    batch.tasks.push_back(
        task("t" + std::to_string(i), Verdict::failed, Outcome::failed, "nobody says " + std::to_string(i)));
    batch.tasks.back().lost_phones = {DeviceId{"phone-" + std::to_string(i)}};
  }
  for (const std::size_t width : {any_width, std::size_t{100}}) {
    const std::string text = summary_of(batch, width);
    INFO(text);
    CHECK_THAT(text, Contains("… and 2450 tasks more: drover history night --journal journal\n") &&
                         Contains("… and 2480 phones more\n"));
    CHECK(lines_of(text) < 120);
  }
  const actors::RunStatistics statistics;
  CHECK(summary_json({}, batch, statistics, {}, {})["tasks"].size() == 2500);
}

TEST_CASE("tasks whose success was only claimed are named with the claim, and few lines do for many") {
  actors::BatchSummary batch;
  batch.tasks.push_back(task("dark", Verdict::passed, Outcome::verified_success, ""));
  batch.tasks.push_back(task("light", Verdict::unverified, Outcome::claimed_success, "the switch is off"));
  const std::string text = summary_of(batch);
  INFO(text);
  CHECK_THAT(text, Contains("\nClaimed, not verified:\n") && Contains("\nlight ") && Contains("the switch is off") &&
                       !Contains("Not passed"));
  for (int i = 0; i < 2500; ++i) {
    batch.tasks.push_back(
        task("t" + std::to_string(i), Verdict::unverified, Outcome::claimed_success, "claim " + std::to_string(i)));
  }
  CHECK_THAT(summary_of(batch), Contains("… and 2451 tasks more: drover history night"));
  CHECK(lines_of(summary_of(batch)) < 120);
}

TEST_CASE("tasks that were cancelled before they began are counted and not listed") {
  actors::BatchSummary batch;
  batch.tasks.push_back(task("begun", Verdict::cancelled, Outcome::cancelled, "stopped at a step"));
  batch.tasks.back().attempts = 1;
  for (int i = 0; i < 2499; ++i) {
    batch.tasks.push_back(task("t" + std::to_string(i), Verdict::cancelled, Outcome::cancelled, "stopped"));
  }
  const std::string text = summary_of(batch);
  INFO(text);
  CHECK_THAT(text, Contains("\nbegun ") && Contains("2499 tasks never began: drover history night") &&
                       Contains("2500 cancelled") && !Contains("t17"));
  CHECK(lines_of(text) < 40);
  batch.tasks.erase(batch.tasks.begin());
  CHECK_THAT(summary_of(batch), Contains("Not passed:\n2499 tasks never began: "));
}

TEST_CASE("after the journal has failed the summary says that verdicts may not be saved") {
  actors::BatchSummary batch;
  batch.tasks.push_back(task("dark", Verdict::passed, Outcome::verified_success, ""));
  CHECK_THAT(summary_of(batch), !Contains("journal failed"));
  for (const Errc code : {Errc::disk_full, Errc::storage_failed}) {
    batch.failure = Error{code, "the disk is full", ""};
    CHECK_THAT(summary_of(batch), Contains("verdicts that are told here may be missing in it. drover history night"));
  }
  batch.failure = Error{Errc::internal, "the router failed", ""};
  CHECK_THAT(summary_of(batch), !Contains("journal failed"));
}

TEST_CASE("the summary tells what a task consumes as a rule and which one consumed the most") {
  actors::BatchSummary batch;
  for (const std::uint64_t calls : {4, 9, 3, 0}) {
    auto one = task("t" + std::to_string(calls), Verdict::passed, Outcome::verified_success, "");
    one.usage.calls = calls;
    one.usage.input_tokens = calls * 2000;
    one.usage.output_tokens = calls * 50;
    batch.tasks.push_back(std::move(one));
  }
  CHECK_THAT(summary_of(batch),
             Contains("  per task   4 calls, 8200 tokens in the middle; the most: t9 with 9 calls, 18.4k tokens\n"));
  batch.tasks[1].usage.cost = Money{26'000, "USD"};
  CHECK_THAT(summary_of(batch), Contains("18.4k tokens, 0.0260 USD\n"));
  batch.tasks.resize(1);
  CHECK(summary_of(batch).find("per task") == std::string::npos);
}

TEST_CASE("calls that nobody has priced cost no money") {
  CHECK_THAT(summary_of({}), Contains("0 in, 0 out, no cost\n") && !Contains("USD"));
}

TEST_CASE("phones that went away are named with the tasks that they were at") {
  actors::BatchSummary batch;
  batch.tasks.push_back(task("basket", Verdict::passed, Outcome::verified_success, ""));
  batch.tasks.back().lost_phones = {DeviceId{"phone-05"}};
  batch.tasks.push_back(task("radio", Verdict::error, Outcome::device_lost, "DeviceLost: phone-07 went away"));
  batch.tasks.back().lost_phones = {DeviceId{"phone-05"}, DeviceId{"phone-07"}};
  batch.tasks.push_back(task("dark", Verdict::passed, Outcome::verified_success, ""));
  CHECK_THAT(summary_of(batch),
             Contains("  lost       phone-05: basket was repeated elsewhere, radio was repeated elsewhere\n"
                      "             phone-07: radio ended with it\n"));
  batch.tasks.clear();
  CHECK_THAT(summary_of(batch), !Contains("lost"));
}
