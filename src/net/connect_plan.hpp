#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/clock.hpp"

namespace drover::net {

/// In which order one exchange tries the addresses of its origin, and how long each
/// may take to become a connection. They follow one another and are not raced as in
/// RFC 8305, since connections are kept and seldom opened; but an address that
/// swallows every packet must not use up the time of the others. Belongs to the
/// connection that carries the exchange.
class ConnectPlan {
 public:
  using Address = boost::asio::ip::address;

  ConnectPlan() = default;
  /// `worked_last` goes first where it is among them. `until`: when the whole
  /// attempt ends, name lookup and TLS handshake included.
  ConnectPlan(std::vector<Address> addresses, const std::optional<Address>& worked_last, TimePoint until);

  [[nodiscard]] bool has_next() const noexcept { return next_ < addresses_.size(); }
  /// Only while has_next().
  const Address& next() { return addresses_[next_++]; }
  /// The one that next() gave last.
  [[nodiscard]] const Address& current() const { return addresses_[next_ - 1]; }
  [[nodiscard]] bool has_choice() const noexcept { return addresses_.size() > 1; }

  /// How long current() may take: an equal part of what is left for it and those
  /// behind it. None for the last, which the end of the whole attempt ends.
  [[nodiscard]] std::optional<Duration> share(TimePoint now) const;

 private:
  std::vector<Address> addresses_;
  std::size_t next_ = 0;
  TimePoint until_{};
};

}  // namespace drover::net
