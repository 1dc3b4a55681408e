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
/// pass and why, what was only claimed (or, of `--describe`, seen), the slowest tasks, tokens, retries, and why the
/// exit code is what it is. At most some hundred lines, however large the batch: tasks that ended in the same way share
/// a row, those that never began are counted. `journal`: its folder, for the commands that look closer. `width`: as
/// table_width() gives it; reasons that a table cuts stand below it in full.
std::string summary_text(const RunRecord& run, const actors::BatchSummary& batch,
                         const actors::RunStatistics& statistics, Duration took, const RunEnding& ending,
                         const std::string& journal, std::size_t width);

/// The same for programs, with every task. `exit_code` is the process's, `batch_exit_code`
/// the one that the run's record in the journal has.
Json summary_json(const RunRecord& run, const actors::BatchSummary& batch, const actors::RunStatistics& statistics,
                  Duration took, const RunEnding& ending);

}  // namespace drover::cli
