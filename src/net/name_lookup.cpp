#include "net/name_lookup.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace drover::net {
namespace {

namespace asio = boost::asio;

Result<NameLookup::Addresses> ask_system(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int problem = getaddrinfo(host.c_str(), nullptr, &hints, &found); problem != 0) {
    return Error{Errc::network, "The name " + host + " could not be found: " + gai_strerror(problem) + ".",
                 "check the address of the service and this machine's name server"};
  }
  NameLookup::Addresses addresses;
  for (const auto* entry = found; entry != nullptr; entry = entry->ai_next) {
    asio::ip::tcp::endpoint endpoint;
    if (entry->ai_addrlen > endpoint.capacity()) continue;
    std::memcpy(endpoint.data(), entry->ai_addr, entry->ai_addrlen);
    endpoint.resize(entry->ai_addrlen);
    addresses.push_back(endpoint.address());
  }
  freeaddrinfo(found);
  return addresses;
}

}  // namespace

struct NameLookup::State {
  explicit State(Resolver given) : resolver(given ? std::move(given) : ask_system) {}

  const Resolver resolver;
  std::mutex mutex;
  std::map<std::string, std::vector<Callback>> waiting;

  [[nodiscard]] Result<Addresses> ask(const std::string& host) const {
    auto addresses = resolver(host);
    if (addresses && addresses->empty()) {
      return Error{Errc::network, "The name " + host + " has no address.", ""};
    }
    return addresses;
  }

  void settle(const std::string& host, const Result<Addresses>& addresses) {
    std::vector<Callback> callbacks;
    {
      const std::lock_guard lock(mutex);
      const auto found = waiting.find(host);
      callbacks.swap(found->second);
      waiting.erase(found);
    }
    for (const auto& callback : callbacks) callback(addresses);
  }
};

NameLookup::NameLookup(Resolver resolver) : state_(std::make_shared<State>(std::move(resolver))) {}

void NameLookup::look_up(const std::string& host, Callback callback) {
  boost::system::error_code ec;
  if (const auto address = asio::ip::make_address(host, ec); !ec) return callback(Addresses{address});
  {
    const std::lock_guard lock(state_->mutex);
    auto& callbacks = state_->waiting[host];
    callbacks.push_back(std::move(callback));
    if (callbacks.size() > 1) return;
  }
  try {
    std::thread([state = state_, host] { state->settle(host, state->ask(host)); }).detach();
  } catch (const std::system_error& problem) {
    state_->settle(host,
                   Error{Errc::network, "The name " + host + " could not be looked up: " + problem.what() + ".", ""});
  }
}

}  // namespace drover::net
