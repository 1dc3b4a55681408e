#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "actors/actor_state.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "core/clock.hpp"
#include "devices/driver.hpp"
#include "devices/executor.hpp"
#include "devices/health.hpp"
#include "devices/image_workers.hpp"
#include "devices/look.hpp"

namespace drover::actors {

struct DeviceOptions {
  Duration look_timeout = std::chrono::seconds{30};  ///< Of one primitive of a look.
  Duration act_timeout = std::chrono::seconds{20};   ///< Of one primitive of an act.
  Duration connect_timeout = std::chrono::seconds{20};
  Duration reset_timeout = std::chrono::seconds{60};
  Duration reconnect_grace = std::chrono::seconds{10};  ///< A lease outlives a loss for this long.
  devices::HealthOptions health;
  std::uint64_t seed = 1;
};

struct DeviceParts {
  std::shared_ptr<devices::Driver> driver;
  Timers* timers = nullptr;                 ///< Outlives the actor system.
  devices::ImageWorkers* images = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  fleet_actor fleet;
  DeviceOptions options;
};

/// What a device actor keeps: the connection, the lease with its fence, and the
/// one operation that is under way.
class device_state {
 public:
  static inline const char* name = "device";
  device_state() = default;

  void start(device_actor::pointer self, DeviceParts parts);

  void lease(const LeasePhone& order);
  void prepare(const PreparePhone& order);
  void look(const LookAt& order);
  void act(const ActOn& order);
  void stop_acting(const StopActing& order);
  void release(Fence fence);
  void answered(const DriverAnswered& answer);
  void connected(const DriverConnected& answer);
  void gone(const Error& error);
  void picture_ready(const PictureReady& ready);
  void timer(const DeviceTimer& timer);
  void holder_died(const caf::actor_addr& address);

 private:
  enum class Operation : std::uint8_t { none, resetting, launching, looking, acting, drawing };
  enum class Connection : std::uint8_t { offline, connecting, ready };

  void connect();
  void reconnect_later();
  void lost(Error error);
  void give_up_lease(const Error& error);
  void report(DeviceState state, std::string reason);
  void run(devices::Primitive primitive, Duration timeout);
  void pause(Duration time);
  void carry_on(devices::LookStep step);
  void carry_on(devices::ExecutorStep step);
  void end_look(devices::LookResult result);
  void end_act(devices::ActResult result);
  void operation_over();
  void free_phone();
  [[nodiscard]] bool holds(Fence fence) const noexcept { return fence != 0 && fence == fence_; }

  device_actor::pointer self_ = nullptr;
  DeviceParts parts_;
  std::optional<devices::Health> health_;
  Connection connection_ = Connection::offline;
  Fence fence_ = 0;  ///< Of the present lease; 0: none.
  session_actor holder_;
  Operation operation_ = Operation::none;
  std::uint64_t generation_ = 0;  ///< Of the open primitive, pause or connect; late answers are ignored.
  std::uint64_t look_number_ = 0;
  bool look_with_screenshot_ = false;
  std::optional<devices::Look> look_;
  std::optional<devices::Executor> executor_;
  std::shared_ptr<const Observation> undecorated_;  ///< Waits for its picture.
  std::string app_to_launch_;
  bool primitive_open_ = false;
  bool paused_ = false;
  bool stopping_ = false;
  bool release_when_settled_ = false;
  std::optional<TimePoint> lost_at_;
};

device_actor::behavior_type device(actor_pointer<device_actor, device_state> self, DeviceParts parts);

}  // namespace drover::actors
