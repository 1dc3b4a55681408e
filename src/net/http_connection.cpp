#include "net/http_connection.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

namespace drover::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// Larger than most answers, so that one read takes one.
constexpr std::size_t read_size = 16u << 10;

Error connect_error(const std::string& place, const error_code& ec) {
  if (ec == asio::error::connection_refused) {
    return {Errc::network, place + " refused the connection.", "check that the service runs there"};
  }
  return {Errc::network, "No connection to " + place + " could be made: " + ec.message() + ".",
          "check the address and the network"};
}

}  // namespace

void HttpExchange::set_connection(std::shared_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  connection_.swap(connection);
}

std::shared_ptr<HttpConnection> HttpExchange::take_connection() {
  const std::lock_guard lock(mutex_);
  return std::exchange(connection_, nullptr);
}

HttpConnection::HttpConnection(std::shared_ptr<IoThreads::Context> context, std::shared_ptr<ConnectionOwner> owner,
                               std::shared_ptr<const Url> origin, ReadLimits limits)
    : context_(std::move(context)),
      owner_(std::move(owner)),
      origin_(std::move(origin)),
      socket_(context_->io),
      reader_(limits),
      buffer_(new char[read_size]) {}

/// False when the exchange has ended meanwhile: whoever ended it saw either this
/// connection in it or is seen here.
bool HttpConnection::attach(const std::shared_ptr<HttpExchange>& exchange) {
  exchange_ = exchange;
  exchange->set_connection(shared_from_this());
  if (!exchange->ended) return true;
  detach();
  return false;
}

std::shared_ptr<HttpExchange> HttpConnection::detach() {
  if (exchange_) exchange_->set_connection(nullptr);
  return std::exchange(exchange_, nullptr);
}

void HttpConnection::open(const std::shared_ptr<HttpExchange>& exchange, bool elsewhere) {
  Result<std::shared_ptr<const TlsContext>> context = std::shared_ptr<const TlsContext>();
  // Before the lock: reading the certificates takes long the first time, and a cancellation must not wait for it.
  if (origin_->https) context = owner_->tls();
  Lock lock(mutex_);
  if (!attach(exchange)) return close_locked();
  if (!context) return fail(lock, context.error(), elsewhere);
  if (*context) tls_ = std::make_unique<TlsSession>(*context, origin_->host);
  const tcp::endpoint endpoint(exchange->plan.next(), origin_->port);
  error_code problem;
  if (socket_.open(endpoint.protocol(), problem)) {
    return give_up_address(lock, connect_error(origin_->place(), problem), elsewhere);
  }
  socket_.async_connect(endpoint, [self = shared_from_this()](const error_code& ec) { self->on_connect(ec); });
  if (const auto share = exchange->plan.share(owner_->now())) {
    share_timer_.emplace(context_->io);
    share_timer_->expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(*share));
    share_timer_->async_wait([weak = weak_from_this()](const error_code& ec) {
      if (ec) return;
      if (const auto self = weak.lock()) self->on_share_used_up();
    });
  }
}

void HttpConnection::give_up_address(Lock& lock, Error error, bool elsewhere) {
  if (!exchange_->plan.has_next()) return fail(lock, std::move(error), elsewhere);
  const auto exchange = detach();
  close_locked();
  lock.unlock();
  owner_->connect_next(exchange, elsewhere);
}

void HttpConnection::on_share_used_up() {
  Lock lock(mutex_);
  if (state_ != State::connecting && state_ != State::handshaking) return;
  give_up_address(lock, Error{Errc::timeout, "No connection to " + origin_->place() + " was made in time.", ""});
}

void HttpConnection::on_connect(const error_code& ec) {
  Lock lock(mutex_);
  if (state_ != State::connecting) return;
  error_code problem = ec;
  if (!problem) socket_.set_option(tcp::no_delay(true), problem);
  if (!problem) socket_.non_blocking(true, problem);
  if (problem) return give_up_address(lock, connect_error(origin_->place(), problem));
  if (tls_) return start_tls(lock);
  start_request();
  read();
}

void HttpConnection::start_tls(Lock& lock) {
  state_ = State::handshaking;
  tls_->start();
  if (tls_->state() == TlsSession::State::failed) return fail(lock, tls_->error(origin_->place()));
  flush_tls();
  read();
}

