#pragma once

#include <map>
#include <string>

#include "actors/runtime.hpp"
#include "core/outcome.hpp"

namespace drover::cli {

/// What `--expect` holds a run to.
struct Promise {
  std::string file;  ///< Empty: nothing was promised.
  std::map<std::string, Verdict> verdicts;
};

/// How the process ends, and why.
struct RunEnding {
  int exit_code = 0;
  std::string why;          ///< One sentence without its full stop; names the batch's own code where that is another.
  std::string differences;  ///< From the promise, a line each, of the first 50.
};

/// The exit code of the batch, which its record in the journal has, too; with a
/// promise, and where the batch came to its own end, 0 or 1 after whether every verdict
/// is the promised one. What ended a batch early is named beside what decides its code.
RunEnding ending_of(const actors::BatchSummary& batch, const Promise& promise);

}  // namespace drover::cli
