#include "actors/runtime.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "actors/live_actors.hpp"
#include "actors/shutdown_plan.hpp"
#include "actors/supervisor_actor.hpp"
#include "devices/image_workers.hpp"

namespace drover::actors {
namespace {

class Config : public caf::actor_system_config {
 public:
  Config() {
    add_message_types<caf::id_block::drover>();
    // No caf-application.ini of the working directory is read.
    config_file_path.clear();
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", static_cast<int64_t>(std::max(2u, std::thread::hardware_concurrency())));
    set("scheduler.max-throughput", static_cast<int64_t>(300));
  }
};

}  // namespace

struct Runtime::System {
  explicit System(RuntimeSetup setup)
      : images(std::make_unique<devices::ImageWorkers>(setup.image_threads, setup.image_bytes)), actors(config) {
    SupervisorParts parts;
    parts.journal = std::move(setup.journal);
    parts.timers = setup.timers;
    parts.statistics = statistics;
    parts.journal_pressure = std::make_shared<JournalPressure>();
    parts.live = live;
    parts.budget = setup.budget;
    parts.admission.max_observation_age = setup.max_observation_age;
    for (ProviderSetup& each : setup.providers) {
      ProviderParts provider_parts;
      provider_parts.name = std::move(each.name);
      provider_parts.client = std::move(each.client);
      provider_parts.transport = std::move(each.transport);
      provider_parts.gate = each.gate;
      provider_parts.failover = each.failover;
      provider_parts.call_timeout = each.call_timeout;
      provider_parts.max_observation_age = setup.max_observation_age;
      provider_parts.seed = setup.seed;
      provider_parts.account = std::make_shared<ProviderAccount>(provider_parts.name, provider_parts.client->model());
      statistics->providers.push_back(provider_parts.account);
      parts.providers.push_back(std::move(provider_parts));
    }
    parts.fleet.drivers = std::move(setup.drivers);
    parts.fleet.images = images.get();
    parts.fleet.device_timeout = setup.device_timeout;
    parts.fleet.device_options.seed = setup.seed;
    parts.fleet.device_options.health = setup.health;
    parts.fleet.device_options.reconnect_grace = setup.reconnect_grace;
    timers = setup.timers;
    root = actors.spawn(supervisor, std::move(parts));
    live->add(ActorKind::supervisor, root);
  }

  std::shared_ptr<RunStatistics> statistics = std::make_shared<RunStatistics>();
  std::unique_ptr<devices::ImageWorkers> images;  // gone before the actor system: its answers are messages
  Config config;
  std::shared_ptr<LiveActors> live = std::make_shared<LiveActors>();
  caf::actor_system actors;
  supervisor_actor root;
  const Timers* timers = nullptr;
  CancelToken cancel;
  std::atomic<Duration::rep> stopped_at{0};  ///< When a stop was asked for first; 0: never.
  std::optional<ShutdownReport> report;
};

Runtime::Runtime(RuntimeSetup setup) : system_(std::make_unique<System>(std::move(setup))) {}

Runtime::~Runtime() {
  // A survivor still uses what would be destroyed, and the actor system would wait for it for ever.
  if (!shutdown().survivors.empty()) static_cast<void>(system_.release());
}

void Runtime::run(BatchSetup batch, std::function<void(BatchSummary)> done) {
  RunBatch order;
  order.run = std::move(batch.run);
  order.tasks = std::move(batch.tasks);
  order.retries = std::move(batch.retries);
  order.parallel = batch.parallel;
  order.reset_phones = batch.reset_phones;
  order.require_assertions = batch.require_assertions;
  order.planner = std::move(batch.planner);
  order.cancel = system_->cancel.child();
  // Whichever comes first: the batch's end, or that of the supervisor.
  auto answered = std::make_shared<std::atomic<bool>>(false);
  auto finish = [done = std::move(done), answered](BatchSummary ended) {
    if (!answered->exchange(true)) done(std::move(ended));
  };
  caf::actor_cast<caf::strong_actor_ptr>(system_->root)
      ->get()
      ->attach_functor([finish, cancel = order.cancel](const caf::error& reason) {
        cancel.cancel(CancelReason::shutdown);
        BatchSummary lost;
        lost.failure = Error{Errc::internal, "the supervisor of this program ended: " + caf::to_string(reason), ""};
        lost.exit_code = exit_code::internal;
        finish(std::move(lost));
      });
  caf::anon_send(system_->root, StartBatch{std::move(order), finish});
}

void Runtime::stop(CancelReason reason) {
  Duration::rep never = 0;
  system_->stopped_at.compare_exchange_strong(never, system_->timers->now().time_since_epoch().count());
  caf::anon_send(system_->root, StopBatch{reason, std::nullopt});
}

ShutdownReport Runtime::shutdown() {
  if (system_->report) return *system_->report;
  const Timers& clock = *system_->timers;
  const TimePoint now = clock.now();
  Duration budget = shutdown_budget;
  if (const auto stopped = system_->stopped_at.load(); stopped != 0) {
    budget = std::max(least_shutdown_budget, shutdown_budget - (now - TimePoint{Duration{stopped}}));
  }
  ShutdownPlan plan(now, budget);
  while (true) {
    const auto seen = system_->live->endings();
    const auto step = plan.next(system_->live->counts(), clock.now());
    if (!step) break;
    carry_out(*step, *system_->live);
    if (step->until > clock.now()) system_->live->wait_for_ending(seen, step->until - clock.now());
  }
  for (const auto& name : plan.killed()) spdlog::warn("shutdown: {} did not go when asked and was killed", name);
  for (const auto& name : plan.survivors()) spdlog::error("shutdown: {} did not end", name);
  system_->report = ShutdownReport{plan.killed(), plan.survivors()};
  system_->root = nullptr;
  if (plan.survivors().empty()) system_->images.reset();
  return *system_->report;
}

const RunStatistics& Runtime::statistics() const noexcept { return *system_->statistics; }

}  // namespace drover::actors
