#include "cli/model_spending.hpp"

#include <algorithm>

#include "cli/number_text.hpp"

namespace drover::cli {
namespace {

/// Of all calls, the cost of those that were answered.
Usage total_of(const ModelSpending& spending) {
  Usage total = spending.cut_off;
  total.add(spending.answered);
  total.cost = spending.answered.cost;
  return total;
}

}  // namespace

bool was_cut_off(const DecisionRecord& decision) {
  return decision.usage.calls > 0 && !decision.usage.cost && decision.raw_answer.empty() && !decision.error.empty();
}

std::vector<ModelSpending> spending_by_model(const std::vector<DecisionRecord>& decisions) {
  std::vector<ModelSpending> models;
  for (const auto& decision : decisions) {
    if (decision.model.empty() && decision.usage == Usage{}) continue;  // It was never sent.
    auto found = std::find_if(models.begin(), models.end(),
                              [&](const ModelSpending& one) { return one.model == decision.model; });
    if (found == models.end()) found = models.insert(models.end(), {decision.model, {}, {}});
    (was_cut_off(decision) ? found->cut_off : found->answered).add(decision.usage);
  }
  return models;
}

std::string cost_of_decision(const DecisionRecord& decision) {
  return decision.usage == Usage{} || was_cut_off(decision) ? "" : money_text(decision.usage.cost);
}

Json cost_json(const Usage& usage) {
  if (usage == Usage{}) return 0;
  return usage.cost ? Json(usage.cost->micros) : Json(nullptr);
}

std::string spending_text(const std::vector<ModelSpending>& models) {
  std::string text;
  for (const auto& one : models) {
    const Usage total = total_of(one);
    text += "  " + one.model + ": " + count_text(total.calls) + (total.calls == 1 ? " call, " : " calls, ") +
            count_text(total.input_tokens) + " in (" + count_text(total.cached_tokens) + " cached), " +
            count_text(total.output_tokens) + " out (" + count_text(total.thinking_tokens) + " thinking), " +
            (one.answered == Usage{} ? "no cost" : money_text(one.answered.cost)) +
            (one.cut_off.calls > 0 ? ", what was cut off not counted" : "") + "\n";
  }
  return text;
}

Json spending_json(const std::vector<ModelSpending>& models) {
  Json list = Json::array();
  for (const auto& one : models) {
    const Usage total = total_of(one);
    list.push_back({{"model", one.model},
                    {"calls", total.calls},
                    {"calls_cut_off", one.cut_off.calls},
                    {"input_tokens", total.input_tokens},
                    {"cached_tokens", total.cached_tokens},
                    {"output_tokens", total.output_tokens},
                    {"thinking_tokens", total.thinking_tokens},
                    {"cost_micros", cost_json(one.answered)}});
  }
  return list;
}

}  // namespace drover::cli
