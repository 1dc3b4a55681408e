#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "actors/actor_state.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "core/clock.hpp"
#include "devices/driver.hpp"
#include "devices/executor.hpp"
#include "devices/health.hpp"
#include "devices/image_workers.hpp"
#include "devices/look.hpp"
#include "devices/preparation.hpp"

namespace drover::actors {

struct DeviceOptions {
  Duration look_timeout = std::chrono::seconds{30};  ///< Of one primitive of a look.
  Duration act_timeout = std::chrono::seconds{20};   ///< Of one primitive of an act.
  Duration connect_timeout = std::chrono::seconds{20};
  Duration reset_timeout = std::chrono::seconds{60};
  Duration picture_timeout = std::chrono::seconds{10};  ///< Of an image worker; then the look goes without a picture.
  Duration slack = std::chrono::seconds{2};  ///< A driver that is later than its timeout by this much counts as hung.
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

/// What a device actor keeps: the connection, the lease with its fence, the one
/// operation that is under way, and the one thing that is waited for. Every wait
/// has a number and a timer: an answer with another number is late and ignored, a
/// driver that does not answer counts as a phone that was lost.
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
  struct Preparing {
    PreparePhone order;
    devices::Preparation machine;
  };
  struct Looking {
    LookAt order;
    devices::Look machine;
  };
  /// A look that has its scene and waits for its picture.
  struct Drawing {
    std::uint64_t look = 0;
    std::shared_ptr<const Observation> undecorated;
  };
  struct Acting {
    devices::Executor machine;
    bool stopping = false;
  };
  using Operation = std::variant<std::monostate, Preparing, Looking, Drawing, Acting>;
  enum class Connection : std::uint8_t { offline, connecting, ready };
  enum class Wait : std::uint8_t { nothing, connect, reconnect, quarantine_end, answer, pause, picture };

  [[nodiscard]] std::uint64_t wait_for(Wait what, Duration most);
  [[nodiscard]] bool came(Wait what, std::uint64_t number);
  void stop_waiting();

  void connect();
  void reconnect_later();
  void lost(const Error& error);
  void give_up_lease(const Error& error);
  void report_standing();
  void report(DeviceState state, std::string reason);

  void begin(PreparePhone order);
  void begin(LookAt order);
  void go_on();
  void settle(const devices::PrimitiveResult& result);
  void carry_on(devices::PreparationStep step);
  void carry_on(devices::LookStep step);
  void carry_on(devices::ExecutorStep step);
  void run(devices::Primitive primitive, Duration timeout);
  void reset();
  void pause(Duration time);
  void draw(std::string picture, std::shared_ptr<const Observation> undecorated);
  void end_prepared(Status status);
  void end_look(std::uint64_t number, devices::LookResult result);
  void end_act(devices::ActResult result);
  void break_off(const Error& error);
  void end_operation();
  void count_fault(const Error& error);
  void free_phone();
  [[nodiscard]] bool busy() const noexcept { return operation_.index() != 0; }
  [[nodiscard]] bool quarantined() const { return health_->quarantined(parts_.timers->now()); }
  [[nodiscard]] Duration grace_left() const;
  [[nodiscard]] bool holds(Fence fence) const noexcept { return fence != 0 && fence == fence_; }
  [[nodiscard]] const DeviceId& id() const { return parts_.driver->description().id; }

  device_actor::pointer self_ = nullptr;
  DeviceParts parts_;
  std::optional<devices::Health> health_;
  Connection connection_ = Connection::offline;
  Fence fence_ = 0;  ///< Of the present lease; 0: none.
  session_actor holder_;
  Operation operation_;
  Wait wait_ = Wait::nothing;
  std::uint64_t wait_number_ = 0;
  TimerId wait_timer_ = 0;
  bool release_when_settled_ = false;  ///< The lease is over once the open primitive has its answer.
  std::optional<TimePoint> lost_at_;
};

device_actor::behavior_type device(actor_pointer<device_actor, device_state> self, DeviceParts parts);

}  // namespace drover::actors
