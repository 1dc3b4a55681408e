#include "rules_session.hpp"

#include <algorithm>
#include <utility>

#include "core/scene_text.hpp"
#include "core/verification.hpp"
#include "devices/executor.hpp"
#include "devices/look.hpp"
#include "planner/loop_detection.hpp"
#include "planner/tool_call_reading.hpp"
#include "planner/tool_specifications.hpp"
#include "planner/user_prompt.hpp"
#include "planner/world_model.hpp"
#include "providers/scripted/prompt.hpp"
#include "providers/scripted/rules.hpp"

namespace drover::test {

namespace {

constexpr std::size_t history_tokens = 1500;
constexpr Duration primitive_timeout = std::chrono::seconds{30};

/// Runs one asynchronous call of a driver to its end by moving the time on.
class Phone {
 public:
  Phone(std::shared_ptr<const devices::simulated::AppCatalogue> apps, std::uint64_t seed, PhoneFaultSettings faults) {
    devices::simulated::PhoneOptions options;
    options.id = DeviceId{"phone-01"};
    options.seed = seed;
    options.latency = LatencyProfile::typical;
    options.faults = std::move(faults);
    driver_ = devices::simulated::make_simulated_phone(std::move(apps), std::move(options), time_);
  }

  Status prepare(const std::string& app) {
    auto status = settle<Status>([&](auto done) { driver_->connect(primitive_timeout, done); });
    if (!status) return status;
    status = settle<Status>([&](auto done) { driver_->reset(primitive_timeout, done); });
    if (!status || app.empty()) return status;
    const auto launched = run(devices::primitive::Launch{app});
    if (!launched) return launched.error();
    return Done{};
  }

  devices::LookResult look() {
    devices::Look look{driver_->description(), false, time_.now()};
    auto step = look.next(time_.now());
    for (;;) {
      if (auto* pause = std::get_if<devices::PauseFor>(&step)) {
        time_.advance(pause->time);
        step = look.next(time_.now());
      } else if (auto* order = std::get_if<devices::RunPrimitive>(&step)) {
        const auto result = run(std::move(order->primitive));
        step = look.on_result(result, time_.now());
      } else {
        return std::get<devices::LookResult>(step);
      }
    }
  }

  devices::ActResult act(devices::Act act) {
    devices::Executor executor{std::move(act), time_.now()};
    auto step = executor.next(time_.now());
    for (;;) {
      if (auto* pause = std::get_if<devices::PauseFor>(&step)) {
        time_.advance(pause->time);
        step = executor.next(time_.now());
      } else if (auto* order = std::get_if<devices::RunPrimitive>(&step)) {
        const auto result = run(std::move(order->primitive));
        step = executor.on_result(result, time_.now());
      } else {
        return std::get<devices::ActResult>(step);
      }
    }
  }

  void wait(Duration time) { time_.advance(time); }

 private:
  devices::PrimitiveResult run(devices::Primitive primitive) {
    auto result = settle<devices::PrimitiveResult>(
        [&](auto done) { driver_->run(std::move(primitive), primitive_timeout, done); });
    if (!result && (result.error().code == Errc::device_lost || result.error().code == Errc::device_unavailable)) {
      // The phone comes back within seconds; whoever acts tries again or is in doubt.
      time_.advance(std::chrono::seconds{20});
      (void)settle<Status>([&](auto done) { driver_->connect(primitive_timeout, done); });
    }
    return result;
  }

  template <class T, class Start>
  T settle(Start start) {
    auto slot = std::make_shared<std::optional<T>>();
    start([slot](T value) { slot->emplace(std::move(value)); });
    while (!*slot && time_.advance_to_next()) {
    }
    return *slot ? std::move(**slot) : T{Error{Errc::internal, "the driver gave no answer", {}}};
  }

