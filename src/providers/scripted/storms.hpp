#pragma once

#include <cstdint>
#include <vector>

#include "core/clock.hpp"
#include "core/model_faults.hpp"
#include "providers/scripted/misbehaviour.hpp"

namespace drover::providers::scripted {

/// The storms over a server: times in which a share of the requests fails. A value
/// without a clock; the time is passed in.
class Storms {
 public:
  /// Their times count from `start`. With `time_scale`, begin, length and retry_after
  /// are multiplied by it.
  Storms(std::vector<ModelStorm> storms, std::uint64_t seed, double time_scale, TimePoint start);

  /// The storm that fails a request that comes now, its times scaled; null: none does.
  /// Drawn from the seed, the storm's place in the list and the content, as
  /// draw_misbehaviour() does.
  [[nodiscard]] const ModelStorm* taking(const RequestContent& content, TimePoint now) const;

 private:
  std::vector<ModelStorm> storms_;
  std::uint64_t seed_;
  TimePoint start_;
};

/// A time multiplied by a scale.
Duration scaled(Duration time, double scale);

}  // namespace drover::providers::scripted
