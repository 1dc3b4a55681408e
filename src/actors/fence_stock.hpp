#pragma once

#include <cstddef>
#include <cstdint>

#include "core/clock.hpp"
#include "core/ids.hpp"

namespace drover::actors {

/// The fences in hand and when to ask the journal for more. A journal that is
/// slow or refuses is asked again, with growing patience and growing pauses; what
/// is in hand is given out meanwhile. Fences only ever rise: what is left of a
/// block when the next one comes is forgotten.
class FenceStock {
 public:
  static constexpr std::uint64_t block = 4096;  ///< Asked for at a time.

  /// Whether to ask now: few are left, no question is open and no pause is being kept.
  [[nodiscard]] bool wants_more(TimePoint now) const noexcept;
  /// A question begins; gives how long to wait for its answer.
  Duration asked() noexcept;
  void refilled(Fence first, std::uint64_t count) noexcept;
  /// The question ended without fences.
  void refused(TimePoint now) noexcept;

  [[nodiscard]] std::uint64_t left() const noexcept { return left_; }
  /// The next fence; only while any is left.
  Fence take() noexcept;
  /// Whether so many can't be had: fewer are left, and several questions in a row were in vain.
  [[nodiscard]] bool out_of(std::size_t count) const noexcept;

 private:
  Fence next_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t failures_in_a_row_ = 0;
  TimePoint next_try_{};
  bool asking_ = false;
};

}  // namespace drover::actors
