#include <memory>
#include <utility>

#include "planner/decision_turn.hpp"
#include "planner/planner.hpp"
#include "planner/system_prompt.hpp"
#include "planner/tool_specifications.hpp"
#include "planner/user_prompt.hpp"

namespace drover::planner {

namespace {

class AiPlanner final : public Planner {
 public:
  explicit AiPlanner(AiPlannerOptions options) : options_(options), tools_(tool_set(options.tools)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "ai"; }
  [[nodiscard]] bool wants_screenshot() const noexcept override { return options_.screenshot; }

  [[nodiscard]] std::unique_ptr<Turn> begin(const TurnInput& input) const override {
    return std::make_unique<DecisionTurn>(request_for(input), ground_of(*input.scene));
  }

  [[nodiscard]] TurnStep look_again(Turn& turn, const TurnInput& input) const override {
    return static_cast<DecisionTurn&>(turn).look_again(*request_for(input), ground_of(*input.scene));
  }

 private:
  [[nodiscard]] std::shared_ptr<const providers::ModelRequest> request_for(const TurnInput& input) const {
    auto request = std::make_shared<providers::ModelRequest>();
    request->system_prompt = system_prompt(options_.tools);
    auto prompt = write_user_prompt(input, options_.history_token_budget);
    request->user_prompt = std::move(prompt.text);
    request->stable_bytes = prompt.stable_bytes;
    if (options_.screenshot) request->screenshot = input.screenshot;
    request->tools = tools_;
    request->thinking_budget_tokens = options_.thinking_budget_tokens;
    request->max_output_tokens = options_.max_output_tokens;
    return request;
  }

  AiPlannerOptions options_;
  std::shared_ptr<const providers::ToolSet> tools_;
};

}  // namespace

std::unique_ptr<Planner> make_ai_planner(AiPlannerOptions options) { return std::make_unique<AiPlanner>(options); }

}  // namespace drover::planner
