#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// Whether a decision came of the last request of a turn.
bool is_decided(const DecisionRecord& decision);

/// The fields in which two records of the same request differ by what came of it: of
/// "tool", "arguments", "purpose", "expected_outcome", "rationale", "thinking" and
/// "error". Two errors are the same whatever their words.
std::vector<std::string> differences(const DecisionRecord& one, const DecisionRecord& other);

/// Whether both decided, and on the same act: tool and arguments. Models never give the
/// same reasons.
bool is_same_act(const DecisionRecord& one, const DecisionRecord& other);

/// What the requests of one turn came to: the last one's record with what all of them
/// consumed and took. At least one.
DecisionRecord turn_of(std::span<const DecisionRecord> requests);

/// `tap {"element":3}`, or why there is none.
std::string act_text(const DecisionRecord& decision);

/// What came of a request: the fields that differences() compares, where there are any.
Json outcome_json(const DecisionRecord& decision);

/// A decision with who was asked and what it took: what a column of side_by_side() shows.
struct ShownDecision {
  std::string title;  ///< "logged", "today".
  DecisionRecord decision;
  std::size_t requests = 1;  ///< Of the turn.
};

/// A table with a column for each, long texts wrapped to as many lines as they need.
/// `width`: as table_width() gives it.
std::string side_by_side(const std::vector<ShownDecision>& decisions, std::size_t width);

/// The same for programs.
Json shown_json(const ShownDecision& shown);

}  // namespace drover::cli
