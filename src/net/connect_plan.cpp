#include "net/connect_plan.hpp"

#include <algorithm>
#include <utility>

namespace drover::net {

ConnectPlan::ConnectPlan(std::vector<Address> addresses, const std::optional<Address>& worked_last, TimePoint until)
    : addresses_(std::move(addresses)), until_(until) {
  if (!worked_last) return;
  const auto found = std::find(addresses_.begin(), addresses_.end(), *worked_last);
  if (found != addresses_.end()) std::rotate(addresses_.begin(), found, found + 1);
}

std::optional<Duration> ConnectPlan::share(TimePoint now) const {
  if (!has_next()) return std::nullopt;
  const auto parts = static_cast<Duration::rep>(addresses_.size() - next_ + 1);
  return std::max(until_ - now, Duration::zero()) / parts;
}

}  // namespace drover::net
