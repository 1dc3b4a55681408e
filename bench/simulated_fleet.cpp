#include "simulated_fleet.hpp"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <optional>
#include <utility>

#include "actors/supervisor_actor.hpp"
#include "fleet_run.hpp"
#include "planner/planner.hpp"

namespace drover::bench {
namespace {

class PacedPhone : public DumpPhone {
 public:
  PacedPhone(std::string id, Dumps dumps, Timers& timers, Duration look, Duration act)
      : DumpPhone(std::move(id), std::move(dumps)), timers_(timers), look_(look), act_(act) {}

  void run(devices::Primitive primitive, Duration timeout,
           std::function<void(devices::PrimitiveResult)> done) override {
    timers_.after(devices::changes_phone(primitive) ? act_ : look_,
                  [this, primitive = std::move(primitive), timeout, done = std::move(done)]() mutable {
                    DumpPhone::run(std::move(primitive), timeout, std::move(done));
                  });
  }

 private:
  Timers& timers_;
  Duration look_;
  Duration act_;
};

class NoJournal : public storage::Journal {
 public:
  [[nodiscard]] const storage::RecoveryReport& recovery() const noexcept override { return recovery_; }
  Result<Sequence> commit(std::span<const storage::JournalEntry> entries) override {
    return Sequence{written_ += entries.size()};
  }
  Result<Fence> reserve_fences(std::uint64_t count) override { return std::exchange(fences_, fences_ + count); }
  Result<std::int64_t> add_to_counter(std::string_view, std::int64_t amount) override { return amount; }
  Result<std::int64_t> counter(std::string_view) override { return std::int64_t{0}; }

 private:
  storage::RecoveryReport recovery_;
  std::uint64_t written_ = 0;
  Fence fences_ = 1;
};

/// Screens that tell one step from the next: a session that sees nothing change gives up.
DumpPhone::Dumps made_up_screens() {
  constexpr int screens = 20;
  const std::string one = load_dumps({})->front();
  auto dumps = std::make_shared<std::vector<std::string>>();
  for (int screen = 0; screen < screens; ++screen) {
    std::string dump = one;
    const std::string mark = std::to_string(screen) + "_";
    for (auto at = dump.find("row_"); at != std::string::npos; at = dump.find("row_", at + 4)) dump.insert(at, mark);
    for (auto at = dump.find("Row "); at != std::string::npos; at = dump.find("Row ", at + 8)) dump.insert(at, mark);
    dumps->push_back(std::move(dump));
  }
  return dumps;
}

struct Config : caf::actor_system_config {
  Config() {
    add_message_types<caf::id_block::drover>();
    config_file_path.clear();
    set("scheduler.policy", caf::atom("testing"));
  }
};

}  // namespace

struct SimulatedFleet::World {
  explicit World(SimulatedFleetOptions given) : options(std::move(given)) {
    actors::SupervisorParts parts;
    parts.journal = std::make_shared<NoJournal>();
    parts.journal_on_own_thread = false;
    parts.journal_pressure = std::make_shared<actors::JournalPressure>();
    parts.live = live;
    parts.timers = &time;
    parts.statistics = statistics;
    for (std::size_t key = 0; key < options.keys; ++key) {
      actors::ProviderParts provider;
      provider.name = "key-" + std::to_string(key + 1);
      provider.client =
          providers::make_client(WireFormat::anthropic, {"http://127.0.0.1:1", "local", "claude-haiku-4-5"});
      provider.transport = options.make_service(key, time);
      provider.gate = options.gate;
      provider.seed = key + 1;
      parts.providers.push_back(std::move(provider));
    }
    const auto dumps = made_up_screens();
    for (std::size_t i = 0; i < options.sessions; ++i) {
      parts.fleet.drivers.push_back(
          std::make_shared<PacedPhone>("phone-" + std::to_string(i), dumps, time, options.look_time, options.act_time));
    }
    root = system.spawn(actors::supervisor, std::move(parts));
    live->add(actors::ActorKind::supervisor, root);
    drain();

    actors::RunBatch batch;
    batch.run.run = RunId("bench");
    batch.run.devices = static_cast<std::uint32_t>(options.sessions);
    for (std::size_t i = 0; i < options.sessions; ++i) {
      Task task;
      task.id = TaskId("task-" + std::to_string(i));
      task.goal = options.goal(i);
      task.limits.max_steps = 1'000'000;
      task.limits.timeout = std::chrono::hours{24};
      batch.tasks.push_back(std::move(task));
    }
    batch.planner = planner::make_ai_planner({});
    caf::anon_send(root, actors::StartBatch{std::move(batch), [](const auto&) {}});
    drain();
  }

  ~World() {
    for (const actors::ShutdownStage& stage : actors::shutdown_stages) {
      for (const caf::actor& actor : live->of(stage.kind)) caf::anon_send_exit(actor, caf::exit_reason::kill);
      drain();
    }
    root = nullptr;
  }

  void drain() {
    while (scheduler.try_run_once()) {
    }
  }

  SimulatedFleetOptions options;
  Config config;
  caf::actor_system system{config};
  caf::scheduler::test_coordinator& scheduler = dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler());
  SimulatedTime time;
  std::shared_ptr<actors::RunStatistics> statistics = std::make_shared<actors::RunStatistics>();
  std::shared_ptr<actors::LiveActors> live = std::make_shared<actors::LiveActors>();
  actors::supervisor_actor root;
};

SimulatedFleet::SimulatedFleet(SimulatedFleetOptions options) : world_(std::make_unique<World>(std::move(options))) {}
SimulatedFleet::~SimulatedFleet() = default;

void SimulatedFleet::advance(Duration span) {
  auto& time = world_->time;
  const TimePoint end = time.now() + span;
  world_->drain();
  for (auto next = time.next_due(); next && *next <= end; next = time.next_due()) {
    time.advance_to_next();
    world_->drain();
  }
  time.advance(end - time.now());
  world_->drain();
}

TimePoint SimulatedFleet::now() const { return world_->time.now(); }
const actors::RunStatistics& SimulatedFleet::statistics() const noexcept { return *world_->statistics; }

}  // namespace drover::bench
