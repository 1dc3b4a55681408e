#pragma once

#include <algorithm>
#include <cstddef>

#include "core/clock.hpp"

namespace drover::actors {

/// How long a commit waits for others to share its sync: not at all while few
/// write, a moment while many do. A sync costs as much for one record as for a
/// hundred, and a session that waits 3 ms for its intent loses nothing beside a model
/// call. After PostgreSQL's commit_delay and commit_siblings. Plain class with time
/// passed in; the journal actor is its only caller.
class CommitPace {
 public:
  /// How long to wait before the commit that an append at `now` begins.
  [[nodiscard]] Duration wait(TimePoint now) const noexcept {
    const Duration since = now - last_;
    if (shared_ == 0 || since > longest_gap) return Duration::zero();
    const double per_second = static_cast<double>(shared_) / std::chrono::duration<double>(interval_).count();
    const double expected = per_second * std::chrono::duration<double>(delay).count();
    return expected >= siblings ? delay : Duration::zero();
  }

  /// A commit of so many appends begins.
  void committed(std::size_t appends, TimePoint now) noexcept {
    interval_ = std::max<Duration>(now - last_, std::chrono::microseconds{1});
    shared_ = last_ == TimePoint{} ? 0 : appends;
    last_ = now;
  }

 private:
  static constexpr Duration delay = std::chrono::milliseconds{3};
  static constexpr Duration longest_gap = std::chrono::milliseconds{20};
  static constexpr double siblings = 5;

  TimePoint last_{};
  Duration interval_{};
  std::size_t shared_ = 0;  ///< Appends in the last commit.
};

}  // namespace drover::actors
