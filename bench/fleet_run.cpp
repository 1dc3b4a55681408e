#include "fleet_run.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "core/json.hpp"
#include "net/http_client.hpp"
#include "planner/planner.hpp"
#include "storage/journal.hpp"

namespace drover::bench {

DumpPhone::DumpPhone(std::string id, Dumps dumps) : dumps_(std::move(dumps)) {
  description_.id = DeviceId(std::move(id));
  description_.platform = "android";
  description_.transport = "bench";
  description_.width = 1080;
  description_.height = 2400;
}

void DumpPhone::connect(Duration, std::function<void(Status)> done) { done(Done{}); }
void DumpPhone::reset(Duration, std::function<void(Status)> done) { done(Done{}); }

void DumpPhone::run(devices::Primitive primitive, Duration, std::function<void(devices::PrimitiveResult)> done) {
  if (!std::holds_alternative<devices::primitive::DumpTree>(primitive)) return done(devices::PrimitiveReply{});
  done(devices::PrimitiveReply{(*dumps_)[next_++ % dumps_->size()]});
}

std::function<std::shared_ptr<devices::Driver>(std::string, Timers&)> phones_that_show(DumpPhone::Dumps dumps) {
  return
      [dumps = std::move(dumps)](std::string id, Timers&) { return std::make_shared<DumpPhone>(std::move(id), dumps); };
}

DumpPhone::Dumps load_dumps(const std::string& folder) {
  auto dumps = std::make_shared<std::vector<std::string>>();
  std::vector<std::filesystem::path> files;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing)) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (text.find("<hierarchy") != std::string::npos && text.size() < 120'000 && dumps->size() < 20) {
      dumps->push_back(std::move(text));
    }
  }
  if (dumps->empty()) {
    std::string rows;
    for (int i = 0; i < 40; ++i) {
      const std::string top = std::to_string(100 + 50 * i);
      rows += "<node index=\"" + std::to_string(i) + "\" text=\"Row " + std::to_string(i) +
              "\" resource-id=\"com.bench:id/row_" + std::to_string(i) +
              "\" class=\"android.widget.Button\" package=\"com.bench\" content-desc=\"\" clickable=\"true\" "
              "enabled=\"true\" bounds=\"[0," +
              top + "][1080," + std::to_string(150 + 50 * i) + "]\" />";
    }
    dumps->push_back(
        "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\"><node index=\"0\" text=\"\" "
        "class=\"android.widget.FrameLayout\" package=\"com.bench\" bounds=\"[0,0][1080,2400]\">" +
        rows + "</node></hierarchy>");
  }
  return dumps;
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

std::size_t rss_kib() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

namespace {

/// Hands everything on to a journal, and keeps how old the screens of decisions were.
class ScreenAges : public storage::Journal {
 public:
  explicit ScreenAges(std::shared_ptr<storage::Journal> journal) : journal_(std::move(journal)) {}

  [[nodiscard]] const storage::RecoveryReport& recovery() const noexcept override { return journal_->recovery(); }
  Result<Sequence> commit(std::span<const storage::JournalEntry> entries) override {
    for (const auto& entry : entries) {
      if (entry.kind != storage::RecordKind::decision) continue;
      const auto record = decode_decision(Json::parse(entry.value));
      if (!record.ok()) std::abort();
      const std::lock_guard lock(mutex_);
      ages_.push_back(std::chrono::duration_cast<std::chrono::microseconds>(record->screen_age));
    }
    return journal_->commit(entries);
  }
  Result<Fence> reserve_fences(std::uint64_t count) override { return journal_->reserve_fences(count); }
  Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) override {
    return journal_->add_to_counter(name, amount);
  }
  Result<std::int64_t> counter(std::string_view name) override { return journal_->counter(name); }

  std::vector<std::chrono::microseconds> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ages_, {});
  }

 private:
  std::shared_ptr<storage::Journal> journal_;
  std::mutex mutex_;
  std::vector<std::chrono::microseconds> ages_;
};

}  // namespace

