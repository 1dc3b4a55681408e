#include "cli/logged_step.hpp"

#include <catch2/catch.hpp>

using namespace drover;
using namespace drover::cli;
using Catch::Contains;

namespace {

DecisionRecord request(std::uint32_t attempt, const std::string& role, std::uint32_t step, std::uint32_t number = 1) {
  DecisionRecord record;
  record.key = {RunId("r"), TaskId("t"), attempt, role, step};
  record.request = number;
  return record;
}

const std::vector<DecisionRecord> one_role = {request(1, "main", 1), request(1, "main", 2),    request(1, "main", 3),
                                              request(2, "main", 1), request(2, "main", 1, 2), request(2, "main", 5)};

std::string refusal(const std::vector<DecisionRecord>& decisions, const StepChoice& choice) {
  const auto found = requests_of_step(decisions, choice);
  REQUIRE_FALSE(found.ok());
  return found.error().describe();
}

}  // namespace

TEST_CASE("a step is that of the last attempt that came to it, with every request of its turn") {
  const auto last = requests_of_step(one_role, {1, {}, ""});
  REQUIRE(last.ok());
  REQUIRE(last->size() == 2);
  CHECK(last->front().key.attempt == 2);
  CHECK(last->back().request == 2);
  const auto earlier = requests_of_step(one_role, {2, {}, ""});
  REQUIRE(earlier.ok());
  CHECK(earlier->front().key.attempt == 1);
  const auto named = requests_of_step(one_role, {1, 1, "main"});
  REQUIRE(named.ok());
  CHECK(named->size() == 1);
}

TEST_CASE("what is not there is told with what there is") {
  CHECK_THAT(refusal(one_role, {9, {}, ""}), Contains("step 9") && Contains("1 to 3, 5"));
  CHECK_THAT(refusal(one_role, {2, 2, ""}), Contains("steps with decisions: 1, 5"));
  CHECK_THAT(refusal(one_role, {1, 3, ""}), Contains("attempt 3") && Contains("1, 2"));
  CHECK_THAT(refusal(one_role, {1, {}, "caller"}), Contains("\"caller\"") && Contains("main"));
}

TEST_CASE("of several roles one has to be named") {
  const std::vector<DecisionRecord> decisions = {request(1, "callee", 1), request(1, "caller", 1),
                                                 request(1, "caller", 2)};
  CHECK_THAT(refusal(decisions, {1, {}, ""}), Contains("--role") && Contains("callee, caller"));
  const auto caller = requests_of_step(decisions, {1, {}, "caller"});
  REQUIRE(caller.ok());
  CHECK(caller->front().key.role == "caller");
  CHECK(requests_of_step(decisions, {2, {}, ""}).ok());
}