bool HttpConnection::carry(const std::shared_ptr<HttpExchange>& exchange) {
  const Lock lock(mutex_);
  if (state_ != State::idle) return false;
  if (attach(exchange)) {
    exchange->timing.reused = true;
    start_request();
  } else if (!owner_->release(shared_from_this())) {
    close_locked();
  }
  return true;
}

void HttpConnection::start_request() {
  state_ = State::carrying;
  request_complete_ = false;
  exchange_->timing.sent = true;
  if (!exchange_->timing.reused) {
    share_timer_.reset();
    exchange_->timing.connect = owner_->now() - exchange_->connect_started;
    owner_->connected(exchange_);
  }
  reader_.begin(exchange_->head_request);
  write_request();
}

void HttpConnection::write_request() {
  if (tls_) {
    tls_->send(exchange_->head);
    tls_->send(exchange_->body);
    return flush_tls();
  }
  error_code ec;
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(exchange_->head), asio::buffer(exchange_->body)};
  auto written = socket_.write_some(buffers, ec);
  if (ec == asio::error::would_block) {
    written = 0;
  } else if (ec) {
    write_failed_ = true;  // the pending read tells what became of the connection
    return;
  }
  if (written < exchange_->head.size() + exchange_->body.size()) return write_rest(exchange_, written);
  request_written();
}

void HttpConnection::write_rest(std::shared_ptr<HttpExchange> exchange, std::size_t written) {
  const auto of_head = std::min(written, exchange->head.size());
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(exchange->head) + of_head,
                                                     asio::buffer(exchange->body) + (written - of_head)};
  writing_ = true;
  // The handler keeps the exchange: its texts are being read from until then.
  socket_.async_write_some(buffers, [self = shared_from_this(), kept = std::move(exchange), written](
                                        const error_code& ec, std::size_t size) {
    const Lock lock(self->mutex_);
    self->writing_ = false;
    if (self->state_ != State::carrying || self->exchange_ != kept) return;
    if (ec) {
      self->write_failed_ = true;
      return;
    }
    if (written + size < kept->head.size() + kept->body.size()) return self->write_rest(kept, written + size);
    self->request_written();
  });
}

void HttpConnection::flush_tls() {
  if (writing_) return;
  cipher_.clear();
  cipher_.swap(tls_->output());
  error_code ec;
  cipher_sent_ = cipher_.empty() ? 0 : socket_.write_some(asio::buffer(cipher_), ec);
  if (ec == asio::error::would_block) {
    cipher_sent_ = 0;
  } else if (ec) {
    write_failed_ = true;
    return;
  }
  if (cipher_sent_ < cipher_.size()) return write_tls_rest();
  if (state_ == State::carrying && !request_complete_) request_written();
}

void HttpConnection::write_tls_rest() {
  writing_ = true;
  socket_.async_write_some(asio::buffer(cipher_) + cipher_sent_,
                           [self = shared_from_this()](const error_code& ec, std::size_t size) {
                             const Lock lock(self->mutex_);
                             self->writing_ = false;
                             if (self->state_ == State::closed) return;
                             if (ec) {
                               self->write_failed_ = true;
                               return;
                             }
                             self->cipher_sent_ += size;
                             if (self->cipher_sent_ < self->cipher_.size()) return self->write_tls_rest();
                             self->flush_tls();
                           });
}

void HttpConnection::request_written() {
  request_complete_ = true;
  exchange_->request_sent = owner_->now();
}

void HttpConnection::read() {
  socket_.async_read_some(
      asio::buffer(buffer_.get(), read_size),
      [self = shared_from_this()](const error_code& ec, std::size_t size) { self->on_read(ec, size); });
}

