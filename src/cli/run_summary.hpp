#pragma once

#include <string>

#include "actors/run_statistics.hpp"
#include "actors/runtime.hpp"
#include "cli/run_ending.hpp"
#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// The end of a run for people: counts by verdict and outcome, what did not
/// pass and why, the slowest tasks, tokens, retries, and why the exit code is
/// what it is. `journal`: its folder, for the commands that look closer.
std::string summary_text(const RunRecord& run, const actors::BatchSummary& batch,
                         const actors::RunStatistics& statistics, Duration took, const RunEnding& ending,
                         const std::string& journal);

/// The same for programs.
Json summary_json(const RunRecord& run, const actors::BatchSummary& batch, const actors::RunStatistics& statistics,
                  Duration took, const RunEnding& ending);

}  // namespace drover::cli
