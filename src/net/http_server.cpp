#include "net/http_server.hpp"

#include <spdlog/spdlog.h>

#include <atomic>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "net/http_server_session.hpp"
#include "net/http_writer.hpp"

namespace drover::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

using Acceptor = asio::basic_socket_acceptor<tcp, asio::io_context::executor_type>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                                         asio::io_context::executor_type>;

/// Idleness is told in sweeps, so that no clock is read for a request.
constexpr std::uint32_t sweeps_per_idle_timeout = 4;
constexpr auto pause_without_descriptors = std::chrono::milliseconds{100};

/// The server whose handler this thread is in, and how deep.
thread_local const void* handling_server = nullptr;
thread_local std::size_t handling_depth = 0;

class ServerCore final : public SessionOwner, public std::enable_shared_from_this<ServerCore> {
 public:
  ServerCore(std::shared_ptr<IoThreads::Context> context, HttpServerOptions options, HttpHandler handler)
      : context_(std::move(context)),
        options_(std::move(options)),
        handler_(std::move(handler)),
        acceptor_(context_->io),
        sweep_timer_(context_->io),
        accept_timer_(context_->io) {}

  Status listen() {
    error_code ec;
    const auto address = asio::ip::make_address(options_.address, ec);
    if (ec) {
      return Error{Errc::invalid_argument, "The address to listen on, " + options_.address + ", is not an IP address.",
                   "give one such as 127.0.0.1 or ::1"};
    }
    const tcp::endpoint endpoint(address, options_.port);
    acceptor_.open(endpoint.protocol(), ec);
    if (!ec) acceptor_.set_option(asio::socket_base::reuse_address(true), ec);
    if (!ec) acceptor_.bind(endpoint, ec);
    if (!ec) acceptor_.listen(asio::socket_base::max_listen_connections, ec);
    if (!ec) port_ = acceptor_.local_endpoint(ec).port();
    if (!ec) return Done{};
    const std::string place = options_.address + ":" + std::to_string(options_.port);
    if (ec == asio::error::address_in_use) {
      return Error{Errc::conflict, "Another program listens on " + place + " already.", "choose another port"};
    }
    return Error{Errc::network, "Can't listen on " + place + ": " + ec.message() + ".", ""};
  }

