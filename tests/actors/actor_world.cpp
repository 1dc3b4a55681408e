#include "actors/actor_world.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "actors/test_double.hpp"

namespace drover::test {

using actors::BatchSummary;

PagedPhone::PagedPhone(std::string id, Timers& timers) : timers_(timers) {
  description_.id = DeviceId(std::move(id));
  description_.platform = "android";
  description_.transport = "test";
  description_.width = 1080;
  description_.height = 2400;
}

void PagedPhone::connect(Duration, std::function<void(Status)> done) {
  log.emplace_back("connect");
  if (silent) return;
  timers_.after(std::chrono::milliseconds{10}, [this, done = std::move(done)] {
    if (gone) {
      done(Error{Errc::device_unavailable, "the phone is not there", ""});
    } else {
      done(Done{});
    }
  });
}

void PagedPhone::reset(Duration, std::function<void(Status)> done) {
  log.emplace_back("reset");
  ++resets;
  page = 1;
  if (silent) return;
  timers_.after(std::chrono::milliseconds{20}, [done = std::move(done)] { done(Done{}); });
}

void PagedPhone::answer(Duration after, devices::PrimitiveResult result,
                        std::function<void(devices::PrimitiveResult)> done) {
  if (silent) return;
  timers_.after(after, [result = std::move(result), done = std::move(done)] { done(result); });
}

void PagedPhone::run(devices::Primitive primitive, Duration, std::function<void(devices::PrimitiveResult)> done) {
  if (throws) throw std::runtime_error("the driver has a fault");
  log.emplace_back(devices::name_of(primitive));
  if (gone) return answer(Duration::zero(), Error{Errc::device_lost, "the phone is not there", ""}, std::move(done));
  if (std::holds_alternative<devices::primitive::DumpTree>(primitive)) {
    ++dumps;
    if (failing_dumps > 0) {
      --failing_dumps;
      return answer(dump_time, devices::PrimitiveReply{"ERROR: null root node returned by UiTestAutomationBridge.\n"},
                    std::move(done));
    }
    return answer(dump_time, devices::PrimitiveReply{dump()}, std::move(done));
  }
  if (std::holds_alternative<devices::primitive::TapAt>(primitive)) {
    ++taps;
    if (lost_at_tap == taps) {
      gone = true;
      return answer(tap_time, Error{Errc::in_doubt, "the connection broke in the middle", ""}, std::move(done));
    }
    ++page;
    return answer(tap_time, devices::PrimitiveReply{}, std::move(done));
  }
  if (const auto* type = std::get_if<devices::primitive::TypeText>(&primitive)) typed += type->text;
  answer(tap_time, devices::PrimitiveReply{}, std::move(done));
}

void PagedPhone::vanish() {
  gone = true;
  lost_(Error{Errc::device_lost, "the cable was pulled", ""});
}

std::string PagedPhone::dump() const {
  const std::string number = std::to_string(page);
  const char* password =
      asks_password ? "<node text=\"\" resource-id=\"com.pages:id/password\" class=\"android.widget.EditText\" "
                      "package=\"com.pages\" content-desc=\"Password\" clickable=\"true\" enabled=\"true\" "
                      "focused=\"true\" password=\"true\" bounds=\"[40,600][900,700]\"/>"
                    : "";
  return "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
         "<node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"com.pages\" "
         "content-desc=\"\" clickable=\"false\" enabled=\"true\" bounds=\"[0,0][1080,2400]\">"
         "<node index=\"0\" text=\"Next\" resource-id=\"com.pages:id/next\" class=\"android.widget.Button\" "
         "package=\"com.pages\" content-desc=\"\" clickable=\"true\" enabled=\"true\" bounds=\"[40,200][400,300]\"/>"
         "<node index=\"1\" text=\"Page " +
         number + "\" resource-id=\"com.pages:id/title_" + number +
         "\" class=\"android.widget.TextView\" package=\"com.pages\" content-desc=\"\" clickable=\"false\" "
         "enabled=\"true\" bounds=\"[40,400][400,500]\"/>" +
         password + "</node></hierarchy>";
}

void AnsweringTransport::send(net::HttpRequest request, Duration timeout, CancelToken cancel,
                              std::function<void(net::HttpOutcome)> done) {
  ++calls;
  most_in_flight = std::max(most_in_flight, ++in_flight);
  Answer answer = decide_(request);
  if (answer.never) {
    answer.after = timeout;
    answer.response = Error{Errc::timeout, "no answer in time", ""};
  }
  struct Exchange {
    std::function<void(net::HttpOutcome)> done;
    CancelToken::Registration registration;
    TimerId timer = 0;
    bool over = false;
  };
  auto exchange = std::make_shared<Exchange>();
  exchange->done = std::move(done);
  const auto end = [this, exchange, sent = answer.sent](Result<net::HttpResponse> response) {
    if (std::exchange(exchange->over, true)) return;
    --in_flight;
    net::HttpOutcome outcome;
    outcome.response = std::move(response);
    outcome.timing.sent = sent;
    exchange->done(std::move(outcome));
  };
  exchange->timer = timers_.after(answer.after, [end, response = std::move(answer.response)] { end(response); });
  exchange->registration = cancel.on_cancel([this, end, exchange](CancelReason) {
    if (exchange->over) return;
    ++cut_off;
    timers_.cancel(exchange->timer);
    end(Error{Errc::cancelled, "cut off", ""});
  });
}

AnsweringTransport::Answer tool_answer(const std::string& tool, const Json& arguments) {
  net::HttpResponse response;
  response.headers.set("content-type", "application/json");
  response.body =
      Json{{"id", "msg_1"},
           {"type", "message"},
           {"role", "assistant"},
           {"model", "drover-rules-1"},
           {"content", Json::array({{{"type", "text"}, {"text", "Going on."}},
                                    {{"type", "tool_use"}, {"id", "toolu_1"}, {"name", tool}, {"input", arguments}}})},
           {"stop_reason", "tool_use"},
           {"usage", {{"input_tokens", 900}, {"output_tokens", 60}}}}
          .dump();
  AnsweringTransport::Answer answer;
  answer.response = std::move(response);
  return answer;
}

AnsweringTransport::Answer tap_until(const net::HttpRequest& request, int last_page) {
  if (request.body.find("Page " + std::to_string(last_page) + "\\\"") != std::string::npos) {
    return tool_answer("finish_task", {{"success", true}, {"reason", "the page is there"}});
  }
  return tool_answer("tap", {{"element", 1}, {"purpose", "go on"}, {"expected_outcome", "the next page"}});
}

AnsweringTransport::Answer refusal(int status, const std::string& type, net::Headers headers) {
  net::HttpResponse response;
  response.status = status;
  response.headers = std::move(headers);
  response.body = Json{{"type", "error"}, {"error", {{"type", type}, {"message", type}}}}.dump();
  AnsweringTransport::Answer answer;
  answer.response = std::move(response);
  return answer;
}

Result<Sequence> MemoryJournal::commit(std::span<const storage::JournalEntry> added) {
  if (failure) return *failure;
  ++commits;
  for (const auto& entry : added) {
    entries.push_back(entry);
    if (on_entry) on_entry(entry);
  }
  return Sequence{entries.size()};
}

Result<Fence> MemoryJournal::reserve_fences(std::uint64_t count) {
  if (failure) return *failure;
  const Fence first = next_fence_;
  next_fence_ += count;
  return first;
}

std::vector<Json> MemoryJournal::of(storage::RecordKind kind) const {
  std::vector<Json> found;
  for (const auto& entry : entries) {
    if (entry.kind == kind) found.push_back(Json::parse(entry.value));
  }
  return found;
}

struct ActorWorld::Config : caf::actor_system_config {
  Config() {
    add_message_types<caf::id_block::drover>();
    config_file_path.clear();
    set("scheduler.policy", caf::atom("testing"));
  }
};

ActorWorld::ActorWorld()
    : config(std::make_unique<Config>()),
      system(*config),
      scheduler(dynamic_cast<caf::scheduler::test_coordinator&>(system.scheduler())),
      model([](const net::HttpRequest& request) { return tap_until(request, 3); }) {
  gate.ramp_up = false;
}

ActorWorld::~ActorWorld() {
  for (auto handle : {caf::actor_cast<caf::actor>(dispatcher), caf::actor_cast<caf::actor>(router),
                      caf::actor_cast<caf::actor>(provider), caf::actor_cast<caf::actor>(second_provider),
                      caf::actor_cast<caf::actor>(fleet), caf::actor_cast<caf::actor>(journal_handle),
                      caf::actor_cast<caf::actor>(supervisor)}) {
    if (handle) caf::anon_send_exit(handle, caf::exit_reason::kill);
  }
  for (const actors::ShutdownStage& stage : actors::shutdown_stages) {
    for (const caf::actor& actor : live->of(stage.kind)) caf::anon_send_exit(actor, caf::exit_reason::kill);
  }
  drain();
}

PagedPhone& ActorWorld::add_phone(const std::string& id) {
  phones.push_back(std::make_shared<PagedPhone>(id, time));
  return *phones.back();
}

void ActorWorld::start() {
  if (!journal_handle) {
    journal_handle = system.spawn(actors::journal, actors::JournalParts{journal, statistics, pressure, budget, &time});
  }
  actors::RouterParts router_parts;
  router_parts.admission = admission;
  router_parts.providers = {{0, 1}};
  if (second_model) router_parts.providers.push_back({1, 1});
  router_parts.timers = &time;
  router_parts.statistics = statistics;
  router_parts.journal_pressure = pressure;
  router = system.spawn(actors::router, std::move(router_parts));

  transport =
      std::make_shared<AnsweringTransport>(time, [this](const net::HttpRequest& request) { return model(request); });
  actors::ProviderParts provider_parts;
  provider_parts.has_others = second_model != nullptr;
  provider_parts.name = "test";
  provider_parts.client =
      providers::make_client(WireFormat::anthropic, {"http://127.0.0.1:1", std::string(api_key), "drover-rules-1"});
  provider_parts.transport = transport;
  provider_parts.gate = gate;
  provider_parts.max_observation_age = admission.max_observation_age;
  provider_parts.timers = &time;
  provider_parts.statistics = statistics;
  provider_parts.router = router;
  provider_parts.budget = budget;
  provider_parts.journal = journal_handle;
  if (second_model) {
    auto second = provider_parts;
    second.place = 1;
    second.name = "second";
    second_transport = std::make_shared<AnsweringTransport>(
        time, [this](const net::HttpRequest& request) { return second_model(request); });
    second.transport = second_transport;
    second_provider = system.spawn(actors::provider, std::move(second));
  }
  provider_parts.account = account;
  provider = system.spawn(actors::provider, std::move(provider_parts));

  actors::FleetParts fleet_parts;
  for (auto& phone : phones) fleet_parts.drivers.push_back(phone);
  fleet_parts.device_options = device_options;
  fleet_parts.journal = journal_handle;
  fleet_parts.timers = &time;
  fleet_parts.statistics = statistics;
  fleet_parts.live = live;
  fleet_parts.device_timeout = device_timeout;
  fleet = system.spawn(actors::fleet, std::move(fleet_parts));

  actors::DispatcherParts dispatcher_parts;
  dispatcher_parts.fleet = fleet;
  dispatcher_parts.router = router;
  dispatcher_parts.journal = journal_handle;
  dispatcher_parts.timers = &time;
  dispatcher_parts.statistics = statistics;
  dispatcher_parts.journal_pressure = pressure;
  dispatcher_parts.live = live;
  dispatcher_parts.budget = budget;
  dispatcher_parts.session_numbers = std::make_shared<std::atomic<providers::SessionNumber>>(0);
  dispatcher = system.spawn(actors::dispatcher, std::move(dispatcher_parts));

  supervisor =
      spawn_double<actors::supervisor_actor>(system, [ended = ended]() -> actors::supervisor_actor::behavior_type {
        return {[](const actors::StartBatch&) {}, [](const actors::StopBatch&) {},
                [ended](const BatchSummary& batch) { *ended = batch; }, [](const actors::RestartProvider&) {}};
      });
  drain();
}

void ActorWorld::run(std::vector<Task> tasks, RetryRules retries, std::uint32_t parallel) {
  actors::RunBatch order;
  order.run.run = RunId("run-1");
  order.run.devices = static_cast<std::uint32_t>(phones.size());
  order.tasks = std::move(tasks);
  order.retries = std::move(retries);
  order.parallel = parallel;
  order.planner = planner;
  order.supervisor = supervisor;
  caf::anon_send(dispatcher, std::move(order));
  drain();
}

void ActorWorld::drain() {
  while (scheduler.try_run_once()) {
  }
}

bool ActorWorld::run_until(const std::function<bool()>& done, Duration most) {
  const TimePoint limit = time.now() + most;
  while (true) {
    drain();
    if (done()) return true;
    const auto next = time.next_due();
    if (!next || *next > limit) return false;
    time.advance_to_next();
  }
}

const BatchSummary& ActorWorld::finish(Duration most) {
  const bool came = run_until([this] { return ended->has_value(); }, most);
  REQUIRE(came);
  return **ended;
}

void ActorWorld::advance(Duration step) {
  const TimePoint goal = time.now() + step;
  run_until([] { return false; }, step);
  time.advance(goal - time.now());
  drain();
}

Task ActorWorld::task(const std::string& id, int pages) {
  Task task;
  task.id = TaskId(id);
  task.goal = "Open page " + std::to_string(pages);
  Assertion assertion;
  assertion.element.text = "Page " + std::to_string(pages);
  task.assertions = {assertion};
  task.limits.timeout = std::chrono::minutes{2};
  return task;
}

}  // namespace drover::test
