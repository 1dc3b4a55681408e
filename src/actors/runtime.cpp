#include "actors/runtime.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

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

TaskSummary summary_of(TaskEnd& end) {
  TaskSummary summary;
  summary.task = std::move(end.task);
  summary.verdict = end.verdict;
  summary.outcome = end.outcome;
  summary.reason = std::move(end.reason);
  summary.attempts = end.attempts;
  summary.steps = end.steps;
  summary.took = end.took;
  summary.flaky = end.flaky;
  summary.usage = end.usage;
  return summary;
}

BatchSummary summary_of(BatchEnded& ended) {
  BatchSummary summary;
  for (TaskEnd& end : ended.tasks) summary.tasks.push_back(summary_of(end));
  summary.failure = std::move(ended.failure);
  summary.cancelled = ended.cancelled;
  summary.exit_code = ended.exit_code;
  return summary;
}

}  // namespace

struct Runtime::System {
  explicit System(RuntimeSetup setup)
      : images(std::make_unique<devices::ImageWorkers>(setup.image_threads, setup.image_bytes)), actors(config) {
    SupervisorParts parts;
    parts.journal = std::move(setup.journal);
    parts.timers = setup.timers;
    parts.statistics = statistics;
    parts.journal_pressure = std::make_shared<JournalPressure>();
    parts.admission.max_observation_age = setup.max_observation_age;
    for (ProviderSetup& each : setup.providers) {
      ProviderParts provider_parts;
      provider_parts.name = std::move(each.name);
      provider_parts.client = std::move(each.client);
      provider_parts.transport = std::move(each.transport);
      provider_parts.gate = each.gate;
      provider_parts.call_timeout = each.call_timeout;
      provider_parts.max_observation_age = setup.max_observation_age;
      provider_parts.seed = setup.seed;
      parts.providers.push_back(std::move(provider_parts));
    }
    parts.fleet.drivers = std::move(setup.drivers);
    parts.fleet.images = images.get();
    parts.fleet.device_timeout = setup.device_timeout;
    parts.fleet.device_options.seed = setup.seed;
    parts.fleet.device_options.health = setup.health;
    parts.fleet.device_options.reconnect_grace = setup.reconnect_grace;
    root = actors.spawn(supervisor, std::move(parts));
  }

  std::shared_ptr<RunStatistics> statistics = std::make_shared<RunStatistics>();
  std::unique_ptr<devices::ImageWorkers> images;  // gone before the actor system: its answers are messages
  Config config;
  caf::actor_system actors;
  supervisor_actor root;
  CancelToken cancel;
  bool down = false;
};

Runtime::Runtime(RuntimeSetup setup) : system_(std::make_unique<System>(std::move(setup))) {}

Runtime::~Runtime() { shutdown(); }

void Runtime::run(BatchSetup batch, std::function<void(BatchSummary)> done) {
  RunBatch order;
  order.run = std::move(batch.run);
  order.tasks = std::move(batch.tasks);
  order.retries = std::move(batch.retries);
  order.parallel = batch.parallel;
  order.reset_phones = batch.reset_phones;
  order.require_assertions = batch.require_assertions;
  order.planner = std::move(batch.planner);
  order.cancel = system_->cancel;
  // Whichever comes first: the batch's end, or that of the supervisor.
  auto answered = std::make_shared<std::atomic<bool>>(false);
  auto finish = [done = std::move(done), answered](BatchEnded ended) {
    if (!answered->exchange(true)) done(summary_of(ended));
  };
  caf::actor_cast<caf::strong_actor_ptr>(system_->root)->get()->attach_functor([finish](const caf::error& reason) {
    BatchEnded lost;
    lost.failure = Error{Errc::internal, "the supervisor of this program ended: " + caf::to_string(reason), ""};
    lost.exit_code = exit_code::internal;
    finish(std::move(lost));
  });
  caf::anon_send(system_->root, StartBatch{std::move(order), finish});
}

void Runtime::stop(CancelReason reason) { caf::anon_send(system_->root, StopBatch{reason, std::nullopt}); }

std::vector<std::string> Runtime::shutdown() {
  std::vector<std::string> killed;
  if (std::exchange(system_->down, true)) return killed;
  caf::scoped_actor self{system_->actors};
  Household household;
  self->request(system_->root, std::chrono::seconds{2}, WhoIsThere{})
      .receive([&](Household& found) { household = std::move(found); }, [](const caf::error&) {});

  struct Stage {
    const char* name;
    std::vector<caf::actor> actors;
    std::chrono::milliseconds grace;
  };
  // The declared order: nothing new, then who asks, then who answers, then who writes.
  std::vector<Stage> stages;
  const auto stage = [&](const char* name, std::chrono::milliseconds grace, auto... handles) {
    Stage next{name, {}, grace};
    (..., (handles ? next.actors.push_back(caf::actor_cast<caf::actor>(handles)) : void()));
    stages.push_back(std::move(next));
  };
  stage("supervisor", std::chrono::milliseconds{500}, system_->root);
  stage("dispatcher", std::chrono::milliseconds{500}, household.dispatcher);
  stage("router", std::chrono::milliseconds{500}, household.router);
  stage("providers", std::chrono::milliseconds{500});
  for (auto& provider : household.providers) {
    if (provider) stages.back().actors.push_back(caf::actor_cast<caf::actor>(provider));
  }
  stage("fleet", std::chrono::milliseconds{500}, household.fleet);
  if (household.journal) {
    // Whatever was appended before is on disk before the journal goes.
    self->request(household.journal, std::chrono::seconds{2}, FlushJournal{})
        .receive([](const JournalDrained&) {}, [](const caf::error&) {});
  }
  stage("journal", std::chrono::milliseconds{1000}, household.journal);

  for (Stage& next : stages) {
    std::size_t alive = 0;
    for (auto& actor : next.actors) {
      self->monitor(actor);
      self->send_exit(actor, caf::exit_reason::user_shutdown);
      ++alive;
    }
    for (const bool last_try : {false, true}) {
      bool waiting = true;
      while (alive > 0 && waiting) {
        self->receive([&](const caf::down_msg&) { --alive; }, caf::after(next.grace) >> [&] { waiting = false; });
      }
      if (alive == 0 || last_try) break;
      killed.emplace_back(next.name);
      for (auto& actor : next.actors) self->send_exit(actor, caf::exit_reason::kill);
    }
    next.actors.clear();
  }
  household = {};
  system_->root = nullptr;
  system_->images.reset();
  return killed;
}

const RunStatistics& Runtime::statistics() const noexcept { return *system_->statistics; }

}  // namespace drover::actors
