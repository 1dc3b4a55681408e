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
  std::string why;          ///< One sentence without its full stop.
  std::string differences;  ///< From the promise, a line each.
};

/// The exit code of the batch; with a promise, and where the batch came to its own
/// end, 0 or 1 after whether every verdict is the promised one.
RunEnding ending_of(const actors::BatchSummary& batch, const Promise& promise);

}  // namespace drover::cli
