#include "net/http_server_session.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <charconv>
#include <utility>

#include "net/http_writer.hpp"

namespace drover::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t read_size = 16u << 10;
constexpr std::size_t most_early_bytes = 64u << 10;
/// Read and thrown away after an early refusal, so that the client sees the answer and not a reset.
constexpr std::size_t most_drained_bytes = 64u << 20;

/// The caller's hold on one request.
class SessionResponder final : public Responder {
 public:
  SessionResponder(std::shared_ptr<ServerSession> session, std::uint64_t number)
      : session_(std::move(session)), number_(number) {}
  SessionResponder(const SessionResponder&) = delete;
  SessionResponder& operator=(const SessionResponder&) = delete;
  ~SessionResponder() override {
    session_->answer(number_, {500, {{"Content-Type", "text/plain"}}, "The request was not answered.\n"}, {});
  }

  void send(HttpResponse response) override { session_->answer(number_, std::move(response), {}); }
  void drop() override { session_->drop(number_); }
  void send_partly(HttpResponse response, std::size_t bytes) override {
    session_->answer(number_, std::move(response), {AnswerManner::Kind::partly, bytes, {}});
  }
  void send_slowly(HttpResponse response, std::size_t chunk_bytes, Duration pause) override {
    session_->answer(number_, std::move(response),
                     {AnswerManner::Kind::slowly, std::max<std::size_t>(chunk_bytes, 1), pause});
  }
  void send_and_close_silently(HttpResponse response) override {
    session_->answer(number_, std::move(response), {AnswerManner::Kind::silently_closed, 0, {}});
  }

 private:
  std::shared_ptr<ServerSession> session_;
  std::uint64_t number_;
};

HttpResponse refusal(int status, const std::string& text) {
  return {status, {{"Content-Type", "text/plain"}}, text + "\n"};
}

bool has_body(int status) noexcept { return status / 100 != 1 && status != 204 && status != 304; }

}  // namespace

ServerSession::ServerSession(TcpSocket socket, std::shared_ptr<IoThreads::Context> context,
                             std::shared_ptr<SessionOwner> owner, ReadLimits limits)
    : context_(std::move(context)),
      socket_(std::move(socket)),
      owner_(std::move(owner)),
      reader_(limits),
      buffer_(new char[read_size]) {}

void ServerSession::start() {
  const Lock lock(mutex_);
  if (state_ == State::closed) return;
  waiting_since_ = owner_->sweep();
  read();
}

void ServerSession::read() {
  if (read_pending_) return;
  read_pending_ = true;
  socket_.async_read_some(
      asio::buffer(buffer_.get(), read_size),
      [self = shared_from_this()](const error_code& ec, std::size_t size) { self->on_read(ec, size); });
}

void ServerSession::on_read(const error_code& ec, std::size_t size) {
  Lock lock(mutex_);
  read_pending_ = false;
  if (state_ == State::closed) return;
  if (ec) return close_locked();
  const std::string_view bytes(buffer_.get(), size);
  switch (state_) {
    case State::reading:
      if (early_.empty()) return take_in(lock, bytes);
      early_.append(bytes);  // what came before is about to be taken in
      return;
    case State::handling:
    case State::writing:
      early_.append(bytes);
      if (early_.size() < most_early_bytes) read();
      return;
    case State::draining:
      drained_ += size;
      if (drained_ > most_drained_bytes) return close_locked();
      return read();
    case State::closed:
      return;
  }
}

void ServerSession::take_in(Lock& lock, std::string_view bytes) {
  if (!reader_.started()) waiting_since_ = owner_->sweep();
  switch (reader_.feed(bytes)) {
    case ReadProgress::failed:
      return refuse(lock);
    case ReadProgress::incomplete:
      if (!sent_continue_ && reader_.expects_continue()) {
        sent_continue_ = true;
        constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        error_code ignored;  // a client that does not get it sends the body after a while
        socket_.write_some(asio::buffer(go_on), ignored);
      }
      return read();
    case ReadProgress::complete:
      break;
  }
  state_ = State::handling;
  keep_alive_ = reader_.keep_alive();
  auto request = reader_.take();
  head_request_ = request.method == "HEAD";
  auto responder = std::make_shared<SessionResponder>(shared_from_this(), ++number_);
  read();
  lock.unlock();
  owner_->handle(std::move(request), std::move(responder));
}

void ServerSession::refuse(Lock& lock) {
  keep_alive_ = false;
  head_request_ = false;
  drain_after_ = true;
  ++number_;
  switch (reader_.failure()) {
    case ReadFailure::body_too_large:
      return begin_answer(lock, refusal(413, "The request's body is larger than this server takes."), {});
    case ReadFailure::head_too_large:
      return begin_answer(lock, refusal(431, "The request's head is larger than this server takes."), {});
    default:
      return begin_answer(lock, refusal(400, "The request is not HTTP: " + reader_.problem() + "."), {});
  }
}

