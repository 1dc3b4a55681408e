#pragma once

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace drover::net {

/// Finds the addresses of host names on threads of its own, because the system's
/// resolver blocks and can't be interrupted: what is given up goes on alone and
/// its result is dropped. Lookups of one name at the same time share one answer.
/// Safe from any thread.
class NameLookup {
 public:
  using Addresses = std::vector<boost::asio::ip::address>;
  using Callback = std::function<void(const Result<Addresses>&)>;
  /// Blocks until it knows the addresses of a name.
  using Resolver = std::function<Result<Addresses>(const std::string& host)>;

  /// Asks the system when no other resolver is given.
  explicit NameLookup(Resolver resolver = {});

  /// At once for an address in figures, otherwise from another thread. Errors:
  /// network. Keep no owner of the object in the callback: it may wait long.
  void look_up(const std::string& host, Callback callback);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace drover::net
