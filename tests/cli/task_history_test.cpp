#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "cli/task_history.hpp"
#include "cli/terminal_width.hpp"

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

struct Journal {
  AttemptRecord attempt;
  std::vector<OutcomeRecord> outcomes;
  std::vector<StepRecord> steps;
  std::vector<DecisionRecord> decisions;
  std::size_t assertions = 0;

  Journal() {
    attempt.outcome = Outcome::verified_success;
    attempt.claimed = true;
    attempt.reason = "it is done";
  }
  void take_part(const std::string& role, const std::string& device) {
    Participant participant;
    participant.role = role;
    participant.device = DeviceId{device};
    attempt.participants.push_back(participant);
  }
  void step(const std::string& role, std::uint32_t number, const std::string& purpose) {
    StepRecord record;
    record.key.role = role;
    record.key.step = number;
    record.event.purpose = purpose;
    steps.push_back(record);
    ++attempt.steps;
  }
  void finish(const std::string& role, std::uint32_t number, bool success) {
    DecisionRecord record;
    record.key.role = role;
    record.key.step = number;
    record.tool = "finish_task";
    record.arguments = Json{{"success", success}, {"reason", role + " saw it"}};
    decisions.push_back(record);
    ++attempt.steps;
  }
  [[nodiscard]] std::string text() const {
    return attempt_text({attempt, assertions, outcomes, steps, decisions}, "running", any_width);
  }
};

std::size_t rows_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line);) rows += line.starts_with("   ") && line.size() > 4 ? 1 : 0;
  return rows;
}

}  // namespace

TEST_CASE("the turn that finished a task is its last row, so that rows and steps agree") {
  Journal journal;
  journal.take_part("main", "phone-01");
  journal.step("main", 1, "open the settings");
  journal.step("main", 2, "turn it on");
  journal.finish("main", 3, true);
  const std::string text = journal.text();
  INFO(text);
  CHECK_THAT(text, Contains("attempt 1 on phone-01: verified_success, it is done\n") && !Contains("role"));
  CHECK_THAT(text, Contains("   3        finish_task: done  ") && Contains("  main saw it\n"));
  CHECK(rows_of(text) == journal.attempt.steps);
}

TEST_CASE("a task that was given up has a last row that says so") {
  Journal journal;
  journal.take_part("main", "phone-01");
  journal.attempt.claimed = false;
  journal.finish("main", 1, false);
  CHECK_THAT(journal.text(), Contains("finish_task: can't be done"));
}

TEST_CASE("an attempt that asked no model tells what it saw") {
  Journal journal;
  journal.take_part("main", "phone-01");
  journal.attempt.steps = 1;
  CHECK_THAT(journal.text(),
             Contains("   1        described  ") && Contains("  it is done\n") && !Contains("finish_task"));
}

TEST_CASE("an attempt that goes on has no row for its end") {
  Journal journal;
  journal.take_part("main", "phone-01");
  journal.attempt.outcome.reset();
  journal.attempt.claimed.reset();
  journal.attempt.reason.clear();
  journal.step("main", 1, "open the settings");
  CHECK_THAT(journal.text(), Contains("on phone-01: running\n") && !Contains("finish_task"));
}

TEST_CASE("of several phones each is named with its role, and so is whose step and assertion it was") {
  Journal journal;
  journal.take_part("caller", "phone-03");
  journal.take_part("callee", "phone-02");
  for (const char* role : {"callee", "caller"}) {
    journal.step(role, 1, std::string(role) + " looks");
    journal.finish(role, 2, true);
  }
  journal.assertions = 1;
  AssertionResult held;
  held.held = true;
  AssertionResult failed;
  failed.observed = "nothing is there";
  journal.attempt.assertions = {held, failed};
  const std::string text = journal.text();
  INFO(text);
  CHECK(phones_text(journal.attempt) == "phone-03 (caller), phone-02 (callee)");
  CHECK_THAT(text, Contains("attempt 1 on phone-03 (caller), phone-02 (callee): "));
  CHECK_THAT(text, Contains("  caller held:   ") && Contains("  callee failed: ") && Contains("; nothing is there"));
  CHECK_THAT(text, Contains("step  role  "));
  const auto place = [&](const std::string& words) { return text.find(words); };
  CHECK(place("   1  caller") < place("   1  callee"));
  CHECK(place("   1  callee") < place("   2  caller"));
  CHECK(place("   2  caller") < place("   2  callee"));
}

TEST_CASE("where it is not known whose assertions they were no role is told") {
  Journal journal;
  journal.take_part("caller", "phone-03");
  journal.take_part("callee", "phone-02");
  journal.finish("caller", 1, true);
  journal.finish("callee", 1, true);
  journal.assertions = 1;
  journal.attempt.assertions = {AssertionResult()};
  CHECK_THAT(journal.text(), Contains("\n  failed: "));
}
