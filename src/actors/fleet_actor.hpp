#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/device_actor.hpp"
#include "actors/live_actors.hpp"
#include "actors/messages.hpp"
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
  Duration device_timeout = std::chrono::minutes{1};  ///< With no phone at all for so long, wishes are refused.
  std::uint32_t most_restarts = 3;                    ///< Of one phone's actor, after faults of this program.
};

/// All phones of the process: owns and watches the device actors, gives phones
/// out under fences that no lease ever had, all that a task needs or none.
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
  /// Whether that is one of the devices, also one that has just died.
  [[nodiscard]] bool owns(const caf::actor_addr& address) const;

 private:
  struct Phone {
    std::shared_ptr<devices::Driver> driver;
    device_actor actor;
    DeviceState state = DeviceState::connecting;
    std::string reason;
    Fence fence = 0;  ///< Of the lease it is under.
    dispatcher_actor user;
    std::uint32_t restarts = 0;
  };

  void spawn_device(Phone& phone);
  void set_state(const DeviceId& id, Phone& phone, DeviceState state);
  void serve();
  void fetch_fences();
  void arm_tick();
  [[nodiscard]] std::optional<std::vector<DeviceId>> match(const WantPhones& wish) const;
  [[nodiscard]] bool usable(DeviceState state) const noexcept;
  [[nodiscard]] std::optional<Error> impossible(const WantPhones& wish) const;

  fleet_actor::pointer self_ = nullptr;
  FleetParts parts_;
  std::map<DeviceId, Phone> phones_;
  std::unordered_map<caf::actor_id, DeviceId> by_actor_;  ///< Grows by one per restart of an actor.
  std::deque<DeviceId> free_;                             ///< In the order in which they came free.
  std::list<WantPhones> wishes_;
  Fence next_fence_ = 0;
  std::uint64_t fences_left_ = 0;
  bool fetching_ = false;
  bool fences_failed_ = false;
  std::size_t usable_ = 0;
  TimePoint none_since_{};
  bool tick_armed_ = false;
};

fleet_actor::behavior_type fleet(actor_pointer<fleet_actor, fleet_state> self, FleetParts parts);

}  // namespace drover::actors
