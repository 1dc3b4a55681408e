#pragma once

#include <map>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "core/error.hpp"
#include "core/outcome.hpp"
#include "core/task.hpp"

namespace drover::cli {

/// What `--expect` holds a run to.
struct Promise {
  std::string file;  ///< Empty: nothing was promised.
  std::map<std::string, Verdict> verdicts;
};

/// Whether a promise can be kept at all by these tasks: it names all of them and no
/// others. invalid_argument names the first of those that do not match.
Status check_promise(const Promise& promise, const std::vector<Task>& tasks);

/// How the process ends, and why.
struct RunEnding {
  int exit_code = 0;
  std::string why;          ///< One sentence without its full stop; names the batch's own code where that is another.
  std::string differences;  ///< From the promise, a line each, of the first 50.
  bool described = false;   ///< No model was asked: the screens were looked at once.
};

/// The exit code of the batch, which its record in the journal has, too; with a
/// promise, and where the batch came to its own end, 0 or 1 after whether every verdict
/// is the promised one. What ended a batch early is named beside what decides its code.
/// `described`: it was a run of `--describe`, which verifies nothing.
RunEnding ending_of(const actors::BatchSummary& batch, const Promise& promise, bool described = false);

}  // namespace drover::cli
