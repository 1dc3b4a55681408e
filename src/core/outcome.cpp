#include "core/outcome.hpp"

#include <algorithm>
#include <array>

namespace drover {
namespace {

struct OutcomeRow {
  Outcome outcome;
  std::string_view name;
  Verdict verdict;
  RetryClass retry;
};

constexpr std::array outcome_table{
    OutcomeRow{Outcome::unknown, "unknown", Verdict::unknown, RetryClass::never},
    OutcomeRow{Outcome::verified_success, "verified_success", Verdict::passed, RetryClass::none},
    OutcomeRow{Outcome::claimed_success, "claimed_success", Verdict::unverified, RetryClass::none},
    OutcomeRow{Outcome::claimed_but_refuted, "claimed_but_refuted", Verdict::failed, RetryClass::failure},
    OutcomeRow{Outcome::failed, "failed", Verdict::agent, RetryClass::agent},
    OutcomeRow{Outcome::stuck, "stuck", Verdict::agent, RetryClass::agent},
    OutcomeRow{Outcome::step_limit, "step_limit", Verdict::agent, RetryClass::agent},
    OutcomeRow{Outcome::timeout, "timeout", Verdict::agent, RetryClass::agent},
    OutcomeRow{Outcome::device_lost, "device_lost", Verdict::error, RetryClass::infrastructure},
    OutcomeRow{Outcome::provider_unavailable, "provider_unavailable", Verdict::error, RetryClass::infrastructure},
    OutcomeRow{Outcome::error, "error", Verdict::error, RetryClass::infrastructure},
    OutcomeRow{Outcome::in_doubt, "in_doubt", Verdict::in_doubt, RetryClass::in_doubt},
    OutcomeRow{Outcome::budget_exhausted, "budget_exhausted", Verdict::budget, RetryClass::never},
    OutcomeRow{Outcome::cancelled, "cancelled", Verdict::cancelled, RetryClass::never},
};

constexpr bool rows_stand_at_their_values() {
  for (std::size_t i = 0; i < outcome_table.size(); ++i) {
    if (static_cast<std::size_t>(outcome_table[i].outcome) != i) return false;
  }
  return true;
}
static_assert(rows_stand_at_their_values());
static_assert(outcome_table.size() == static_cast<std::size_t>(Outcome::cancelled) + 1);

const OutcomeRow& row_of(Outcome outcome) noexcept {
  const auto index = static_cast<std::size_t>(outcome);
  return outcome_table[index < outcome_table.size() ? index : 0];
}

constexpr std::array<std::string_view, 9> verdict_names{"unknown", "passed",   "unverified", "failed",   "agent",
                                                        "error",   "in_doubt", "budget",     "cancelled"};
static_assert(verdict_names.size() == static_cast<std::size_t>(Verdict::cancelled) + 1);

constexpr std::array precedence{
    exit_code::configuration,    exit_code::internal, exit_code::interrupted, exit_code::terminated,
    exit_code::cancelled,        exit_code::failed,   exit_code::threshold,   exit_code::infrastructure,
    exit_code::no_device,        exit_code::budget,   exit_code::agent,       exit_code::in_doubt,
    exit_code::nothing_selected, exit_code::success,
};

}  // namespace

std::string_view name_of(Outcome outcome) noexcept { return row_of(outcome).name; }

std::string_view name_of(Verdict verdict) noexcept {
  const auto index = static_cast<std::size_t>(verdict);
  return verdict_names[index < verdict_names.size() ? index : 0];
}

std::string_view name_of(RetryClass retry) noexcept {
  switch (retry) {
    case RetryClass::none:
      return "none";
    case RetryClass::failure:
      return "failure";
    case RetryClass::agent:
      return "agent";
    case RetryClass::infrastructure:
      return "infra";
    case RetryClass::in_doubt:
      return "in_doubt";
    case RetryClass::never:
      return "never";
  }
  return "unknown";
}

Outcome outcome_from(std::string_view name) noexcept {
  for (const OutcomeRow& row : outcome_table) {
    if (row.name == name) return row.outcome;
  }
  return Outcome::unknown;
}

Verdict verdict_from(std::string_view name) noexcept {
  const auto found = std::find(verdict_names.begin(), verdict_names.end(), name);
  return found == verdict_names.end() ? Verdict::unknown : static_cast<Verdict>(found - verdict_names.begin());
}

Verdict verdict_of(Outcome outcome) noexcept { return row_of(outcome).verdict; }

RetryClass retry_class_of(Outcome outcome) noexcept { return row_of(outcome).retry; }

int exit_code_of(Verdict verdict, bool require_assertions) noexcept {
  switch (verdict) {
    case Verdict::passed:
      return exit_code::success;
    case Verdict::unverified:
      return require_assertions ? exit_code::failed : exit_code::success;
    case Verdict::failed:
      return exit_code::failed;
    case Verdict::agent:
      return exit_code::agent;
    case Verdict::error:
      return exit_code::infrastructure;
    case Verdict::in_doubt:
      return exit_code::in_doubt;
    case Verdict::budget:
      return exit_code::budget;
    case Verdict::cancelled:
      return exit_code::cancelled;
    case Verdict::unknown:
      break;
  }
  return exit_code::internal;
}

int first_exit_code(std::span<const int> codes) noexcept {
  auto first = precedence.end() - 1;
  for (const int code : codes) {
    auto found = std::find(precedence.begin(), precedence.end(), code);
    if (found == precedence.end()) found = std::find(precedence.begin(), precedence.end(), exit_code::internal);
    first = std::min(first, found);
  }
  return *first;
}

}  // namespace drover
