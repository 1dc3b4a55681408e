#include "devices/preparation.hpp"

#include <memory>
#include <utility>

namespace drover::devices {
namespace {

PreparationStep step_of(ExecutorStep step) {
  if (auto* primitive = std::get_if<RunPrimitive>(&step)) return std::move(*primitive);
  if (const auto* pause = std::get_if<PauseFor>(&step)) return *pause;
  auto& result = std::get<ActResult>(step);
  if (result.status == ActStatus::done) return Status(Done{});
  return Status(std::move(result.error).value_or(Error{Errc::action_failed, "the app could not be started", ""}));
}

}  // namespace

Preparation::Preparation(bool reset, std::string app) : reset_(reset), app_(std::move(app)) {}

PreparationStep Preparation::next(TimePoint now) {
  if (reset_) return ResetPhone{};
  if (app_.empty()) return Status(Done{});
  if (!launch_) {
    Act act;
    act.intent = "launch";
    act.step.action = LaunchApp{app_};
    act.decided_on = std::make_shared<Scene>();
    launch_.emplace(std::move(act), now);
  }
  return step_of(launch_->next(now));
}

PreparationStep Preparation::on_result(const PrimitiveResult& result, TimePoint now) {
  if (!reset_) return step_of(launch_->on_result(result, now));
  if (!result.ok()) return Status(result.error());
  reset_ = false;
  return next(now);
}

}  // namespace drover::devices
