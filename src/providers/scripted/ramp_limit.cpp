#include "providers/scripted/ramp_limit.hpp"

#include <algorithm>

namespace drover::providers::scripted {

std::optional<Duration> RampLimit::refusal(TimePoint now) {
  if (!settings_) return std::nullopt;
  constexpr Duration minute = std::chrono::minutes{1};
  const std::lock_guard lock{mutex_};
  if (const auto passed = (now - minute_begin_) / minute; passed > 0) {
    last_minute_ = passed == 1 ? this_minute_ : 0;
    this_minute_ = 0;
    minute_begin_ += passed * minute;
  }
  const double grown = static_cast<double>(last_minute_) * (1 + settings_->growth_percent / 100);
  if (static_cast<double>(this_minute_ + 1) > std::max(grown, static_cast<double>(settings_->floor))) {
    return minute_begin_ + minute - now;
  }
  ++this_minute_;
  return std::nullopt;
}

}  // namespace drover::providers::scripted
