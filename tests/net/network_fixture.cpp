#include "network_fixture.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <utility>

#include "net/http_message.hpp"

namespace drover::net {
namespace {

sockaddr_in socket_address(const std::string& figures, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, figures.c_str(), &address.sin_addr) != 1) std::abort();
  return address;
}

/// A port of 0 becomes a free one.
std::pair<RawSocket, std::uint16_t> listen_on(const std::string& figures, std::uint16_t port, int backlog) {
  RawSocket listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  auto address = socket_address(figures, port);
  socklen_t size = sizeof address;
  if (bind(listener.descriptor(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listener.descriptor(), backlog) != 0 ||
      getsockname(listener.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::abort();
  }
  return {std::move(listener), ntohs(address.sin_port)};
}

}  // namespace

RawSocket::RawSocket(int descriptor) : descriptor_(descriptor) {
  const timeval limit{patience.count(), 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

RawSocket::RawSocket(RawSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

RawSocket& RawSocket::operator=(RawSocket&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    received_ = std::move(other.received_);
  }
  return *this;
}

RawSocket::~RawSocket() { close(); }

RawSocket RawSocket::connect_to(std::uint16_t port, const std::string& figures) {
  RawSocket result(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto address = socket_address(figures, port);
  if (connect(result.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) result.close();
  return result;
}

void RawSocket::write(std::string_view text) const {
  while (!text.empty()) {
    const auto sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

bool RawSocket::receive() {
  std::array<char, 16384> buffer{};
  const auto size = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
  if (size <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

std::string RawSocket::read_until(std::string_view mark) {
  auto found = received_.find(mark);
  while (found == std::string::npos) {
    if (!receive()) return std::exchange(received_, {});
    found = received_.find(mark);
  }
  auto text = received_.substr(0, found + mark.size());
  received_.erase(0, text.size());
  return text;
}

std::string RawSocket::read_message() {
  auto message = read_until("\r\n\r\n");
  constexpr std::string_view field = "Content-Length: ";
  const auto place = message.find(field);
  if (place == std::string::npos) return message;
  const auto length = static_cast<std::size_t>(std::strtoull(message.c_str() + place + field.size(), nullptr, 10));
  while (received_.size() < length) {
    if (!receive()) break;
  }
  message += received_.substr(0, length);
  received_.erase(0, length);
  return message;
}

std::string RawSocket::read_all() {
  while (receive()) {
  }
  return std::exchange(received_, {});
}

bool RawSocket::peer_closes() {
  std::array<char, 16384> buffer{};
  for (;;) {
    const auto size = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (size == 0) return true;
    if (size < 0) return errno == ECONNRESET;
  }
}

void RawSocket::shutdown() const { ::shutdown(descriptor_, SHUT_RDWR); }

void RawSocket::reset() const {
  // Linux resets what is connected to nothing; closing is left to the owner.
  const sockaddr nowhere{AF_UNSPEC, {}};
  ::connect(descriptor_, &nowhere, sizeof nowhere);
}

void RawSocket::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

RawServer::RawServer(Script script, std::string address, std::uint16_t port)
    : script_(std::move(script)), address_(std::move(address)) {
  std::tie(listener_, port_) = listen_on(address_, port, 1024);
  acceptor_ = std::thread([this] {
    for (;;) {
      const int descriptor = ::accept(listener_.descriptor(), nullptr, nullptr);
      const std::lock_guard lock(mutex_);
      if (stopping_ || descriptor < 0) {
        if (descriptor >= 0) ::close(descriptor);
        if (stopping_) return;
        continue;
      }
      auto* socket = sockets_.emplace_back(std::make_unique<RawSocket>(descriptor)).get();
      const int number = ++connections_;
      threads_.emplace_back([this, socket, number] {
        script_(*socket, number);
        // Only the owner closes: the destructor may be about to shut it down.
        socket->shutdown();
      });
    }
  });
}

RawServer::~RawServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  listener_.shutdown();
  const auto awake = RawSocket::connect_to(port_, address_);
  acceptor_.join();
  for (const auto& socket : sockets_) socket->shutdown();
  for (auto& thread : threads_) thread.join();
}

std::string RawServer::url(std::string_view path, std::string_view scheme, std::string_view host) const {
  return std::string(scheme) + "://" + std::string(host) + ":" + std::to_string(port_) + std::string(path);
}

FullListener::FullListener(const std::string& figures, std::uint16_t port) {
  std::tie(listener_, port_) = listen_on(figures, port, 0);
  const auto address = socket_address(figures, port_);
  for (int i = 0; i < 3; ++i) {
    waiting_.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    (void)::connect(waiting_.back().descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
}

std::string FullListener::url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

ClientFixture::ClientFixture(HttpClientOptions options, std::size_t thread_count)
    : timers(make_timer_thread()),
      threads(thread_count),
      client(make_http_client(threads, *timers, std::move(options))) {}

std::future<HttpOutcome> ClientFixture::send(HttpRequest request, Duration timeout, const CancelToken& cancel) {
  auto promise = std::make_shared<std::promise<HttpOutcome>>();
  auto outcome = promise->get_future();
  client->send(std::move(request), timeout, cancel,
               [promise](HttpOutcome result) { promise->set_value(std::move(result)); });
  return outcome;
}

HttpOutcome ClientFixture::exchange(HttpRequest request, Duration timeout) {
  auto outcome = send(std::move(request), timeout);
  return wait_for(outcome);
}

HttpOutcome ClientFixture::get(const std::string& url, Duration timeout) {
  return exchange({"GET", url, {}, ""}, timeout);
}

HttpOutcome wait_for(std::future<HttpOutcome>& outcome) {
  if (outcome.wait_for(patience) != std::future_status::ready) FAIL("a request got no callback");
  return outcome.get();
}

std::string plain_answer(std::string_view body, std::string_view more_fields) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(more_fields) +
         "\r\n" + std::string(body);
}

}  // namespace drover::net
