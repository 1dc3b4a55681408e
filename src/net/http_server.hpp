#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "net/http_message.hpp"
#include "net/io_threads.hpp"

namespace drover::net {

/// Answers one request, once, from any thread, now or later. Dropped without an
/// answer, it sends 500.
class Responder {
 public:
  virtual ~Responder() = default;
  virtual void send(HttpResponse response) = 0;
  /// Closes the connection without another byte (for servers that misbehave on purpose).
  virtual void drop() = 0;
  /// Sends the head and the first `bytes` of the body, then closes.
  virtual void send_partly(HttpResponse response, std::size_t bytes) = 0;
  /// Sends the answer in chunks with `pause` between them.
  virtual void send_slowly(HttpResponse response, std::size_t chunk_bytes, Duration pause) = 0;
  /// Sends the answer, then closes the connection without having announced it.
  virtual void send_and_close_silently(HttpResponse response) = 0;
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";  ///< Loopback unless the user says otherwise.
  std::uint16_t port = 0;             ///< 0: any free one.
  std::size_t max_body_bytes = 40u << 20;
  std::size_t max_connections = 20'000;
  Duration idle_timeout = std::chrono::minutes{5};
};

using HttpHandler = std::function<void(HttpRequest, std::shared_ptr<Responder>)>;

/// An HTTP/1.1 server with keep-alive. The handler runs on a thread of the pool,
/// one request of a connection at a time.
class HttpServer {
 public:
  virtual ~HttpServer() = default;
  [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
  /// Stops listening and closes every connection; no handler starts afterwards.
  virtual void stop() = 0;
};

/// Listens at once. Errors: conflict (port in use), network, invalid_argument.
Result<std::unique_ptr<HttpServer>> start_http_server(IoThreads& threads, HttpServerOptions options,
                                                      HttpHandler handler);

}  // namespace drover::net
