#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/action.hpp"
#include "core/error.hpp"
#include "core/scene.hpp"
#include "core/task.hpp"
#include "core/world.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_request.hpp"

namespace drover::planner {

/// What one turn is decided on.
struct TurnInput {
  const Task* task = nullptr;
  std::string_view role = "main";
  const WorldState* world = nullptr;  ///< For a planner that takes it (row P9).
  const Scene* scene = nullptr;
  std::shared_ptr<const Screenshot> screenshot;  ///< Null where the planner doesn't want one.
  std::uint32_t step = 1;
  std::uint32_t max_steps = 30;
};

/// What came of a request of this turn: the answer and by which rung it was
/// asked, or the failure that the provider side gave up on.
struct TurnAnswer {
  std::variant<providers::ModelAnswer, providers::ProviderFailure> answer;
  providers::Rung asked = providers::Rung::automatic;  ///< After possible_rung().
  bool structured_output_supported = false;
};

/// What a turn wants next: a request to be made, or its end in a decision or an
/// error. An error ends the attempt as failed (row P6): Errc::tool_call_unavailable
/// with `ToolCallUnavailable: <cause>`.
using TurnStep = std::variant<std::shared_ptr<const providers::ModelRequest>, Decision, Error>;

/// One turn of one session: a small state machine without I/O.
class Turn {
 public:
  virtual ~Turn() = default;
  /// The first step. A planner that asks no model gives a decision at once.
  virtual TurnStep start() = 0;
  /// The next step after the last request's answer.
  virtual TurnStep next(const TurnAnswer& answer) = 0;
  /// What was mended, left out or asked for again in this turn so far, a sentence
  /// each, for the log.
  [[nodiscard]] virtual const std::vector<std::string>& notes() const noexcept;
};

/// Decides what to do on a phone. Stateless and shared by all sessions; thread-safe.
class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// Whether observations should come with a picture.
  [[nodiscard]] virtual bool wants_screenshot() const noexcept = 0;
  /// False for a planner that decides nothing: what it ends in is at most a claim,
  /// whatever the task's assertions say of the screen (row P8).
  [[nodiscard]] virtual bool can_pass() const noexcept { return true; }
  /// Begins a turn; what the input points to must live until start() has returned.
  [[nodiscard]] virtual std::unique_ptr<Turn> begin(const TurnInput& input) const = 0;
  /// The next step of a turn that this planner began, on a newer screen than the
  /// request it waits for: asks the same again, on the same rung, about what is
  /// there now. Earlier answers of the turn spoke of another screen and are dropped.
  [[nodiscard]] virtual TurnStep look_again(Turn& turn, const TurnInput& input) const = 0;
};

enum class ToolSetChoice : std::uint8_t { core, full };

struct AiPlannerOptions {
  ToolSetChoice tools = ToolSetChoice::full;
  std::optional<std::uint32_t> thinking_budget_tokens;
  std::uint32_t max_output_tokens = 1024;
  bool screenshot = false;
  std::size_t history_token_budget = 1500;  ///< Older events collapse into one line (row W3).
};

inline constexpr std::string_view prompt_version = "1";

/// The planner that asks a model (rows P1 to P5, C2 to C5, W1 to W5).
std::unique_ptr<Planner> make_ai_planner(AiPlannerOptions options);

/// The planner that is there when none is enabled: describes the screen once and
/// completes, and calls no model (row P8).
std::unique_ptr<Planner> make_stub_planner();

}  // namespace drover::planner