  SimulatedTime time_;
  std::unique_ptr<devices::Driver> driver_;
};

bool hold(const std::vector<AssertionResult>& results) {
  return std::all_of(results.begin(), results.end(), [](const AssertionResult& result) { return result.held; });
}

}  // namespace

bool RulesReport::verified() const { return finished && success && hold(assertions); }

std::string RulesReport::text() const {
  std::string text;
  for (const auto& line : log) text += line + "\n";
  text += finished ? (success ? "claimed: " : "gave up: ") + reason : "did not end";
  for (const auto& result : assertions)
    text += "\n" + std::string{result.held ? "held: " : "REFUTED: "} + describe(result.assertion) +
            (result.held ? "" : ": " + result.observed);
  return text;
}

RulesReport follow_rules(const Task& task, std::shared_ptr<const devices::simulated::AppCatalogue> apps,
                         std::uint64_t seed, PhoneFaultSettings faults, bool show_screens) {
  RulesReport report;
  Phone phone{std::move(apps), seed, std::move(faults)};
  if (const auto status = phone.prepare(task.app); !status) {
    report.log.push_back("the phone could not be prepared: " + status.error().describe());
    return report;
  }
  const auto tools = planner::tool_set(planner::ToolSetChoice::full);
  const auto offers = [&](std::string_view name) { return tools->find(name) != nullptr; };
  WorldState world;
  std::shared_ptr<const Scene> before;
  std::optional<WorldEvent> open;
  for (std::uint32_t step = 1; step <= task.limits.max_steps; ++step) {
    const auto seen = phone.look();
    if (!seen) {
      report.log.push_back("no look: " + seen.error().describe());
      return report;
    }
    const auto scene = std::make_shared<const Scene>((*seen)->scene);
    planner::observe(world, *scene);
    if (open) {
      if (open->action && before) planner::check(*open, verify(*open->action, *before, *scene));
      planner::record(world, *std::move(open));
      open.reset();
    }
    if (show_screens) report.log.push_back(write_scene(*scene));
    if (planner::look_for_loop(world).stage == planner::LoopStage::stuck) {
      report.log.push_back("STUCK in a loop");
      return report;
    }
    planner::TurnInput input;
    input.task = &task;
    input.world = &world;
    input.scene = scene.get();
    input.step = step;
    input.max_steps = task.limits.max_steps;
    const auto prompt = providers::scripted::read_prompt(planner::write_user_prompt(input, history_tokens).text);
    if (!prompt.scene) {
      report.log.push_back("the screen in the prompt was not read: " + prompt.screen_problem);
      return report;
    }
    auto decision = providers::scripted::decide(prompt, offers);
    report.log.push_back(std::to_string(step) + " [" + scene->page + "] " + decision.rationale + " -> " +
                         decision.tool + " " + dump_json(decision.arguments));
    std::vector<std::string> notes;
    const auto read =
        planner::read_tool_call({"call", decision.tool, decision.arguments}, *tools, planner::ground_of(*scene), notes);
    if (!read) {
      report.log.push_back("REFUSED: " + read.error().describe());
      return report;
    }
    report.steps = step;
    if (const auto* end = std::get_if<FinishTask>(&*read)) {
      report.finished = true;
      report.success = end->success;
      report.reason = end->reason;
      phone.wait(std::chrono::seconds{1});
      const auto last = phone.look();
      for (const auto& assertion : task.assertions) {
        if (last) report.assertions.push_back(evaluate(assertion, (*last)->scene));
      }
      return report;
    }
    auto planned = std::get<PlannedStep>(*read);
    planned.rationale = decision.rationale;
    open = planner::make_event(planned, *scene, step);
    before = scene;
    devices::Act act;
    act.intent = "intent-" + std::to_string(step);
    act.step = planned;
    act.decided_on = scene;
    const auto result = phone.act(std::move(act));
    planner::settle(*open, result.status, result.error ? result.error->describe() : std::string{});
  }
  return report;
}

}  // namespace drover::test
