#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"

namespace drover::actors {

/// What an actor is, for a shutdown in order.
enum class ActorKind : std::uint8_t { supervisor, dispatcher, session, router, provider, fleet, device, journal };
inline constexpr std::size_t actor_kinds = 8;
/// How many of each kind are alive, indexed by ActorKind.
using LiveCounts = std::array<std::size_t, actor_kinds>;

/// One stage of a shutdown: this kind is asked to go, and killed after its grace.
struct ShutdownStage {
  ActorKind kind;
  const char* name;
  Duration grace;
};

/// The declared order: nothing new, then who asks, then who answers, then who
/// writes. The supervisor first stops the batch that runs, which takes the
/// dispatcher's grace for sessions and for the journal's last records.
inline constexpr std::array<ShutdownStage, actor_kinds> shutdown_stages{{
    {ActorKind::supervisor, "supervisor", std::chrono::milliseconds{4200}},
    {ActorKind::dispatcher, "dispatcher", std::chrono::milliseconds{200}},
    {ActorKind::session, "sessions", std::chrono::milliseconds{500}},
    {ActorKind::router, "router", std::chrono::milliseconds{200}},
    {ActorKind::provider, "providers", std::chrono::milliseconds{200}},
    {ActorKind::fleet, "fleet", std::chrono::milliseconds{200}},
    {ActorKind::device, "devices", std::chrono::milliseconds{500}},
    {ActorKind::journal, "journal", std::chrono::milliseconds{1000}},
}};

/// Ctrl-C to the last actor takes less than five seconds; what a stop has used up
/// is gone from the shutdown's part of it.
inline constexpr Duration shutdown_budget = std::chrono::milliseconds{4800};
/// What a shutdown gets in any case.
inline constexpr Duration least_shutdown_budget = std::chrono::milliseconds{800};

/// What is to be done next.
struct ShutdownStep {
  enum class Order : std::uint8_t { wait, ask, kill };
  Order order = Order::wait;
  std::vector<ActorKind> kinds;  ///< To be asked or killed: all that are alive of these.
  TimePoint until{};             ///< Then, or as soon as somebody has ended, ask for the next step.
};

/// Ends all actors stage by stage within one budget that the stages share. What
/// does not go when asked is killed and the next stage begins; at the end all that
/// were killed are waited for. Plain class with time passed in.
class ShutdownPlan {
 public:
  ShutdownPlan(TimePoint now, Duration budget);

  /// Nothing: it is over, either because nobody is left or because the budget is.
  std::optional<ShutdownStep> next(const LiveCounts& alive, TimePoint now);

  /// Stages that had to be killed.
  [[nodiscard]] const std::vector<std::string>& killed() const noexcept { return killed_; }
  /// Who was still there when the budget was used up, with their number; filled at the end.
  [[nodiscard]] const std::vector<std::string>& survivors() const noexcept { return survivors_; }

 private:
  TimePoint asking_ends_;
  TimePoint end_;
  std::size_t stage_ = 0;
  bool asked_ = false;
  bool all_told_ = false;
  TimePoint stage_ends_{};
  std::vector<std::string> killed_;
  std::vector<std::string> survivors_;
};

}  // namespace drover::actors
