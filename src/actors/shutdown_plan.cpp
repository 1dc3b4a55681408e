#include "actors/shutdown_plan.hpp"

#include <algorithm>

namespace drover::actors {
namespace {

constexpr Duration for_the_killed = std::chrono::milliseconds{300};
constexpr Duration least_grace = std::chrono::milliseconds{20};

}  // namespace

ShutdownPlan::ShutdownPlan(TimePoint now, Duration budget)
    : asking_ends_(now + budget - for_the_killed), end_(now + budget) {}

std::optional<ShutdownStep> ShutdownPlan::next(const LiveCounts& alive, TimePoint now) {
  using Order = ShutdownStep::Order;
  for (; stage_ < shutdown_stages.size(); ++stage_, asked_ = false) {
    const ShutdownStage& stage = shutdown_stages[stage_];
    if (alive[static_cast<std::size_t>(stage.kind)] == 0) continue;
    if (!asked_) {
      asked_ = true;
      stage_ends_ = std::max(std::min(now + stage.grace, asking_ends_), now + least_grace);
      return ShutdownStep{Order::ask, {stage.kind}, stage_ends_};
    }
    if (now < stage_ends_) return ShutdownStep{Order::wait, {}, stage_ends_};
    killed_.emplace_back(stage.name);
    ++stage_;
    asked_ = false;
    return ShutdownStep{Order::kill, {stage.kind}, now};
  }
  std::vector<ActorKind> left;
  for (const ShutdownStage& stage : shutdown_stages) {
    if (alive[static_cast<std::size_t>(stage.kind)] > 0) left.push_back(stage.kind);
  }
  if (left.empty()) return std::nullopt;
  if (now < end_) {
    const Order order = all_told_ ? Order::wait : Order::kill;
    all_told_ = true;
    return ShutdownStep{order, std::move(left), end_};
  }
  for (const ShutdownStage& stage : shutdown_stages) {
    const std::size_t count = alive[static_cast<std::size_t>(stage.kind)];
    if (count > 0) survivors_.push_back(std::string(stage.name) + " (" + std::to_string(count) + ")");
  }
  return std::nullopt;
}

}  // namespace drover::actors
