#include "devices/executor.hpp"

#include <utility>

#include "devices/act_plan.hpp"
#include "devices/health.hpp"

namespace drover::devices {

namespace {

// What a failed primitive says of whether it was carried out.
enum class Carried : unsigned char { never, perhaps, refused };

Carried carried_out(Errc code) noexcept {
  switch (code) {
    case Errc::device_unavailable:
    case Errc::overloaded:
      return Carried::never;
    case Errc::timeout:
    case Errc::network:
    case Errc::in_doubt:
    case Errc::device_lost:
      return Carried::perhaps;
    default:
      return Carried::refused;
  }
}

}  // namespace

Executor::Executor(Act act, TimePoint started, ExecutorOptions options)
    : act_(std::move(act)), started_(started), options_(options) {}

ExecutorStep Executor::next(TimePoint now) {
  if (!planned_) {
    planned_ = true;
    static const Scene nothing;
    auto plan = plan_act(act_.step.action, act_.decided_on ? *act_.decided_on : nothing, options_);
    if (!plan) return finish(ActStatus::refused, plan.error(), now);
    plan_ = *std::move(plan);
  }
  if (position_ == plan_.size()) return finish(ActStatus::done, std::nullopt, now);
  if (const auto* pause = std::get_if<PauseFor>(&plan_[position_])) {
    ++position_;
    return *pause;
  }
  const auto& primitive = std::get<Primitive>(plan_[position_]);
  if (changes_phone(primitive)) sent_something_ = true;
  return RunPrimitive{primitive};
}

ExecutorStep Executor::on_result(const PrimitiveResult& result, TimePoint now) {
  if (result.ok()) {
    ++position_;
    carried_something_ = sent_something_;
    primitive_tries_ = 1;
    return next(now);
  }
  const auto& error = result.error();
  switch (carried_out(error.code)) {
    case Carried::never:
      sent_something_ = carried_something_;
      return try_again_or(ActStatus::failed, error, now);
    case Carried::perhaps:
      if (is_idempotent(act_.step.action) && !phone_is_gone(error.code)) {
        return try_again_or(ActStatus::in_doubt, error, now);
      }
      return finish(ActStatus::in_doubt, error, now);
    case Carried::refused:
      break;
  }
  return finish(ActStatus::failed, error, now);
}

ExecutorStep Executor::try_again_or(ActStatus status, const Error& error, TimePoint now) {
  if (primitive_tries_ >= options_.max_tries) return finish(status, error, now);
  auto pause = options_.first_pause;
  for (std::uint32_t i = 1; i < primitive_tries_; ++i) pause *= 3;
  ++primitive_tries_;
  ++tries_;
  return PauseFor{pause};
}

ActResult Executor::break_off(Error error, TimePoint now) const {
  const ActStatus unsent = error.code == Errc::cancelled ? ActStatus::refused : ActStatus::failed;
  return finish(sent_something_ ? ActStatus::in_doubt : unsent, std::move(error), now);
}

ActResult Executor::finish(ActStatus status, std::optional<Error> error, TimePoint now) const {
  return {act_.intent, status, std::move(error), tries_, now - started_};
}

}  // namespace drover::devices