FleetFigures run_fleet(const FleetRun& run) {
  FleetFigures figures;
  const auto folder = std::filesystem::temp_directory_path() / ("drover-bench-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  auto timers = make_timer_thread();
  net::IoThreads io(1);
  storage::JournalOptions options;
  options.path = folder.string();
  auto journal = storage::Journal::open(options);
  if (!journal.ok()) {
    std::fprintf(stderr, "%s\n", journal.error().describe().c_str());
    std::exit(1);
  }
  const std::size_t rss_before = rss_kib();
  actors::RuntimeSetup setup;
  setup.journal = *std::move(journal);
  std::shared_ptr<ScreenAges> ages;
  if (run.screen_ages) setup.journal = ages = std::make_shared<ScreenAges>(std::move(setup.journal));
  setup.timers = timers.get();
  for (std::size_t i = 0; i < run.phones; ++i) {
    setup.drivers.push_back(run.make_phone("phone-" + std::to_string(i), *timers));
  }
  actors::ProviderSetup provider;
  provider.name = "bench";
  provider.client = providers::make_client(WireFormat::anthropic, {run.model_url, "local", "claude-haiku-4-5"});
  net::HttpClientOptions http;
  http.max_idle_per_host = run.in_flight;
  provider.transport = net::make_http_client(io, *timers, http);
  provider.gate.limits.max_in_flight = run.in_flight;
  provider.gate.limits.requests_per_minute = run.requests_per_minute;
  provider.gate.adaptive_in_flight = run.requests_per_minute > 0;
  provider.gate.ramp_up = false;
  setup.providers.push_back(std::move(provider));
  actors::Runtime runtime(std::move(setup));
  const auto& statistics = runtime.statistics();
  while (statistics.phones[1] < static_cast<std::int32_t>(run.phones)) std::this_thread::yield();
  figures.idle_rss_kib = rss_kib() - rss_before;

  actors::BatchSetup batch;
  batch.run.run = RunId("bench");
  batch.run.devices = static_cast<std::uint32_t>(run.phones);
  for (std::size_t i = 0; i < run.phones; ++i) {
    Task task;
    task.id = TaskId("task-" + std::to_string(i));
    task.goal = "Open the settings and turn on airplane mode.";
    task.limits.max_steps = run.steps;
    task.limits.timeout = std::chrono::hours{2};
    batch.tasks.push_back(std::move(task));
  }
  batch.planner = planner::make_ai_planner({});
  std::promise<actors::BatchSummary> ended;
  double cpu = cpu_seconds();
  TimePoint started = timers->now();
  runtime.run(std::move(batch), [&](actors::BatchSummary summary) { ended.set_value(std::move(summary)); });
  auto future = ended.get_future();
  FleetFigures before;
  const auto count = [&](FleetFigures& into) {
    into.steps = statistics.steps;
    into.calls = statistics.calls;
    into.refused = statistics.calls_refused;
    into.relooks = statistics.relooks;
  };
  if (run.warm_up_steps > 0) {
    constexpr auto look_again = std::chrono::milliseconds{1};
    while (statistics.steps < run.warm_up_steps && future.wait_for(look_again) == std::future_status::timeout) {
    }
    cpu = cpu_seconds();
    started = timers->now();
    count(before);
    if (ages) ages->take();
  }
  const auto measure = [&] {
    figures.busy_rss_kib = rss_kib() - rss_before;
    count(figures);
    figures.steps -= before.steps;
    figures.calls -= before.calls;
    figures.refused -= before.refused;
    figures.relooks -= before.relooks;
    figures.wall_seconds = std::chrono::duration<double>(timers->now() - started).count();
    figures.cpu_seconds = cpu_seconds() - cpu;
    if (ages) figures.screen_ages = ages->take();
  };
  const bool cut_short = run.time > Duration::zero() && future.wait_for(run.time) == std::future_status::timeout;
  if (cut_short) {
    measure();
    runtime.stop(CancelReason::request);
  }
  const auto summary = future.get();
  if (!cut_short) measure();
  std::sort(figures.screen_ages.begin(), figures.screen_ages.end());
  figures.least_served = ~0u;
  for (const auto& task : summary.tasks) {
    figures.most_served = std::max(figures.most_served, task.steps);
    figures.least_served = std::min(figures.least_served, task.steps);
    if (task.verdict == Verdict::error) ++figures.failed;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  figures.peak_rss_kib = static_cast<std::size_t>(usage.ru_maxrss);
  runtime.shutdown();
  io.stop();
  timers.reset();
  std::filesystem::remove_all(folder);
  return figures;
}

}  // namespace drover::bench
