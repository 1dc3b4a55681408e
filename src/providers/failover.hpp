#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace drover::providers {

/// By what a call finds its provider.
enum class FailoverPolicy : std::uint8_t {
  order,   ///< The first of the configuration that is in service.
  weight,  ///< Shared out by weight among all that are in service.
  cost,    ///< The cheapest that is in service; those without a known price come last, in order.
};

/// Where one endpoint × key stands among those of a model role.
struct FailoverPlace {
  std::uint32_t rank = 0;  ///< Lower ones are asked first; keys of one provider have the same.
  double weight = 1;       ///< Share among those of the same rank.
};

/// Ranks for providers in the order of the configuration. `input_prices`: what a million
/// tokens of input cost, absent where it is not known; as many as `weights`.
std::vector<FailoverPlace> places_by(FailoverPolicy policy, const std::vector<double>& weights,
                                     const std::vector<std::optional<std::int64_t>>& input_prices);

/// Chooses the provider of a call: among those that may serve it, the lowest rank, and
/// within a rank by smooth weighted turns, so that no key gets a burst. A rank is left
/// only when none of it may serve: who is merely busy is waited for. Plain class; the
/// router actor is its only caller.
class Failover {
 public:
  explicit Failover(std::vector<FailoverPlace> places);

  struct Choice {
    std::size_t place = 0;
    bool busy = false;  ///< All of its rank are: wait, `place` is one of them.
  };
  /// `may_serve`: in service, and not the one that has just failed this call. `free`: has a
  /// slot. Nothing: none may serve. A choice that is not busy counts as a turn.
  std::optional<Choice> choose(const std::function<bool(std::size_t)>& may_serve,
                               const std::function<bool(std::size_t)>& free);

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

 private:
  std::vector<FailoverPlace> places_;
  std::vector<double> turns_;
};

}  // namespace drover::providers
