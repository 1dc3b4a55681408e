#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "net/http_message.hpp"
#include "net/io_threads.hpp"

namespace drover::net {

/// What one exchange cost, for latency by phase.
struct HttpTiming {
  bool sent = true;       ///< At least in part; not where no connection came about.
  bool reused = false;    ///< Went over a kept-alive connection.
  bool resent = false;    ///< Sent once more because the reused connection had died.
  Duration connect{};     ///< Name, TCP and TLS; zero on a reused connection.
  Duration first_byte{};  ///< From the request's last byte to the answer's first; zero when that came earlier.
  Duration total{};
};

struct HttpOutcome {
  Result<HttpResponse> response = Error{};
  HttpTiming timing;
};

struct HttpClientOptions {
  std::size_t max_idle_per_host = 256;
  Duration idle_timeout = std::chrono::seconds{60};     ///< How long an idle connection is kept.
  Duration connect_timeout = std::chrono::seconds{10};  ///< Name, TCP and TLS, over all addresses of the host.
  std::size_t max_response_bytes = 32u << 20;
  std::string ca_file;  ///< Additional trusted certificates (PEM); empty: the system's.
  std::string user_agent = "drover";
  /// Gives the addresses of a host, in figures, in the place of the system's resolver.
  /// May block; called from threads of its own, for one name at a time.
  std::function<Result<std::vector<std::string>>(const std::string& host)> resolve;
};

/// Sends HTTP requests and answers by callback: the seam that model clients are
/// tested through. Thread-safe. Every request ends in exactly one callback, on a
/// thread of the pool, also when it is cancelled or the client goes.
class HttpTransport {
 public:
  virtual ~HttpTransport() = default;

  /// `timeout` bounds the whole exchange. On cancellation the socket is closed
  /// at once and the callback gets Errc::cancelled.
  virtual void send(HttpRequest request, Duration timeout, CancelToken cancel,
                    std::function<void(HttpOutcome)> done) = 0;
};

/// HTTP/1.1 over Boost.Beast with kept-alive connections per origin. `https` is
/// verified against the host's name with no way to turn that off. A request
/// that dies on a reused connection before any byte of an answer came is sent
/// once more on a fresh one. The addresses of a host are tried one after the other,
/// the one that worked last before the rest, each for its share of connect_timeout.
/// Redirects are not followed. Content-Length and
/// chunked bodies up to max_response_bytes; bodies are taken as sent (no
/// compression is asked for). Errors: network (refused, reset, name unknown;
/// also during the TLS handshake), tls (certificate, alert, protocol), timeout, cancelled, malformed (not HTTP, too
/// large), invalid_argument (URL).
std::unique_ptr<HttpTransport> make_http_client(IoThreads& threads, const Timers& clock,
                                                HttpClientOptions options = {});

}  // namespace drover::net
