#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/scene.hpp"
#include "core/task.hpp"
#include "core/world.hpp"
#include "planner/planner.hpp"
#include "planner/tool_specifications.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::planner::test {

inline Element element(int id, Role role, std::string label, Bounds bounds = {0, 0, 100, 100}) {
  Element made;
  made.id = id;
  made.role = role;
  made.label = std::move(label);
  made.bounds = bounds;
  made.clickable = role != Role::text && role != Role::list;
  return made;
}

/// A page of settings with four elements; 3 is a switch that is off, 4 a field.
inline Scene settings_scene() {
  Scene scene;
  scene.page = "com.android.settings/network";
  scene.package = "com.android.settings";
  scene.width = 1080;
  scene.height = 2400;
  scene.elements = {element(1, Role::text, "Network & internet"), element(2, Role::item, "Wi-Fi, Connected"),
                    element(3, Role::toggle, "Airplane mode"), element(4, Role::field, "Search settings")};
  scene.elements[2].checkable = true;
  scene.elements[3].resource_id = "com.android.settings:id/search";
  return scene;
}

inline Task airplane_task() {
  Task task;
  task.id = TaskId{"airplane"};
  task.goal = "Make sure the phone sends no radio signals";
  task.app = "com.android.settings";
  return task;
}

/// One turn of a planner and what comes of it, answer by answer.
struct TurnRun {
  Scene scene = settings_scene();
  Task task = airplane_task();
  WorldState world;
  AiPlannerOptions options;
  std::shared_ptr<const Screenshot> screenshot;
  std::unique_ptr<Turn> turn;
  TurnStep step = Error{};
  std::vector<std::shared_ptr<const providers::ModelRequest>> requests;

  TurnInput input() { return {&task, "main", &world, &scene, screenshot, 3, 30}; }

  void start() {
    turn = make_ai_planner(options)->begin(input());
    take(turn->start());
  }
  /// The screen was taken anew before an answer came; element 2 reads `label` now.
  void look_again(std::string label) {
    scene.elements[1].label = std::move(label);
    take(make_ai_planner(options)->look_again(*turn, input()));
  }
  /// Answers the open request; the rung is the one asked for unless said otherwise.
  void answer(std::variant<providers::ModelAnswer, providers::ProviderFailure> with, bool structured = false) {
    answer_as(request().rung, std::move(with), structured);
  }
  void answer_as(providers::Rung asked, std::variant<providers::ModelAnswer, providers::ProviderFailure> with,
                 bool structured = false) {
    take(turn->next({std::move(with), asked, structured}));
  }

  [[nodiscard]] bool asks() const { return step.index() == 0; }
  [[nodiscard]] const providers::ModelRequest& request() const { return *std::get<0>(step); }
  [[nodiscard]] const PlannedStep& act() const { return std::get<PlannedStep>(std::get<Decision>(step)); }
  [[nodiscard]] const FinishTask& end() const { return std::get<FinishTask>(std::get<Decision>(step)); }
  [[nodiscard]] const Error& error() const { return std::get<Error>(step); }

 private:
  void take(TurnStep next) {
    step = std::move(next);
    if (asks()) requests.push_back(std::get<0>(step));
  }
};

inline providers::ToolCall call(std::string name, Json arguments) {
  return {"call_1", std::move(name), std::move(arguments)};
}

inline providers::ToolCall tap_call(int target = 3) {
  return call("tap",
              {{"element", target}, {"purpose", "turn airplane mode on"}, {"expected_outcome", "the switch is on"}});
}

inline providers::ToolCall finish_call(bool success, std::string reason) {
  return call("finish_task", {{"success", success}, {"reason", std::move(reason)}});
}

inline providers::ModelAnswer answer_with(std::vector<providers::ToolCall> calls, std::string text = {}) {
  providers::ModelAnswer answer;
  answer.calls = std::move(calls);
  answer.text_output = std::move(text);
  answer.stop = answer.calls.empty() ? providers::StopReason::end : providers::StopReason::tool_use;
  return answer;
}

inline providers::ModelAnswer text_answer(std::string text) { return answer_with({}, std::move(text)); }

inline providers::ProviderFailure failure(providers::FailureKind kind, std::string cause) {
  providers::ProviderFailure made;
  made.kind = kind;
  made.cause = std::move(cause);
  return made;
}

}  // namespace drover::planner::test
