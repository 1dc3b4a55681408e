// usage: bench_step_cost [PHONES] [STEPS]   (default 32 100)
// What a step costs in this process against the bare work: the same parser,
// planner, codec, HTTP client and journal called in a plain loop, without actors:
// as many exchanges open at once, records of the same size, and all sessions' records
// of a step in one commit, the widest sharing there is. Rounds of both are
// interleaved; the one JSON line has the medians, of the ratio that of each round's.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <vector>

#include "constant_model.hpp"
#include "core/random.hpp"
#include "core/verification.hpp"
#include "devices/ui_dump.hpp"
#include "fleet_run.hpp"
#include "net/http_client.hpp"
#include "planner/planner.hpp"
#include "planner/world_model.hpp"
#include "storage/journal.hpp"

namespace {

using namespace drover;

struct BareSession {
  StepKey key;
  WorldState world;
  Scene scene;
  Scene before;
  std::optional<StepRecord> unwritten;
  std::shared_ptr<const providers::ModelRequest> request;
  std::unique_ptr<planner::Turn> turn;
  std::future<net::HttpOutcome> answer;
  std::string prompt_hash;
  std::uint64_t prompt_bytes = 0;
};

double bare_cpu_us(const bench::DumpPhone::Dumps& dumps, const std::string& url, std::size_t sessions,
                   std::uint32_t steps) {
  const auto folder = std::filesystem::temp_directory_path() / ("drover-bare-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  auto timers = make_timer_thread();
  net::IoThreads io(1);
  storage::JournalOptions options;
  options.path = folder.string();
  auto journal = storage::Journal::open(options);
  const auto client = providers::make_client(WireFormat::anthropic, {url, "local", "claude-haiku-4-5"});
  auto transport = net::make_http_client(io, *timers);
  const auto planner = planner::make_ai_planner({});
  Task task;
  task.goal = "Open the settings and turn on airplane mode.";
  std::vector<BareSession> all(sessions);
  for (std::size_t i = 0; i < sessions; ++i) {
    all[i].key = {RunId("bench"), TaskId("task-" + std::to_string(i)), 1, "main", 0};
  }
  const double cpu = bench::cpu_seconds();
  for (std::uint32_t step = 1; step <= steps; ++step) {
    for (BareSession& session : all) {
      session.before = std::move(session.scene);
      auto scene = devices::parse_ui_dump((*dumps)[step % dumps->size()], {1080, 2400});
      if (!scene.ok()) std::exit(1);
      session.scene = *std::move(scene);
      planner::observe(session.world, session.scene);
      if (session.unwritten) {
        auto& event = session.world.events.back();
        planner::check(event, verify(*event.action, session.before, session.scene));
        session.unwritten->event = event;
      }
      planner::TurnInput input;
      input.task = &task;
      input.world = &session.world;
      input.scene = &session.scene;
      input.step = step;
      input.max_steps = steps;
      session.turn = planner->begin(input);
      auto first = session.turn->start();
      session.request = std::get<std::shared_ptr<const providers::ModelRequest>>(first);
      auto request = client->encode(*session.request).http;
      session.prompt_hash = hash_name(request.body);
      session.prompt_bytes = request.body.size();
      auto promise = std::make_shared<std::promise<net::HttpOutcome>>();
      session.answer = promise->get_future();
      transport->send(std::move(request), std::chrono::seconds{30}, CancelToken(),
                      [promise](net::HttpOutcome outcome) { promise->set_value(std::move(outcome)); });
    }
    std::vector<storage::JournalEntry> intents;
    std::vector<storage::JournalEntry> outcomes;
    for (BareSession& session : all) {
      auto outcome = session.answer.get();
      if (!outcome.response.ok()) std::exit(1);
      auto answer = std::get<providers::ModelAnswer>(client->decode(*outcome.response));
      DecisionRecord decision;
      decision.key = session.key;
      decision.key.step = step;
      decision.rung = providers::name_of(providers::Rung::automatic);
      decision.system_prompt_hash = session.prompt_hash;
      decision.queued = decision.called = decision.observed = decision.screen_age = std::chrono::microseconds{1234};
      decision.provider = "bench";
      decision.model = client->model();
      decision.prompt_hash = session.prompt_hash;
      decision.prompt_bytes = session.prompt_bytes;
      decision.user_prompt = session.request->user_prompt;
      decision.raw_answer = std::move(outcome.response->body);
      decision.usage = answer.usage;
      decision.rationale = answer.text_output;
      decision.at = timers->utc_now();
      auto next = session.turn->next({std::move(answer), providers::Rung::automatic, false});
      auto planned = std::get<PlannedStep>(std::get<Decision>(next));
      decision.tool = std::string(tool_name(planned.action));
      decision.arguments = encode_arguments(planned.action);
      decision.purpose = planned.purpose;
      decision.expected_outcome = planned.expected_outcome;
      if (session.unwritten) intents.push_back(storage::entry_of(*session.unwritten));
      intents.push_back(storage::entry_of(decision));
      IntentRecord intent;
      intent.key = decision.key;
      intent.intent = "bench/" + session.key.task.value + "/1/main/" + std::to_string(step);
      intent.fence = 1;
      intent.device = DeviceId("phone");
      intent.page = session.scene.page;
      intent.step = planned;
      intent.at = timers->utc_now();
      intents.push_back(storage::entry_of(intent));
      auto event = planner::make_event(planned, session.scene, step);
      planner::settle(event, ActStatus::done);
      planner::record(session.world, event);
      session.unwritten.emplace();
      session.unwritten->key = decision.key;
      OutcomeRecord result;
      result.key = decision.key;
      result.intent = intent.intent;
      result.status = ActStatus::done;
      result.at = timers->utc_now();
      outcomes.push_back(storage::entry_of(result));
    }
    if (!(*journal)->commit(intents).ok() || !(*journal)->commit(outcomes).ok()) std::exit(1);
  }
  const double used = bench::cpu_seconds() - cpu;
  transport.reset();
  io.stop();
  journal = Error{};
  std::filesystem::remove_all(folder);
  return used * 1e6 / static_cast<double>(sessions * steps);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t phones = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 32;
  const auto steps = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 100);
  bench::ConstantModel model({});
  const char* folder = std::getenv("DUMPS");
  const auto dumps = bench::load_dumps(folder != nullptr ? folder : "../shared/data/uidumps/android");
  std::vector<double> bare;
  std::vector<double> step;
  std::vector<double> ratio;
  for (int round = 0; round < 15; ++round) {
    bare.push_back(bare_cpu_us(dumps, model.url(), phones, steps));
    bench::FleetRun run;
    run.phones = phones;
    run.steps = steps;
    run.model_url = model.url();
    run.in_flight = static_cast<std::uint32_t>(phones);
    run.make_phone = bench::phones_that_show(dumps);
    const auto figures = bench::run_fleet(run);
    step.push_back(figures.cpu_seconds * 1e6 / static_cast<double>(figures.steps));
    ratio.push_back(step.back() / bare.back());
  }
  std::printf("{\"bare_cpu_us\":%.1f,\"step_cpu_us\":%.1f,\"ratio\":%.3f,\"phones\":%zu,\"steps\":%u}\n", median(bare),
              median(step), median(ratio), phones, steps);
}