void ServerSession::answer(std::uint64_t number, HttpResponse response, AnswerManner manner) {
  Lock lock(mutex_);
  if (state_ != State::handling || number != number_) return;
  begin_answer(lock, std::move(response), manner);
}

void ServerSession::begin_answer(Lock& lock, HttpResponse response, AnswerManner manner) {
  state_ = State::writing;
  waiting_since_ = owner_->sweep();
  manner_ = manner;
  close_after_ = !keep_alive_;
  const bool silent = manner.kind == AnswerManner::Kind::partly || manner.kind == AnswerManner::Kind::silently_closed;
  ResponseFraming framing;
  framing.close = !keep_alive_ && !silent;
  const bool bodiless = head_request_ || !has_body(response.status);
  if (manner.kind == AnswerManner::Kind::slowly && !bodiless) {
    framing.chunked = true;
  } else {
    manner_.kind = silent ? manner.kind : AnswerManner::Kind::whole;
    if (has_body(response.status)) framing.length = response.body.size();
  }
  head_ = response_head(response, framing);
  body_ = std::move(response.body);
  outgoing_body_ = body_;
  if (bodiless) outgoing_body_ = {};
  if (silent) close_after_ = true;
  if (manner.kind == AnswerManner::Kind::partly) {
    outgoing_body_ = outgoing_body_.substr(0, std::min(manner.bytes, outgoing_body_.size()));
  }
  if (framing.chunked) {
    outgoing_body_ = {};
    chunk_start_ = 0;
    last_chunk_sent_ = false;
  }
  write(lock);
}

void ServerSession::write(Lock& lock) {
  error_code ec;
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(head_),
                                                     asio::buffer(outgoing_body_.data(), outgoing_body_.size())};
  auto written = socket_.write_some(buffers, ec);
  if (ec == asio::error::would_block) {
    written = 0;
  } else if (ec) {
    return close_locked();
  }
  if (written < head_.size() + outgoing_body_.size()) return write_rest(written);
  on_written(lock);
}

void ServerSession::write_rest(std::size_t written) {
  const auto of_head = std::min(written, head_.size());
  const std::array<asio::const_buffer, 2> buffers = {
      asio::buffer(head_) + of_head, asio::buffer(outgoing_body_.data(), outgoing_body_.size()) + (written - of_head)};
  socket_.async_write_some(buffers, [self = shared_from_this(), written](const error_code& ec, std::size_t size) {
    Lock lock(self->mutex_);
    if (self->state_ != State::writing) return;
    if (ec) return self->close_locked();
    const auto total = written + size;
    if (total < self->head_.size() + self->outgoing_body_.size()) return self->write_rest(total);
    self->on_written(lock);
  });
}

void ServerSession::on_written(Lock& lock) {
  if (manner_.kind == AnswerManner::Kind::slowly && !last_chunk_sent_) {
    if (!pause_) pause_.emplace(context_->io);
    pause_->expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(manner_.pause));
    pause_->async_wait([self = shared_from_this()](const error_code&) {
      Lock chunk_lock(self->mutex_);
      if (self->state_ == State::writing) self->next_chunk(chunk_lock);
    });
    return;
  }
  body_.clear();
  if (close_after_) {
    error_code ignored;
    socket_.shutdown(TcpSocket::shutdown_send, ignored);
    if (!drain_after_) return close_locked();
    state_ = State::draining;
    return read();
  }
  state_ = State::reading;
  sent_continue_ = false;
  waiting_since_ = owner_->sweep();
  reader_.begin();
  if (early_.empty() && reader_.excess() == 0) return read();
  // The answer may have come from a thread that is none of the pool's.
  lock.unlock();
  context_->post([self = shared_from_this()] {
    Lock next_lock(self->mutex_);
    if (self->state_ != State::reading) return;
    const std::string bytes = std::exchange(self->early_, {});
    self->take_in(next_lock, bytes);
  });
}

void ServerSession::next_chunk(Lock& lock) {
  waiting_since_ = owner_->sweep();
  const auto size = std::min(manner_.bytes, body_.size() - chunk_start_);
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16).ptr;
  head_.assign(digits.data(), end).append("\r\n").append(body_, chunk_start_, size).append("\r\n");
  chunk_start_ += size;
  last_chunk_sent_ = size == 0;
  write(lock);
}

void ServerSession::drop(std::uint64_t number) {
  const Lock lock(mutex_);
  if (state_ == State::handling && number == number_) close_locked();
}

void ServerSession::close() {
  const Lock lock(mutex_);
  close_locked();
}

void ServerSession::close_if_idle(std::uint32_t oldest) {
  const Lock lock(mutex_);
  if (state_ != State::handling && waiting_since_ < oldest) close_locked();
}

void ServerSession::close_locked() {
  if (state_ == State::closed) return;
  state_ = State::closed;
  error_code ignored;
  socket_.close(ignored);
  if (pause_) pause_->cancel();
  owner_->closed(*this);
}

}  // namespace drover::net
