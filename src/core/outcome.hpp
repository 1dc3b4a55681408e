#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace drover {

/// How an attempt ended. `unknown` stands for a name of a newer version.
enum class Outcome : std::uint8_t {
  unknown,
  verified_success,
  claimed_success,
  claimed_but_refuted,
  failed,
  stuck,
  step_limit,
  timeout,
  device_lost,
  provider_unavailable,
  error,
  in_doubt,
  budget_exhausted,
  cancelled,
};

/// What a task's end says.
enum class Verdict : std::uint8_t { unknown, passed, unverified, failed, agent, error, in_doubt, budget, cancelled };

/// Which retry rule an outcome falls under.
enum class RetryClass : std::uint8_t { none, failure, agent, infrastructure, in_doubt, never };

std::string_view name_of(Outcome outcome) noexcept;
std::string_view name_of(Verdict verdict) noexcept;
std::string_view name_of(RetryClass retry) noexcept;
Outcome outcome_from(std::string_view name) noexcept;
Verdict verdict_from(std::string_view name) noexcept;

Verdict verdict_of(Outcome outcome) noexcept;
RetryClass retry_class_of(Outcome outcome) noexcept;

/// The process exit codes, in the order in which the first that holds wins.
namespace exit_code {
inline constexpr int configuration = 2;
inline constexpr int internal = 70;
inline constexpr int interrupted = 130;
inline constexpr int terminated = 143;
inline constexpr int cancelled = 19;
inline constexpr int failed = 1;
inline constexpr int threshold = 99;
inline constexpr int infrastructure = 20;
inline constexpr int no_device = 18;
inline constexpr int budget = 21;
inline constexpr int agent = 22;
inline constexpr int in_doubt = 15;
inline constexpr int nothing_selected = 3;
inline constexpr int success = 0;
}  // namespace exit_code

/// The code that one verdict stands for. `require_assertions` makes an
/// unverified claim a failure. A task without a readable verdict is a fault of
/// this program: internal.
int exit_code_of(Verdict verdict, bool require_assertions) noexcept;

/// The one that wins of several codes; 0 for none. A code that is not in the
/// list counts as internal.
int first_exit_code(std::span<const int> codes) noexcept;

}  // namespace drover
