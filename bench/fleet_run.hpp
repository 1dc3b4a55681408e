#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "core/clock.hpp"
#include "devices/driver.hpp"

namespace drover::bench {

/// A phone that shows one dump after another and takes every act: what is
/// measured is the program and not the phone.
class DumpPhone : public devices::Driver {
 public:
  using Dumps = std::shared_ptr<const std::vector<std::string>>;
  DumpPhone(std::string id, Dumps dumps);

  const devices::DeviceDescription& description() const noexcept override { return description_; }
  void connect(Duration, std::function<void(Status)> done) override;
  void run(devices::Primitive primitive, Duration, std::function<void(devices::PrimitiveResult)> done) override;
  void on_lost(std::function<void(Error)>) override {}
  void reset(Duration, std::function<void(Status)> done) override;

 private:
  devices::DeviceDescription description_;
  Dumps dumps_;
  std::size_t next_ = 0;
};

/// The first twenty dumps of a folder, as the peers choose them; a made-up one where there is none.
DumpPhone::Dumps load_dumps(const std::string& folder);

struct FleetRun {
  std::size_t phones = 100;
  std::uint32_t steps = 1'000'000;  ///< Of each session.
  Duration time{};                  ///< After the warm-up; zero: until every session has ended.
  /// Figures are of what comes after so many steps of all sessions together: what a
  /// run pays once (records of tasks, first looks) is not a step's.
  std::uint64_t warm_up_steps = 0;
  std::string model_url;
  std::uint32_t in_flight = 64;
  std::uint32_t requests_per_minute = 0;
  bool screen_ages = false;  ///< To be read out of the decisions on their way to the journal.
  std::function<std::shared_ptr<devices::Driver>(std::string id, Timers&)> make_phone;
};

/// For FleetRun::make_phone.
std::function<std::shared_ptr<devices::Driver>(std::string, Timers&)> phones_that_show(DumpPhone::Dumps dumps);

struct FleetFigures {
  double wall_seconds = 0;
  double cpu_seconds = 0;  ///< Of this process, from the end of the warm-up.
  std::uint64_t steps = 0;
  std::uint64_t calls = 0;
  std::uint64_t refused = 0;
  std::uint64_t relooks = 0;
  std::uint64_t failed = 0;  ///< Sessions that ended in an error.
  std::uint32_t most_served = 0;
  std::uint32_t least_served = 0;
  /// Of the screens of all decisions after the warm-up when their slots came, sorted.
  std::vector<std::chrono::microseconds> screen_ages;
  std::size_t idle_rss_kib = 0;  ///< Above what the process had before, phones connected.
  std::size_t busy_rss_kib = 0;
  std::size_t peak_rss_kib = 0;  ///< Of the process.
};

/// Runs that many sessions on as many phones, with a RocksDB journal in a folder
/// that goes afterwards.
FleetFigures run_fleet(const FleetRun& run);

/// User and system time of this process, in seconds.
double cpu_seconds();
std::size_t rss_kib();

}  // namespace drover::bench
