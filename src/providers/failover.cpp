#include "providers/failover.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace drover::providers {

std::vector<FailoverPlace> places_by(FailoverPolicy policy, const std::vector<double>& weights,
                                     const std::vector<std::optional<std::int64_t>>& input_prices) {
  std::vector<FailoverPlace> places(weights.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i].weight = weights[i];
  if (policy == FailoverPolicy::weight) return places;
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  if (policy == FailoverPolicy::cost) {
    const auto price = [&](std::size_t i) {
      return input_prices[i].value_or(std::numeric_limits<std::int64_t>::max());
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return price(a) < price(b); });
  }
  for (std::size_t rank = 0; rank < order.size(); ++rank) places[order[rank]].rank = static_cast<std::uint32_t>(rank);
  return places;
}

Failover::Failover(std::vector<FailoverPlace> places) : places_(std::move(places)), turns_(places_.size(), 0) {}

std::optional<Failover::Choice> Failover::choose(const std::function<bool(std::size_t)>& may_serve,
                                                 const std::function<bool(std::size_t)>& free) {
  std::optional<std::uint32_t> rank;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (may_serve(i) && (!rank || places_[i].rank < *rank)) rank = places_[i].rank;
  }
  if (!rank) return std::nullopt;
  std::optional<std::size_t> busy;
  std::optional<std::size_t> best;
  double total = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].rank != *rank || !may_serve(i)) continue;
    if (!free(i)) {
      if (!busy) busy = i;
      continue;
    }
    turns_[i] += places_[i].weight;
    total += places_[i].weight;
    if (!best || turns_[i] > turns_[*best]) best = i;
  }
  if (!best) return Choice{*busy, true};
  turns_[*best] -= total;
  return Choice{*best, false};
}

}  // namespace drover::providers