void HttpConnection::on_read(const error_code& ec, std::size_t size) {
  Lock lock(mutex_);
  if (state_ == State::closed) return;
  if (ec) return on_end(lock, ec);
  const std::string_view bytes(buffer_.get(), size);
  if (!tls_) return on_bytes(lock, bytes, false);
  plain_.clear();
  const auto tls_state = tls_->receive(bytes, plain_);
  if (state_ == State::handshaking && tls_state == TlsSession::State::open) {
    start_request();
  } else {
    flush_tls();
  }
  if (tls_state == TlsSession::State::failed) {
    if (state_ == State::handshaking) return fail(lock, tls_->error(origin_->place()));
    return on_end(lock, asio::error::connection_reset);
  }
  const bool last = tls_state == TlsSession::State::closed;
  if (!plain_.empty()) return on_bytes(lock, plain_, last);
  if (last) return on_end(lock, asio::error::eof);
  read();
}

void HttpConnection::on_bytes(Lock& lock, std::string_view bytes, bool last) {
  if (state_ != State::carrying) return close_locked();  // nobody asked for anything
  if (!reader_.started() && request_complete_) {
    exchange_->timing.first_byte = owner_->now() - exchange_->request_sent;
  }
  switch (reader_.feed(bytes)) {
    case ReadProgress::incomplete:
      return last ? on_end(lock, asio::error::eof) : read();
    case ReadProgress::complete:
      return complete(lock,
                      !last && reader_.keep_alive() && reader_.excess() == 0 && request_complete_ && !write_failed_);
    case ReadProgress::failed:
      return fail(
          lock,
          Error{Errc::malformed, "The answer of " + origin_->place() + " can't be taken: " + reader_.problem() + ".",
                reader_.failure() == ReadFailure::malformed ? "check that the service speaks HTTP there" : ""});
  }
}

void HttpConnection::on_end(Lock& lock, const error_code& ec) {
  const bool at_end = ec == asio::error::eof;
  switch (state_) {
    case State::idle:
    case State::closed:
    case State::connecting:
      return close_locked();
    case State::carrying:
    case State::handshaking:
      break;
  }
  const std::string how = at_end ? " closed the connection " : " broke the connection (" + ec.message() + ") ";
  // No word of TLS was said against the handshake: whatever stands in between does this, too, and only for a while.
  if (state_ == State::handshaking) {
    return give_up_address(lock,
                           Error{Errc::network, origin_->place() + how + "during the TLS handshake.",
                                 "when it stays so, check that the service speaks TLS 1.2 or newer on this port"});
  }
  // Over TLS only the peer's own goodbye ends an answer: anybody can close the connection below.
  const bool may_end = at_end && (!tls_ || tls_->state() == TlsSession::State::closed);
  if (may_end && reader_.started() && reader_.end_of_stream() == ReadProgress::complete) return complete(lock, false);
  if (exchange_->timing.reused && !reader_.started()) {
    exchange_->timing.reused = false;
    exchange_->timing.resent = true;
    auto exchange = detach();
    close_locked();
    lock.unlock();
    return owner_->resend(std::move(exchange));
  }
  fail(
      lock,
      Error{Errc::network,
            origin_->place() + how + (reader_.started() ? "in the middle of its answer." : "before it answered."), ""});
}

void HttpConnection::complete(Lock& lock, bool reusable) {
  auto response = reader_.take();
  const auto exchange = detach();
  const bool ours = exchange->claim();
  if (reusable) {
    state_ = State::idle;
    read();
    if (!owner_->release(shared_from_this())) close_locked();
  } else {
    close_locked();
  }
  lock.unlock();
  if (ours) owner_->finish(exchange, std::move(response), false);
}

void HttpConnection::fail(Lock& lock, Error error, bool elsewhere) {
  const auto exchange = detach();
  close_locked();
  lock.unlock();
  if (exchange && exchange->claim()) owner_->finish(exchange, std::move(error), elsewhere);
}

void HttpConnection::abandon(const HttpExchange& exchange) {
  std::shared_ptr<HttpExchange> dropped;  // destroyed outside the lock
  const Lock lock(mutex_);
  if (exchange_.get() != &exchange) return;
  dropped = detach();
  close_locked();
}

void HttpConnection::close() {
  const Lock lock(mutex_);
  close_locked();
}

void HttpConnection::close_locked() {
  if (state_ == State::closed) return;
  const bool was_idle = std::exchange(state_, State::closed) == State::idle;
  share_timer_.reset();
  error_code ignored;
  socket_.close(ignored);
  if (was_idle) owner_->forget(*this);
}

}  // namespace drover::net
