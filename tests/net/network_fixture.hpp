#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "net/http_client.hpp"

namespace drover::net {

/// How long a test waits for what must happen soon, before it fails.
inline constexpr auto patience = std::chrono::seconds{30};

/// A blocking socket that closes itself. A peer that says nothing for `patience`
/// counts as gone.
class RawSocket {
 public:
  RawSocket() = default;
  explicit RawSocket(int descriptor);
  RawSocket(RawSocket&& other) noexcept;
  RawSocket& operator=(RawSocket&& other) noexcept;
  RawSocket(const RawSocket&) = delete;
  RawSocket& operator=(const RawSocket&) = delete;
  ~RawSocket();

  static RawSocket connect_to(std::uint16_t port, const std::string& address = "127.0.0.1");

  void write(std::string_view text) const;
  /// Up to and with `mark`; what came when the peer closes first.
  std::string read_until(std::string_view mark);
  /// A head and as many bytes behind it as Content-Length says; empty when the peer closed.
  std::string read_message();
  std::string read_all();
  /// Reads on until the peer closes; false when it doesn't.
  bool peer_closes();
  void shutdown() const;
  /// Breaks the connection: the peer gets a reset and not an end.
  void reset() const;
  void close();
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  bool receive();

  int descriptor_ = -1;
  std::string received_;
};

/// A server on a free loopback port, or on the same port at another loopback
/// address (127.0.0.2), that does with each connection what the test
/// says, in a thread of its own. The number counts connections from 1.
class RawServer {
 public:
  using Script = std::function<void(RawSocket&, int number)>;

  explicit RawServer(Script script, std::string address = "127.0.0.1", std::uint16_t port = 0);
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;
  ~RawServer();

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] int connections() const noexcept { return connections_; }
  [[nodiscard]] std::string url(std::string_view path = "/", std::string_view scheme = "http",
                                std::string_view host = "127.0.0.1") const;

 private:
  Script script_;
  std::string address_;
  RawSocket listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_{0};
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<std::unique_ptr<RawSocket>> sockets_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A loopback port whose listener is full: a connection to it neither comes to
/// be nor is refused.
class FullListener {
 public:
  explicit FullListener(const std::string& address = "127.0.0.1", std::uint16_t port = 0);
  [[nodiscard]] std::string url() const;

 private:
  RawSocket listener_;
  std::uint16_t port_ = 0;
  std::vector<RawSocket> waiting_;
};

/// Threads, clock and client together, destroyed in the right order.
struct ClientFixture {
  explicit ClientFixture(HttpClientOptions options = {}, std::size_t threads = 1);

  std::future<HttpOutcome> send(HttpRequest request, Duration timeout = patience, const CancelToken& cancel = {});
  HttpOutcome exchange(HttpRequest request, Duration timeout = patience);
  HttpOutcome get(const std::string& url, Duration timeout = patience);

  std::unique_ptr<Timers> timers;
  IoThreads threads;
  std::unique_ptr<HttpTransport> client;
};

/// Waits for the result; fails the test when it does not come.
HttpOutcome wait_for(std::future<HttpOutcome>& outcome);

/// "HTTP/1.1 200 OK" with a length and a body.
std::string plain_answer(std::string_view body, std::string_view more_fields = "");

}  // namespace drover::net
