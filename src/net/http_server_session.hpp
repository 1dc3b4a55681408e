#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.hpp"
#include "net/http_reader.hpp"
#include "net/http_server.hpp"
#include "net/io_threads_access.hpp"

namespace drover::net {

using TcpSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class ServerSession;

/// What a session needs of its server. Called without the session's lock, except closed().
class SessionOwner {
 public:
  virtual ~SessionOwner() = default;
  /// Runs the handler, on a thread of the pool; does nothing once the server has stopped.
  virtual void handle(HttpRequest request, std::shared_ptr<Responder> responder) = 0;
  virtual void closed(const ServerSession& session) = 0;
  /// Counts up while the server lives: the measure of idleness.
  [[nodiscard]] virtual std::uint32_t sweep() const noexcept = 0;
};

/// How an answer is to be sent.
struct AnswerManner {
  enum class Kind : std::uint8_t { whole, partly, slowly, silently_closed } kind = Kind::whole;
  std::size_t bytes = 0;  ///< partly: of the body; slowly: per chunk.
  Duration pause{};       ///< slowly: between chunks.
};

/// One connection of the server. A read is always pending while a request is
/// handled, so that a client that goes is noticed. Answers are written by the
/// thread that gives them; the lock orders it against the pool's threads.
class ServerSession : public std::enable_shared_from_this<ServerSession> {
 public:
  ServerSession(TcpSocket socket, std::shared_ptr<IoThreads::Context> context, std::shared_ptr<SessionOwner> owner,
                ReadLimits limits);

  void start();
  /// Answers request `number`; does nothing when that was answered or the connection is gone.
  void answer(std::uint64_t number, HttpResponse response, AnswerManner manner);
  void drop(std::uint64_t number);
  void close();
  /// Closes when it has waited for its client since before `oldest`.
  void close_if_idle(std::uint32_t oldest);

 private:
  enum class State : std::uint8_t { reading, handling, writing, draining, closed };
  using Lock = std::unique_lock<std::mutex>;
  using Timer =
      boost::asio::basic_waitable_timer<std::chrono::steady_clock, boost::asio::wait_traits<std::chrono::steady_clock>,
                                        boost::asio::io_context::executor_type>;

  void read();
  void on_read(const boost::system::error_code& ec, std::size_t size);
  /// Reads on with what came; unlocks for the handler.
  void take_in(Lock& lock, std::string_view bytes);
  void refuse(Lock& lock);
  void begin_answer(Lock& lock, HttpResponse response, AnswerManner manner);
  void write(Lock& lock);
  void write_rest(std::size_t written);
  void on_written(Lock& lock);
  void next_chunk(Lock& lock);
  void close_locked();

  std::shared_ptr<IoThreads::Context> context_;  // first: the socket and the timer need it to the end
  std::mutex mutex_;
  TcpSocket socket_;
  std::shared_ptr<SessionOwner> owner_;
  HttpReader<HttpRequest> reader_;
  std::unique_ptr<char[]> buffer_;
  State state_ = State::reading;
  bool read_pending_ = false;
  std::uint32_t waiting_since_ = 0;
  std::size_t drained_ = 0;
  std::string early_;         // came while a request was being handled
  std::uint64_t number_ = 0;  // of the request in hand
  bool keep_alive_ = true;
  bool head_request_ = false;
  bool sent_continue_ = false;
  std::string head_;
  std::string body_;
  std::string_view outgoing_body_;
  bool close_after_ = false;
  bool drain_after_ = false;
  AnswerManner manner_;
  std::size_t chunk_start_ = 0;
  bool last_chunk_sent_ = false;
  std::optional<Timer> pause_;
};

}  // namespace drover::net
