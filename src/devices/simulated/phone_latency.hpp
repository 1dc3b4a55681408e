#pragma once

#include <cstdint>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/simulation.hpp"
#include "devices/driver.hpp"

namespace drover::devices::simulated {

/// How long one phone takes for what it does, before the time scale: log-normal
/// around the medians of devices.md section 7, cut to the ranges given there, and
/// a phone is slower or faster than others as a whole.
class PhoneLatency {
 public:
  PhoneLatency(LatencyProfile profile, std::uint64_t seed, const DeviceId& id);

  /// `cold`: a launch that has to start the app.
  Duration next(const Primitive& primitive, bool cold);
  Duration connecting();
  Duration resetting();
  /// A dump that waits in vain for the screen to come to rest.
  Duration idle_failure();

 private:
  Duration draw(Duration low, Duration median, Duration high, double spread);

  Random random_;
  float speed_ = 1;  ///< Of this phone; multiplies every wait.
  float scale_ = 1;  ///< Of the profile; 0: no waits.
};

}  // namespace drover::devices::simulated
