#include "core/outcome.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace drover;

TEST_CASE("each outcome has the verdict, the retry class and the exit code that it stands for") {
  struct Row {
    Outcome outcome;
    std::string_view name;
    Verdict verdict;
    RetryClass retry;
    int exit_code;
  };
  const Row rows[] = {
      {Outcome::verified_success, "verified_success", Verdict::passed, RetryClass::none, 0},
      {Outcome::claimed_success, "claimed_success", Verdict::unverified, RetryClass::none, 0},
      {Outcome::claimed_but_refuted, "claimed_but_refuted", Verdict::failed, RetryClass::failure, 1},
      {Outcome::failed, "failed", Verdict::agent, RetryClass::agent, 22},
      {Outcome::stuck, "stuck", Verdict::agent, RetryClass::agent, 22},
      {Outcome::step_limit, "step_limit", Verdict::agent, RetryClass::agent, 22},
      {Outcome::timeout, "timeout", Verdict::agent, RetryClass::agent, 22},
      {Outcome::device_lost, "device_lost", Verdict::error, RetryClass::infrastructure, 20},
      {Outcome::provider_unavailable, "provider_unavailable", Verdict::error, RetryClass::infrastructure, 20},
      {Outcome::error, "error", Verdict::error, RetryClass::infrastructure, 20},
      {Outcome::in_doubt, "in_doubt", Verdict::in_doubt, RetryClass::in_doubt, 15},
      {Outcome::budget_exhausted, "budget_exhausted", Verdict::budget, RetryClass::never, 21},
      {Outcome::cancelled, "cancelled", Verdict::cancelled, RetryClass::never, 19},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    CHECK(name_of(row.outcome) == row.name);
    CHECK(outcome_from(row.name) == row.outcome);
    CHECK(verdict_of(row.outcome) == row.verdict);
    CHECK(retry_class_of(row.outcome) == row.retry);
    CHECK(exit_code_of(row.verdict, false) == row.exit_code);
  }
}

TEST_CASE("a claim without an assertion fails when assertions are required") {
  CHECK(exit_code_of(Verdict::unverified, true) == 1);
  CHECK(exit_code_of(Verdict::passed, true) == 0);
}

TEST_CASE("an outcome that is not known is never a success and never retried") {
  CHECK(outcome_from("teleported") == Outcome::unknown);
  CHECK(verdict_from("teleported") == Verdict::unknown);
  CHECK(verdict_of(Outcome::unknown) == Verdict::unknown);
  CHECK(retry_class_of(Outcome::unknown) == RetryClass::never);
  CHECK(exit_code_of(Verdict::unknown, false) == exit_code::internal);
}

TEST_CASE("every verdict is read back from its name") {
  for (int i = 0; i <= static_cast<int>(Verdict::cancelled); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    CHECK(verdict_from(name_of(verdict)) == verdict);
  }
}

TEST_CASE("of several exit codes the first in the order of precedence wins") {
  const std::vector<int> order = {2, 70, 130, 143, 19, 1, 99, 20, 18, 21, 22, 15, 3, 0};
  for (std::size_t first = 0; first < order.size(); ++first) {
    std::vector<int> codes(order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
    CHECK(first_exit_code(codes) == order[first]);
    std::reverse(codes.begin(), codes.end());
    CHECK(first_exit_code(codes) == order[first]);
  }
}

TEST_CASE("no exit code at all is success and a strange one is internal") {
  CHECK(first_exit_code({}) == 0);
  const std::vector<int> strange = {0, 42};
  CHECK(first_exit_code(strange) == exit_code::internal);
}
