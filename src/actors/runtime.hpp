#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "actors/batch_summary.hpp"
#include "actors/run_statistics.hpp"
#include "actors/shared_budget.hpp"
#include "core/batch.hpp"
#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/records.hpp"
#include "core/task.hpp"
#include "devices/driver.hpp"
#include "devices/health.hpp"
#include "net/http_client.hpp"
#include "planner/planner.hpp"
#include "providers/failover.hpp"
#include "providers/provider_gate.hpp"
#include "providers/tool_calling_client.hpp"
#include "storage/journal.hpp"

/// The actor system as the rest of the program sees it: no CAF type in sight.
namespace drover::actors {

/// One provider of the model role, in the order of preference.
struct ProviderSetup {
  std::string name;
  std::shared_ptr<const providers::ToolCallingClient> client;
  std::shared_ptr<net::HttpTransport> transport;
  providers::GateOptions gate;
  Duration call_timeout = std::chrono::seconds{30};
  providers::FailoverPlace failover;
};

struct RuntimeSetup {
  std::shared_ptr<storage::Journal> journal;
  std::vector<ProviderSetup> providers;
  std::shared_ptr<SharedBudget> budget;  ///< Opened; who made it closes it. Null: there is none.
  std::vector<std::shared_ptr<devices::Driver>> drivers;
  /// Goes after shutdown() and before the runtime: what still waits in it may
  /// hold actors.
  Timers* timers = nullptr;
  Duration max_observation_age = std::chrono::seconds{5};
  Duration device_timeout = std::chrono::minutes{1};    ///< How long a task waits for phones that are away.
  Duration reconnect_grace = std::chrono::seconds{10};  ///< A lease outlives a phone's absence for so long.
  devices::HealthOptions health;
  std::size_t image_threads = 1;
  std::size_t image_bytes = 256u << 20;
  std::uint64_t seed = 1;
};

struct BatchSetup {
  RunRecord run;
  std::vector<Task> tasks;
  RetryRules retries;
  std::uint32_t parallel = 0;  ///< Most attempts at once; 0: as many as there are phones.
  bool reset_phones = true;
  bool require_assertions = false;
  std::shared_ptr<const planner::Planner> planner;
};

/// What a shutdown met with.
struct ShutdownReport {
  std::vector<std::string> killed;  ///< Stages that did not go when asked.
  /// Kinds of actors, with their number, that were still there at its end: what
  /// they use must not be taken from under them, and the process has to exit
  /// without destroying it.
  std::vector<std::string> survivors;
};

/// The running actors. Made, used and destroyed by one thread; stop() may be
/// called by any.
class Runtime {
 public:
  explicit Runtime(RuntimeSetup setup);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// Starts a batch; `done` is called once, on a thread of the actor system.
  void run(BatchSetup batch, std::function<void(BatchSummary)> done);

  /// Takes no further work, cuts off model calls, settles acts that were sent.
  void stop(CancelReason reason);

  /// Stops a batch that still runs and ends every actor in the declared order
  /// (shutdown_plan.hpp), sessions and devices included. Together with a stop()
  /// that went before it takes less than five seconds. The report of the first
  /// call.
  ShutdownReport shutdown();

  [[nodiscard]] const RunStatistics& statistics() const noexcept;

 private:
  struct System;
  std::unique_ptr<System> system_;
};

}  // namespace drover::actors
