#pragma once

#include <map>
#include <string>

#include "actors/run_statistics.hpp"
#include "actors/runtime.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// The end of a run for people: counts by verdict and outcome, what did not
/// pass and why, the slowest tasks, tokens, retries, and why the exit code is
/// what it is.
std::string summary_text(const RunRecord& run, const actors::BatchSummary& batch,
                         const actors::RunStatistics& statistics, Duration took);

/// The same for programs.
Json summary_json(const RunRecord& run, const actors::BatchSummary& batch, const actors::RunStatistics& statistics,
                  Duration took);

/// One sentence: why the process ends with this code.
std::string why_exit_code(const actors::BatchSummary& batch);

/// The verdicts that a file promises, by task: `task-id: passed`, YAML or JSON.
Result<std::map<std::string, Verdict>> load_expected_verdicts(const std::string& path);

/// What differs from the promise, a line each; empty when nothing does.
std::string differences(const std::map<std::string, Verdict>& expected, const actors::BatchSummary& batch);

}  // namespace drover::cli
