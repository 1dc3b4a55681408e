#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/simulation.hpp"
#include "devices/driver.hpp"

namespace drover::devices::simulated {

/// The apps that simulated phones have installed, read from app files and shared
/// by all phones; immutable.
class AppCatalogue;

/// One thing wrong with an app file.
struct AppFileProblem {
  std::string file;  ///< Empty: the folder, or a file that can't be read; the message names it.
  int line = 0;      ///< From 1; 0 when the file as a whole is meant.
  std::string message;

  /// "apps/shop.yaml:12: …".
  [[nodiscard]] std::string describe() const;
};

/// What reading a folder of app files came to.
struct LoadedApps {
  std::shared_ptr<const AppCatalogue> apps;  ///< Null when there is any problem.
  std::vector<AppFileProblem> problems;      ///< All that is wrong.
};

/// Reads every `*.yaml` of a folder.
LoadedApps load_apps(const std::string& folder);

struct PhoneOptions {
  DeviceId id;
  std::uint64_t seed = 1;   ///< The run's; the phone's own stream comes from it and the id.
  double time_scale = 1.0;  ///< Every wait is multiplied by it; 0: no waits.
  LatencyProfile latency = LatencyProfile::typical;
  PhoneFaultSettings faults;
};

/// A phone in this process that speaks the driver interface: dumps come as
/// UIAutomator XML bytes, pictures as PNG, taps go through the hit test of the
/// same model. All waiting is in `timers`, which must outlive the driver.
std::unique_ptr<Driver> make_simulated_phone(std::shared_ptr<const AppCatalogue> apps, PhoneOptions options,
                                             Timers& timers);

}  // namespace drover::devices::simulated
