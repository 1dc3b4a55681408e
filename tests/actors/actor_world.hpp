#pragma once

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actors/dispatcher_actor.hpp"
#include "actors/fleet_actor.hpp"
#include "actors/journal_actor.hpp"
#include "actors/provider_actor.hpp"
#include "actors/router_actor.hpp"
#include "core/simulated_time.hpp"
#include "planner/planner.hpp"

namespace drover::test {

/// A phone with numbered pages: its one button leads to the next. What goes wrong
/// is set from outside.
class PagedPhone : public devices::Driver {
 public:
  PagedPhone(std::string id, Timers& timers);

  const devices::DeviceDescription& description() const noexcept override { return description_; }
  void connect(Duration timeout, std::function<void(Status)> done) override;
  void run(devices::Primitive primitive, Duration timeout, std::function<void(devices::PrimitiveResult)> done) override;
  void on_lost(std::function<void(Error)> callback) override { lost_ = std::move(callback); }
  void reset(Duration timeout, std::function<void(Status)> done) override;

  /// Goes away with nothing open, and does not come back.
  void vanish();

  int page = 1;
  int taps = 0;
  int dumps = 0;
  int resets = 0;
  Duration dump_time = std::chrono::milliseconds{100};
  Duration tap_time = std::chrono::milliseconds{50};
  bool gone = false;
  bool silent = false;           ///< Never answers again.
  bool throws = false;           ///< A fault of the program, not of the phone.
  int lost_at_tap = 0;           ///< Goes away in the middle of that tap.
  bool asks_password = false;    ///< Has a password field as its third element.
  int failing_dumps = 0;         ///< So many dumps find no root.
  std::string typed;             ///< All that was typed.
  std::vector<std::string> log;  ///< What it was told to do.

 private:
  void answer(Duration after, devices::PrimitiveResult result, std::function<void(devices::PrimitiveResult)> done);
  [[nodiscard]] std::string dump() const;

  devices::DeviceDescription description_;
  Timers& timers_;
  std::function<void(Error)> lost_;
};

/// A model service that answers from what it is asked, through a function.
class AnsweringTransport : public net::HttpTransport {
 public:
  struct Answer {
    Result<net::HttpResponse> response = Error{};
    Duration after = std::chrono::milliseconds{200};
    bool never = false;
    bool sent = true;  ///< False: no connection came about.
  };
  AnsweringTransport(Timers& timers, std::function<Answer(const net::HttpRequest&)> decide)
      : timers_(timers), decide_(std::move(decide)) {}

  void send(net::HttpRequest request, Duration timeout, CancelToken cancel,
            std::function<void(net::HttpOutcome)> done) override;

  int calls = 0;
  int in_flight = 0;
  int most_in_flight = 0;
  int cut_off = 0;

 private:
  Timers& timers_;
  std::function<Answer(const net::HttpRequest&)> decide_;
};

/// The Messages answer that taps element 1, or ends the task when the prompt shows `last_page`.
AnsweringTransport::Answer tap_until(const net::HttpRequest& request, int last_page);
AnsweringTransport::Answer tool_answer(const std::string& tool, const Json& arguments);
AnsweringTransport::Answer refusal(int status, const std::string& type, net::Headers headers = {});

/// A journal in memory that remembers the order of commits and can fail.
class MemoryJournal : public storage::Journal {
 public:
  const storage::RecoveryReport& recovery() const noexcept override { return recovery_; }
  Result<Sequence> commit(std::span<const storage::JournalEntry> entries) override;
  Result<Fence> reserve_fences(std::uint64_t count) override;
  Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) override {
    if (failure) return *failure;
    return counters[std::string(name)] += amount;
  }
  Result<std::int64_t> counter(std::string_view name) override { return counters[std::string(name)]; }

  [[nodiscard]] std::vector<Json> of(storage::RecordKind kind) const;
  std::vector<storage::JournalEntry> entries;
  std::map<std::string, std::int64_t> counters;
  std::function<void(const storage::JournalEntry&)> on_entry;
  int commits = 0;
  std::optional<Error> failure;

 private:
  storage::RecoveryReport recovery_;
  Fence next_fence_ = 1;
};

/// Every actor of a run on CAF's test scheduler and simulated time: nothing moves
/// but when it is told to, and the same happens each time.
class ActorWorld {
 public:
  ActorWorld();
  ~ActorWorld();

  /// Adds phones before start().
  PagedPhone& add_phone(const std::string& id);
  /// Spawns journal, router, provider, fleet and dispatcher.
  void start();
  void run(std::vector<Task> tasks, RetryRules retries = {}, std::uint32_t parallel = 0);
  /// Runs what is ready.
  void drain();
  /// Runs and moves time on until `done` or until `most` has passed; false when it did not come.
  bool run_until(const std::function<bool()>& done, Duration most = std::chrono::minutes{30});
  /// Until the batch has ended.
  const actors::BatchSummary& finish(Duration most = std::chrono::minutes{30});
  void advance(Duration time);
  static Task task(const std::string& id, int pages = 3);
  /// Of both providers.
  static constexpr std::string_view api_key = "sk-test-4f9a/77";

  struct Config;
  std::unique_ptr<Config> config;
  caf::actor_system system;
  caf::scheduler::test_coordinator& scheduler;
  SimulatedTime time;
  std::vector<std::shared_ptr<PagedPhone>> phones;
  std::shared_ptr<MemoryJournal> journal = std::make_shared<MemoryJournal>();
  std::shared_ptr<AnsweringTransport> transport;
  std::shared_ptr<AnsweringTransport> second_transport;
  std::function<AnsweringTransport::Answer(const net::HttpRequest&)> model;
  /// Set before start(): a second provider that calls are failed over to.
  std::function<AnsweringTransport::Answer(const net::HttpRequest&)> second_model;
  std::shared_ptr<actors::RunStatistics> statistics = std::make_shared<actors::RunStatistics>();
  std::shared_ptr<actors::ProviderAccount> account =
      std::make_shared<actors::ProviderAccount>("test", "drover-rules-1");  ///< Of the first provider.
  std::shared_ptr<actors::JournalPressure> pressure = std::make_shared<actors::JournalPressure>();
  std::shared_ptr<actors::SharedBudget> budget;  ///< Set before start(); null: there is none.
  std::shared_ptr<actors::LiveActors> live = std::make_shared<actors::LiveActors>();
  providers::AdmissionOptions admission;
  providers::GateOptions gate;
  actors::DeviceOptions device_options;
  Duration device_timeout = std::chrono::minutes{1};
  std::shared_ptr<const planner::Planner> planner = planner::make_ai_planner({});

  actors::journal_actor journal_handle;  ///< One that was set before start() is kept.
  actors::router_actor router;
  actors::provider_actor provider;
  actors::provider_actor second_provider;
  actors::fleet_actor fleet;
  actors::dispatcher_actor dispatcher;
  actors::supervisor_actor supervisor;
  std::shared_ptr<std::optional<actors::BatchSummary>> ended = std::make_shared<std::optional<actors::BatchSummary>>();
};

}  // namespace drover::test
