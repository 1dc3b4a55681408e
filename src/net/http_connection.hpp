#pragma once

#include <atomic>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "net/connect_plan.hpp"
#include "net/http_client.hpp"
#include "net/http_message.hpp"
#include "net/http_reader.hpp"
#include "net/io_threads_access.hpp"
#include "net/tls_session.hpp"
#include "net/url.hpp"

namespace drover::net {

class HttpConnection;

/// One request from send() to its callback. Whoever sets `ended` first, an
/// answer, a deadline or a cancellation, owns the callback.
struct HttpExchange {
  std::shared_ptr<const Url> url;
  std::string head;
  std::string body;
  bool head_request = false;
  std::function<void(HttpOutcome)> done;
  Duration timeout{};
  TimePoint started;
  TimePoint connect_started;
  ConnectPlan plan;
  TimePoint request_sent;
  HttpTiming timing;
  std::optional<CancelToken> cancel;  ///< Kept, or a token that nobody else holds could not be cancelled.
  CancelToken::Registration registration;
  std::atomic<bool> ended{false};
  std::atomic<bool> connecting{false};
  bool listed = false;  ///< With its deadline in the client; both belong to the client's lock.
  std::multimap<TimePoint, std::shared_ptr<HttpExchange>>::iterator deadline;

  [[nodiscard]] bool claim() noexcept { return !ended.exchange(true); }

  /// The connection that carries it now, for whoever ends it from outside.
  void set_connection(std::shared_ptr<HttpConnection> connection);
  [[nodiscard]] std::shared_ptr<HttpConnection> take_connection();

 private:
  std::mutex mutex_;
  std::shared_ptr<HttpConnection> connection_;
};

/// The timer of one connection or client.
using HttpTimer =
    boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                      boost::asio::io_context::executor_type>;

/// What a connection tells the client it belongs to. connected(), release(),
/// forget() and now() are called under the connection's lock and call nothing back.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  /// The current address of the exchange's plan works, TLS included.
  virtual void connected(const std::shared_ptr<HttpExchange>& exchange) = 0;
  /// Takes an idle connection for later; false when there is no room for it.
  virtual bool release(std::shared_ptr<HttpConnection> connection) = 0;
  /// An idle connection is closed.
  virtual void forget(const HttpConnection& connection) = 0;
  /// A claimed exchange has its result. On a thread of the pool unless `elsewhere`.
  virtual void finish(const std::shared_ptr<HttpExchange>& exchange, Result<HttpResponse> result, bool elsewhere) = 0;
  /// The current address of its plan came to nothing, and there is another.
  virtual void connect_next(const std::shared_ptr<HttpExchange>& exchange, bool elsewhere) = 0;
  /// Its reused connection died before any byte of an answer.
  virtual void resend(std::shared_ptr<HttpExchange> exchange) = 0;
  [[nodiscard]] virtual TimePoint now() const = 0;
  /// May read files; called without the connection's lock.
  [[nodiscard]] virtual Result<std::shared_ptr<const TlsContext>> tls() = 0;
};

/// One connection to an origin, carrying one exchange at a time. The request is
/// written by the thread that sends it; a read is always pending, so that the
/// end of an idle connection is noticed when it happens.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::shared_ptr<IoThreads::Context> context, std::shared_ptr<ConnectionOwner> owner,
                 std::shared_ptr<const Url> origin, ReadLimits limits);

  /// Connects to the next address of the exchange's plan, then carries the exchange.
  /// Once, on a new connection. `elsewhere`: not called on a thread of the pool.
  void open(const std::shared_ptr<HttpExchange>& exchange, bool elsewhere);
  /// Carries another exchange; false when the connection is closed.
  bool carry(const std::shared_ptr<HttpExchange>& exchange);
  /// Closes at once if it carries that exchange.
  void abandon(const HttpExchange& exchange);
  void close();

  [[nodiscard]] const Url& origin() const noexcept { return *origin_; }
  /// When it became idle. Belongs to the owner and its lock.
  TimePoint idle_since;

 private:
  enum class State : std::uint8_t { connecting, handshaking, carrying, idle, closed };
  using Lock = std::unique_lock<std::mutex>;
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

  bool attach(const std::shared_ptr<HttpExchange>& exchange);
  std::shared_ptr<HttpExchange> detach();
  /// This address came to nothing: the next one, or the end of the exchange.
  void give_up_address(Lock& lock, Error error, bool elsewhere = false);
  void on_share_used_up();
  void on_connect(const boost::system::error_code& ec);
  void start_tls(Lock& lock);
  void start_request();
  void read();
  void on_read(const boost::system::error_code& ec, std::size_t size);
  /// `last`: the peer has said goodbye behind them.
  void on_bytes(Lock& lock, std::string_view bytes, bool last);
  void on_end(Lock& lock, const boost::system::error_code& ec);
  void complete(Lock& lock, bool reusable);
  void fail(Lock& lock, Error error, bool elsewhere = false);
  void write_request();
  void write_rest(std::shared_ptr<HttpExchange> exchange, std::size_t written);
  void flush_tls();
  void write_tls_rest();
  void request_written();
  void close_locked();

  std::shared_ptr<IoThreads::Context> context_;  // first: the socket needs it to the end
  std::shared_ptr<ConnectionOwner> owner_;
  std::shared_ptr<const Url> origin_;
  std::mutex mutex_;
  Socket socket_;
  State state_ = State::connecting;
  std::shared_ptr<HttpExchange> exchange_;
  HttpReader<HttpResponse> reader_;
  std::unique_ptr<char[]> buffer_;
  std::optional<HttpTimer> share_timer_;  // while other addresses are left
  bool request_complete_ = false;         // all of it was handed to the system
  bool writing_ = false;                  // an asynchronous write is pending
  bool write_failed_ = false;
  std::unique_ptr<TlsSession> tls_;
  std::string cipher_;  // being written
  std::size_t cipher_sent_ = 0;
  std::string plain_;
};

}  // namespace drover::net
