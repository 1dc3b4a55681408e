#include "providers/scripted/storms.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/random.hpp"

namespace drover::providers::scripted {

namespace {

/// Beyond it a scaled time is as good as never, and more would not fit.
constexpr double longest_seconds = 1e9;

}  // namespace

Duration scaled(Duration time, double scale) {
  const double seconds = std::chrono::duration<double>(time).count() * scale;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, longest_seconds)));
}

Storms::Storms(std::vector<ModelStorm> storms, std::uint64_t seed, double time_scale, TimePoint start)
    : storms_(std::move(storms)), seed_(seed), start_(start) {
  for (auto& storm : storms_) {
    storm.at = scaled(storm.at, time_scale);
    storm.length = scaled(storm.length, time_scale);
    if (storm.retry_after) storm.retry_after = scaled(*storm.retry_after, time_scale);
  }
}

const ModelStorm* Storms::taking(const RequestContent& content, TimePoint now) const {
  const auto since = now - start_;
  for (std::size_t i = 0; i < storms_.size(); ++i) {
    const auto& storm = storms_[i];
    if (since < storm.at || since >= storm.at + storm.length) continue;
    Random draw{seed_,
                "storm/" + std::to_string(i) + "/" + std::to_string(content.key) + "/" + std::to_string(content.tries)};
    if (draw.chance(storm.share)) return &storm;
  }
  return nullptr;
}

}  // namespace drover::providers::scripted
