#include <catch2/catch.hpp>

#include <future>
#include <map>
#include <mutex>
#include <set>

#include "actors/runtime.hpp"
#include "core/json.hpp"
#include "devices/simulated/simulated_phones.hpp"
#include "net/http_client.hpp"
#include "net/io_threads.hpp"
#include "planner/planner.hpp"
#include "providers/scripted/model_server.hpp"
#include "providers/tool_calling_client.hpp"
#include "storage/journal.hpp"
#include "support/places.hpp"
#include "support/power_cut_file_system.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;

namespace {

/// What a journal said is on disk: each record by its number, and the fences.
struct Acknowledged {
  std::mutex mutex;
  std::map<Sequence, storage::JournalEntry> records;
  Fence last_fence = 0;
};

/// A journal that remembers what it acknowledged.
class RememberingJournal final : public storage::Journal {
 public:
  RememberingJournal(std::unique_ptr<storage::Journal> journal, std::shared_ptr<Acknowledged> acknowledged)
      : journal_(std::move(journal)), acknowledged_(std::move(acknowledged)) {}

  const storage::RecoveryReport& recovery() const noexcept override { return journal_->recovery(); }
  Result<Sequence> commit(std::span<const storage::JournalEntry> entries) override {
    auto last = journal_->commit(entries);
    if (last.ok()) {
      const std::lock_guard lock(acknowledged_->mutex);
      // A system prompt that is there already gets no number.
      std::vector<const storage::JournalEntry*> numbered;
      for (const auto& entry : entries) {
        if (entry.kind != storage::RecordKind::system_prompt || prompts_.count(entry.key) == 0) {
          numbered.push_back(&entry);
        }
      }
      for (std::size_t i = 0; i < numbered.size(); ++i) {
        acknowledged_->records[*last - numbered.size() + 1 + i] = *numbered[i];
        if (numbered[i]->kind == storage::RecordKind::system_prompt) prompts_.insert(numbered[i]->key);
      }
    }
    return last;
  }
  Result<Fence> reserve_fences(std::uint64_t count) override {
    auto first = journal_->reserve_fences(count);
    if (first.ok()) {
      const std::lock_guard lock(acknowledged_->mutex);
      acknowledged_->last_fence = std::max(acknowledged_->last_fence, *first + count - 1);
    }
    return first;
  }
  Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) override {
    return journal_->add_to_counter(name, amount);
  }
  Result<std::int64_t> counter(std::string_view name) override { return journal_->counter(name); }

 private:
  std::unique_ptr<storage::Journal> journal_;
  std::shared_ptr<Acknowledged> acknowledged_;
  std::set<std::string> prompts_;
};

constexpr std::uint32_t phones = 8;

actors::BatchSetup batch_of(const std::string& run, int tasks) {
  actors::BatchSetup batch;
  batch.run.run = RunId(run);
  batch.run.devices = phones;
  for (int i = 0; i < tasks; ++i) {
    Task task;
    task.id = TaskId("task-" + std::to_string(i));
    task.goal = i % 2 == 0 ? "Turn the dark theme on" : "Turn flight mode on";
    task.limits.max_steps = 12;
    batch.tasks.push_back(std::move(task));
  }
  batch.planner = planner::make_ai_planner({});
  return batch;
}

