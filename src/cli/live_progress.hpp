#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>

#include "actors/run_statistics.hpp"
#include "cli/gathered_log.hpp"
#include "core/clock.hpp"

namespace drover::cli {

enum class ProgressStyle : std::uint8_t {
  none,
  plain,  ///< A line now and then: for files and pipes.
  table,  ///< A table that is drawn over itself: for terminals.
};

/// `wanted`: "table", "plain", "none", or "auto": the table where standard error is
/// a terminal that TERM does not call dumb, else plain. No style has colours.
ProgressStyle progress_style(const std::string& wanted);

/// Shows how a run goes on. Belongs to one thread.
class LiveProgress {
 public:
  /// `out` stays open while it lives.
  LiveProgress(ProgressStyle style, const actors::RunStatistics& statistics, TimePoint started,
               std::FILE* out = stderr);

  /// Draws when it is time to; `stopping` is shown, and "stopped" once no task is left.
  void update(TimePoint now, bool stopping);
  /// The line of the plain style: tasks, rates over the last five seconds, phones by
  /// state, tokens, cost, and the time that is left.
  [[nodiscard]] std::string line(TimePoint now, bool stopping) const;
  /// Shows a line, above the table where there is one.
  void say(const std::string& line);
  /// The last picture stays; the cursor is behind it. `stopped`: as `stopping` of update().
  void finish(TimePoint now, bool stopped);

 private:
  struct Sample {
    TimePoint at;
    std::uint64_t steps;
    std::uint64_t calls;
    std::uint32_t decided;
  };
  [[nodiscard]] std::string table(TimePoint now, bool stopping);
  [[nodiscard]] std::string phones() const;
  [[nodiscard]] std::string cost() const;
  [[nodiscard]] std::string eta(TimePoint now, bool stopping) const;
  [[nodiscard]] double per_second(std::uint64_t Sample::*count, std::uint64_t present, TimePoint now) const;

  ProgressStyle style_;
  const actors::RunStatistics& statistics_;
  TimePoint started_;
  std::FILE* out_;
  TimePoint next_{};
  std::deque<Sample> samples_;
  std::uint32_t decided_ = 0;  ///< As last seen.
  TimePoint last_decided_;     ///< When another task was seen decided.
  int drawn_lines_ = 0;
  std::unique_ptr<GatheredLog> log_;  ///< Of the table: shown above it.
  std::string said_;                  ///< Not yet shown above the table.
};

}  // namespace drover::cli
