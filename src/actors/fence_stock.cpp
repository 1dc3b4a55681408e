#include "actors/fence_stock.hpp"

#include <algorithm>

namespace drover::actors {
namespace {

constexpr Duration first_patience = std::chrono::seconds{10};
constexpr Duration most_patience = std::chrono::minutes{1};
constexpr Duration first_pause = std::chrono::seconds{1};
constexpr Duration longest_pause = std::chrono::seconds{30};
constexpr std::uint32_t failures_that_count = 3;

Duration grown(Duration first, std::uint32_t times, Duration most) noexcept {
  return std::min<Duration>(first * (1 << std::min(times, 10u)), most);
}

}  // namespace

bool FenceStock::wants_more(TimePoint now) const noexcept { return !asking_ && left_ < block / 4 && now >= next_try_; }

Duration FenceStock::asked() noexcept {
  asking_ = true;
  return grown(first_patience, failures_in_a_row_, most_patience);
}

void FenceStock::refilled(Fence first, std::uint64_t count) noexcept {
  asking_ = false;
  failures_in_a_row_ = 0;
  next_ = first;
  left_ = count;
}

void FenceStock::refused(TimePoint now) noexcept {
  asking_ = false;
  next_try_ = now + grown(first_pause, failures_in_a_row_, longest_pause);
  ++failures_in_a_row_;
}

Fence FenceStock::take() noexcept {
  --left_;
  return next_++;
}

bool FenceStock::out_of(std::size_t count) const noexcept {
  return left_ < count && failures_in_a_row_ >= failures_that_count;
}

}  // namespace drover::actors