/// A whole run, from the actors to the sockets, on this journal. Ends when the batch does.
actors::BatchSummary run_on(std::unique_ptr<storage::Journal> journal, actors::BatchSetup batch) {
  const auto apps = devices::simulated::load_apps(drover::test::source_folder() + "/configs/apps");
  REQUIRE(apps.apps);
  auto timers = make_timer_thread();
  net::IoThreads io(1);
  providers::scripted::ModelServerOptions model;
  model.behaviour.latency = std::chrono::milliseconds{2};
  auto server = providers::scripted::start_model_server(io, *timers, std::move(model));
  REQUIRE(server.ok());
  actors::RuntimeSetup setup;
  setup.journal = std::move(journal);
  setup.timers = timers.get();
  for (std::uint32_t i = 0; i < phones; ++i) {
    devices::simulated::PhoneOptions phone;
    phone.id = DeviceId("phone-" + std::to_string(i));
    phone.seed = i;
    phone.time_scale = 0.01;
    setup.drivers.push_back(devices::simulated::make_simulated_phone(apps.apps, std::move(phone), *timers));
  }
  actors::ProviderSetup provider;
  provider.name = "rules";
  provider.client = providers::make_client(
      WireFormat::anthropic, {"http://127.0.0.1:" + std::to_string((*server)->port()), "built-in", "built-in-rules"});
  provider.transport = net::make_http_client(io, *timers, {});
  provider.gate.ramp_up = false;
  setup.providers.push_back(std::move(provider));
  auto runtime = std::make_unique<actors::Runtime>(std::move(setup));
  std::promise<actors::BatchSummary> ended;
  runtime->run(std::move(batch), [&](actors::BatchSummary summary) { ended.set_value(std::move(summary)); });
  auto summary = ended.get_future().get();
  CHECK(runtime->shutdown().survivors.empty());
  (*server)->stop();
  io.stop();
  timers.reset();
  return summary;
}

}  // namespace

TEST_CASE("a power cut in the middle of a run loses no acknowledged record and leaves nothing running") {
  std::size_t acknowledged_records = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Random random{seed, "power cut of a run"};
    const TemporaryFolder folder;
    const std::string path = folder / "j";
    auto system = std::make_shared<PowerCutFileSystem>(path);
    const auto env = rocksdb::NewCompositeEnv(system);
    auto acknowledged = std::make_shared<Acknowledged>();
    {
      auto journal = storage::Journal::open({.path = path, .env = env.get(), .memtable_bytes = 512u << 10});
      if (!journal.ok()) FAIL(journal.error().describe());
      system->cut_after(50 + random.below(1500));
      const auto summary =
          run_on(std::make_unique<RememberingJournal>(*std::move(journal), acknowledged), batch_of("r", 300));
      REQUIRE(system->is_cut());
      REQUIRE(summary.failure);
      CHECK(summary.exit_code == exit_code::infrastructure);
    }
    system->lose_unsynced(random);
    acknowledged_records += acknowledged->records.size();

    {
      auto journal = storage::Journal::open({.path = path});
      if (!journal.ok()) FAIL(journal.error().describe());
      const auto fence = (*journal)->reserve_fences(1);
      REQUIRE(fence.ok());
      CHECK(*fence > acknowledged->last_fence);
    }
    auto opened = storage::JournalReader::open(path);
    if (!opened.ok()) FAIL(opened.error().describe());
    storage::JournalReader& reader = **opened;
    const auto events = reader.events(0, 10'000'000);
    if (!events.ok()) FAIL(events.error().describe());
    for (std::size_t i = 0; i < events->size(); ++i) REQUIRE((*events)[i].sequence == i + 1);
    for (const auto& [sequence, entry] : acknowledged->records) {
      REQUIRE(sequence <= events->size());
      const auto& event = (*events)[sequence - 1];
      REQUIRE(event.kind == entry.kind);
      REQUIRE(event.value == Json::parse(entry.value));
    }

    const auto runs = reader.runs();
    REQUIRE(runs.ok());
    for (const auto& run : *runs) {
      CHECK(run.state != RunState::running);
      std::map<std::pair<TaskId, std::uint32_t>, Outcome> ended;
      const auto attempts = reader.attempts(run.run, TaskId());
      const auto tasks = reader.tasks(run.run);
      const auto intents = reader.intents(run.run, TaskId());
      const auto outcomes = reader.outcomes(run.run, TaskId());
      for (const auto& attempt : *attempts) {
        REQUIRE(attempt.outcome.has_value());
        ended[{attempt.task, attempt.attempt}] = *attempt.outcome;
      }
      for (const auto& task : *tasks) CHECK(task.verdict.has_value());
      // An act that may have been sent is never thought of as not done.
      std::set<std::string> settled;
      for (const auto& outcome : *outcomes) settled.insert(outcome.intent);
      for (const auto& intent : *intents) {
        if (settled.count(intent.intent) == 0) {
          CHECK(ended.at({intent.key.task, intent.key.attempt}) == Outcome::in_doubt);
        }
      }
    }
  }
  CHECK(acknowledged_records > 2'000);
}
