#pragma once

#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace drover::cli {

/// While it lives, lines of the log gather here instead of going to standard error,
/// so that they can be shown above a table that is drawn over itself. What is left
/// at its end goes to standard error. One at a time; any thread may log.
class GatheredLog {
 public:
  GatheredLog();
  ~GatheredLog();
  GatheredLog(const GatheredLog&) = delete;
  GatheredLog& operator=(const GatheredLog&) = delete;

  /// The lines since the last call, each with its line break.
  std::string take();

 private:
  class Sink;
  std::shared_ptr<Sink> sink_;
  std::shared_ptr<spdlog::logger> before_;
};

}  // namespace drover::cli
