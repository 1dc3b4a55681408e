#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// What the logged requests to one model consumed.
struct ModelSpending {
  std::string model;
  Usage answered;  ///< Its cost is absent where one of the calls has no price, see Usage::add().
  Usage cut_off;   ///< Calls that were cut off: an estimate, which has no cost.
};

/// Whether the request was under way when its session ended: its usage is estimated.
bool was_cut_off(const DecisionRecord& decision);

/// By model, in the order in which each was asked first.
std::vector<ModelSpending> spending_by_model(const std::vector<DecisionRecord>& decisions);

/// "0.0042 USD", "no price" where none is known; empty where nothing was consumed or
/// where the call was cut off.
std::string cost_of_decision(const DecisionRecord& decision);

/// In millionths: 0 where nothing was consumed, null where no price is known.
Json cost_json(const Usage& usage);

/// A line for each model, in the words of a run's summary.
std::string spending_text(const std::vector<ModelSpending>& models);
/// One object for each; `cost_micros` is null where no price is known.
Json spending_json(const std::vector<ModelSpending>& models);

}  // namespace drover::cli
