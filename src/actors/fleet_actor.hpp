#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/device_actor.hpp"
#include "actors/fence_stock.hpp"
#include "actors/live_actors.hpp"
#include "actors/messages.hpp"
#include "actors/phone_line.hpp"
#include "actors/run_statistics.hpp"
#include "core/clock.hpp"

namespace drover::actors {

struct FleetParts {
  std::vector<std::shared_ptr<devices::Driver>> drivers;
  DeviceOptions device_options;
  journal_actor journal;                    ///< Gives the fences.
  Timers* timers = nullptr;                 ///< Outlives the actor system.
  devices::ImageWorkers* images = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<LiveActors> live;
  Duration device_timeout = std::chrono::minutes{1};  ///< How long a wish waits for phones that are away.
  std::uint32_t most_restarts = 3;                    ///< Of one phone's actor, after faults of this program.
};

/// All phones of the process: owns and watches the device actors, gives phones
/// out under fences that no lease ever had, all that a task needs or none. Who
/// gets which phone, and when a wait ends, is decided by PhoneLine; when the
/// journal is asked for fences, by FenceStock.
class fleet_state {
 public:
  static inline const char* name = "fleet";
  fleet_state() = default;

  void start(fleet_actor::pointer self, FleetParts parts);
  void want(const WantPhones& wish);
  void forget(std::uint64_t number);
  void released(const PhoneReleased& release);
  void reported(const DeviceReport& report);
  void device_died(const caf::down_msg& down);
  void tick();
  /// Refuses every wish that waits, when the fleet itself is told to go.
  void refuse_all(const Error& error);
  /// Whether that is one of the devices, also one that has just died.
  [[nodiscard]] bool owns(const caf::actor_addr& address) const;

 private:
  struct Phone {
    std::shared_ptr<devices::Driver> driver;
    device_actor actor;
    Fence fence = 0;  ///< Of the lease it is under.
    dispatcher_actor user;
    std::uint64_t wish = 0;  ///< Of `user`, which the lease was granted for.
    std::uint32_t restarts = 0;
  };

  void spawn_device(const DeviceId& id, Phone& phone);
  void set_state(const DeviceId& id, DeviceState state, std::string reason);
  void grant(const PhoneMatch& match);
  void refuse(std::uint64_t ticket, Error error);
  void serve();
  void fetch_fences();
  void arm_tick();

  fleet_actor::pointer self_ = nullptr;
  FleetParts parts_;
  std::map<DeviceId, Phone> phones_;
  std::unordered_map<caf::actor_id, DeviceId> by_actor_;  ///< Grows by one per restart of an actor.
  PhoneLine line_;
  std::map<std::uint64_t, WantPhones> wishes_;  ///< Those in the line, by their ticket in it.
  std::uint64_t last_ticket_ = 0;
  FenceStock fences_;
  bool tick_armed_ = false;
};

fleet_actor::behavior_type fleet(actor_pointer<fleet_actor, fleet_state> self, FleetParts parts);

}  // namespace drover::actors
