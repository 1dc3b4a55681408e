#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/run_statistics.hpp"
#include "core/clock.hpp"
#include "core/simulated_time.hpp"
#include "net/http_client.hpp"
#include "providers/provider_gate.hpp"

namespace drover::bench {

struct SimulatedFleetOptions {
  std::size_t sessions = 300;
  providers::GateOptions gate;  ///< Of every key.
  std::size_t keys = 1;
  /// The service behind a key.
  std::function<std::shared_ptr<net::HttpTransport>(std::size_t key, Timers& timers)> make_service;
  /// What the session of that number is to do; it stands in each of its requests.
  std::function<std::string(std::size_t session)> goal;
  Duration look_time = std::chrono::milliseconds{100};
  Duration act_time = std::chrono::milliseconds{50};
};

/// The actors of a whole run, all of them on one thread and on simulated time: an
/// hour of a fleet passes in seconds, and in the same way each time. Every session
/// has a phone of its own and a task that does not end by itself. The journal keeps
/// nothing.
class SimulatedFleet {
 public:
  explicit SimulatedFleet(SimulatedFleetOptions options);
  ~SimulatedFleet();
  SimulatedFleet(const SimulatedFleet&) = delete;
  SimulatedFleet& operator=(const SimulatedFleet&) = delete;

  void advance(Duration span);
  [[nodiscard]] TimePoint now() const;
  [[nodiscard]] const actors::RunStatistics& statistics() const noexcept;

 private:
  struct World;
  std::unique_ptr<World> world_;
};

}  // namespace drover::bench
