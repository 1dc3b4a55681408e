#include "actors/supervised_world.hpp"

#include <map>
#include <utility>

namespace drover::test {

void SupervisedWorld::start(std::size_t providers) {
  actors::SupervisorParts parts;
  parts.journal = journal;
  parts.journal_on_own_thread = false;
  parts.journal_pressure = pressure;
  parts.live = live;
  parts.timers = &time;
  parts.statistics = statistics;
  parts.admission = admission;
  for (std::size_t i = 0; i < providers; ++i) {
    transports.push_back(
        std::make_shared<AnsweringTransport>(time, [this](const net::HttpRequest& request) { return model(request); }));
    actors::ProviderParts provider_parts;
    provider_parts.name = "provider-" + std::to_string(i + 1);
    provider_parts.client =
        providers::make_client(WireFormat::anthropic, {"http://127.0.0.1:1", "key", "drover-rules-1"});
    provider_parts.transport = transports.back();
    provider_parts.gate = gate;
    provider_parts.max_observation_age = admission.max_observation_age;
    parts.providers.push_back(std::move(provider_parts));
  }
  for (auto& phone : phones) parts.fleet.drivers.push_back(phone);
  parts.fleet.device_options = device_options;
  parts.fleet.device_timeout = device_timeout;
  root = system.spawn(actors::supervisor, std::move(parts));
  live->add(actors::ActorKind::supervisor, root);
  drain();
}

void SupervisedWorld::run(std::vector<Task> tasks, RetryRules retries) {
  actors::RunBatch order;
  order.run.run = RunId("run-1");
  order.run.devices = static_cast<std::uint32_t>(phones.size());
  order.tasks = std::move(tasks);
  order.retries = std::move(retries);
  order.planner = planner;
  order.cancel = cancel;
  caf::anon_send(root, actors::StartBatch{std::move(order), [ended = ended, answers = answers](auto batch) {
                                            ++*answers;
                                            *ended = std::move(batch);
                                          }});
  drain();
}

void SupervisedWorld::kill(actors::ActorKind kind) {
  const auto living = live->of(kind);
  if (!living.empty()) caf::anon_send_exit(living.front(), caf::exit_reason::kill);
  drain();
}

actors::ShutdownPlan SupervisedWorld::shut_down(Duration spare) {
  actors::ShutdownPlan plan(time.now(), spare);
  while (true) {
    const auto seen = live->endings();
    const auto step = plan.next(live->counts(), time.now());
    if (!step) return plan;
    actors::carry_out(*step, *live);
    run_until([&] { return live->endings() > seen; }, step->until - time.now());
    if (live->endings() == seen && time.now() < step->until) advance(step->until - time.now());
  }
}

std::size_t SupervisedWorld::alive(actors::ActorKind kind) const {
  return live->counts()[static_cast<std::size_t>(kind)];
}

std::size_t SupervisedWorld::attempts_left_running() const {
  std::map<std::string, bool> over_by_attempt;
  for (const auto& attempt : journal->of(storage::RecordKind::attempt)) {
    over_by_attempt[attempt.at("task").get<std::string>() + "/" + attempt.at("attempt").dump()] =
        attempt.contains("outcome");
  }
  std::size_t running = 0;
  for (const auto& [key, over] : over_by_attempt) running += over ? 0 : 1;
  return running;
}

}  // namespace drover::test