  void start() {
    const std::lock_guard lock(mutex_);
    hook_ = context_->before_stop(StopPhase::servers, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->stop();
    });
    if (hook_ == 0) {  // the pool has stopped
      stopped_ = true;
      return;
    }
    accept();
    wait_for_sweep();
  }

  std::uint16_t port() const noexcept { return port_; }

  void stop() {
    std::unordered_map<const ServerSession*, std::shared_ptr<ServerSession>> sessions;
    std::uint64_t hook = 0;
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      sessions.swap(sessions_);
      hook = std::exchange(hook_, 0);
      error_code ignored;
      acceptor_.close(ignored);
      sweep_timer_.cancel();
      accept_timer_.cancel();
    }
    if (hook != 0) context_->forget_hook(hook);
    for (auto& [key, session] : sessions) session->close();
    std::unique_lock lock(mutex_);
    const std::size_t own = handling_server == this ? handling_depth : 0;
    handler_ended_.wait(lock, [&] { return running_ <= own; });
    if (own == 0) {
      const auto dropped = std::exchange(handler_, nullptr);
      lock.unlock();
    }
  }

  void handle(HttpRequest request, std::shared_ptr<Responder> responder) override {
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      ++running_;
    }
    const auto* const outer = std::exchange(handling_server, this);
    ++handling_depth;
    try {
      handler_(std::move(request), std::move(responder));
    } catch (const std::exception& problem) {
      spdlog::error("The handler of an HTTP server threw: {}", problem.what());
    }
    --handling_depth;
    handling_server = outer;
    const std::lock_guard lock(mutex_);
    --running_;
    if (stopped_) handler_ended_.notify_all();
  }

  void closed(const ServerSession& session) override {
    const std::lock_guard lock(mutex_);
    sessions_.erase(&session);
  }

  std::uint32_t sweep() const noexcept override { return sweep_.load(std::memory_order_relaxed); }

 private:
  void accept() {
    acceptor_.async_accept([self = shared_from_this()](const error_code& ec, TcpSocket socket) {
      self->on_accept(ec, std::move(socket));
    });
  }

  void on_accept(const error_code& ec, TcpSocket socket) {
    std::shared_ptr<ServerSession> session;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      if (ec == asio::error::no_descriptors || ec == asio::error::no_buffer_space) return accept_later(ec);
      if (!ec) session = admit(std::move(socket));
      accept();
    }
    if (session) session->start();
  }

  /// Null for a connection above the limit, which is told so and closed.
  std::shared_ptr<ServerSession> admit(TcpSocket socket) {
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    socket.non_blocking(true, ignored);
    if (sessions_.size() >= options_.max_connections) {
      const HttpResponse full{
          503, {{"Content-Type", "text/plain"}}, "This server has no room for another connection.\n"};
      const auto text = response_head(full, {full.body.size(), false, true}) + full.body;
      socket.write_some(asio::buffer(text), ignored);
      socket.shutdown(TcpSocket::shutdown_send, ignored);
      return nullptr;
    }
    ReadLimits limits;
    limits.body_bytes = options_.max_body_bytes;
    auto session = std::make_shared<ServerSession>(std::move(socket), context_, shared_from_this(), limits);
    sessions_.emplace(session.get(), session);
    return session;
  }

  void accept_later(const error_code& ec) {
    if (!std::exchange(warned_, true)) {
      spdlog::warn("The HTTP server on port {} can't take more connections: {}. Raise the limit of open files.", port_,
                   ec.message());
    }
    accept_timer_.expires_after(pause_without_descriptors);
    accept_timer_.async_wait([self = shared_from_this()](const error_code&) {
      const std::lock_guard lock(self->mutex_);
      if (!self->stopped_) self->accept();
    });
  }

  void wait_for_sweep() {
    sweep_timer_.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::max<Duration>(options_.idle_timeout / sweeps_per_idle_timeout, std::chrono::milliseconds{1})));
    sweep_timer_.async_wait([self = shared_from_this()](const error_code& ec) {
      if (!ec) self->on_sweep();
    });
  }

  void on_sweep() {
    std::vector<std::shared_ptr<ServerSession>> sessions;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      ++sweep_;
      if (sweep_ > sweeps_per_idle_timeout) {
        sessions.reserve(sessions_.size());
        for (const auto& [key, session] : sessions_) sessions.push_back(session);
      }
      wait_for_sweep();
    }
    for (const auto& session : sessions) session->close_if_idle(sweep_ - sweeps_per_idle_timeout);
  }

  std::shared_ptr<IoThreads::Context> context_;
  HttpServerOptions options_;
  HttpHandler handler_;
  std::uint16_t port_ = 0;
  std::atomic<std::uint32_t> sweep_{0};

  std::mutex mutex_;  // taken after a session's, never before
  std::condition_variable handler_ended_;
  Acceptor acceptor_;
  Timer sweep_timer_;
  Timer accept_timer_;
  bool stopped_ = false;
  bool warned_ = false;
  std::size_t running_ = 0;
  std::uint64_t hook_ = 0;
  std::unordered_map<const ServerSession*, std::shared_ptr<ServerSession>> sessions_;
};

class AsioHttpServer final : public HttpServer {
 public:
  explicit AsioHttpServer(std::shared_ptr<ServerCore> core) : core_(std::move(core)) {}
  AsioHttpServer(const AsioHttpServer&) = delete;
  AsioHttpServer& operator=(const AsioHttpServer&) = delete;
  ~AsioHttpServer() override { core_->stop(); }

  std::uint16_t port() const noexcept override { return core_->port(); }
  void stop() override { core_->stop(); }

 private:
  std::shared_ptr<ServerCore> core_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> start_http_server(IoThreads& threads, HttpServerOptions options,
                                                      HttpHandler handler) {
  auto core =
      std::make_shared<ServerCore>(threads.context().shared_from_this(), std::move(options), std::move(handler));
  if (auto listening = core->listen(); !listening) return listening.error();
  core->start();
  return std::unique_ptr<HttpServer>(std::make_unique<AsioHttpServer>(std::move(core)));
}

}  // namespace drover::net
