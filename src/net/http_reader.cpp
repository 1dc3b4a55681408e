#include "net/http_reader.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <boost/beast/http/status.hpp>
#include <optional>
#include <type_traits>
#include <utility>

namespace drover::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

constexpr int most_interim_answers = 16;
constexpr std::size_t most_reserved_at_once = 1u << 20;
constexpr std::size_t usual_fields = 12;

std::string text_of(string_view text) { return {text.data(), text.size()}; }

/// Beast's parser, writing straight into our message.
template <class Message>
class Core final : public http::basic_parser<std::is_same_v<Message, HttpRequest>> {
 public:
  explicit Core(const ReadLimits& limits, bool bodiless) {
    this->header_limit(static_cast<std::uint32_t>(limits.head_bytes));
    this->body_limit(limits.body_bytes);
    this->eager(true);
    if (bodiless) this->skip(true);
    message.headers.reserve(usual_fields);
  }

  Message message;
  bool expects_continue = false;

 private:
  void on_request_impl(http::verb, string_view method, string_view target, int, error_code&) override {
    if constexpr (std::is_same_v<Message, HttpRequest>) {
      message.method = text_of(method);
      message.target = text_of(target);
    }
  }
  void on_response_impl(int code, string_view, int, error_code&) override {
    if constexpr (std::is_same_v<Message, HttpResponse>) message.status = code;
  }
  void on_field_impl(http::field name, string_view text, string_view value, error_code&) override {
    if (name == http::field::expect && boost::beast::iequals(value, "100-continue")) expects_continue = true;
    message.headers.add({text.data(), text.size()}, text_of(value));
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    if (length) message.body.reserve(std::min<std::uint64_t>(*length, most_reserved_at_once));
  }
  std::size_t on_body_impl(string_view body, error_code&) override {
    message.body.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override {
    message.body.append(body.data(), body.size());
    return body.size();
  }
  void on_finish_impl(error_code&) override {}
};

}  // namespace

template <class Message>
struct HttpReader<Message>::Parser {
  std::optional<Core<Message>> core;
};

template <class Message>
HttpReader<Message>::HttpReader(ReadLimits limits) : limits_(limits), parser_(std::make_unique<Parser>()) {
  begin();
}

template <class Message>
HttpReader<Message>::~HttpReader() = default;

template <class Message>
void HttpReader<Message>::begin(bool bodiless) {
  bodiless_ = bodiless;
  started_ = false;
  interim_answers_ = 0;
  failure_ = ReadFailure::none;
  problem_.clear();
  parser_->core.emplace(limits_, bodiless);
}

template <class Message>
ReadProgress HttpReader<Message>::feed(std::string_view bytes) {
  if (failure_ != ReadFailure::none) return ReadProgress::failed;
  const bool from_kept = !kept_.empty();
  if (from_kept) kept_.append(bytes);
  std::string_view input = from_kept ? std::string_view(kept_) : bytes;
  if constexpr (std::is_same_v<Message, HttpRequest>) {
    // RFC 9112 2.2: empty lines before a request are ignored.
    while (!started_ && (input.starts_with('\r') || input.starts_with('\n'))) input.remove_prefix(1);
  }
  auto progress = ReadProgress::incomplete;
  while (!input.empty()) {
    started_ = true;
    error_code ec;
    const auto used = parser_->core->put(boost::asio::const_buffer(input.data(), input.size()), ec);
    input.remove_prefix(used);
    if (ec == http::error::need_more) break;
    if (ec == http::error::header_limit) return fail(ReadFailure::head_too_large, "its head is too large");
    if (ec == http::error::body_limit) return fail(ReadFailure::body_too_large, "its body is too large");
    if (ec) return fail(ReadFailure::malformed, ec.message());
    if (!parser_->core->is_done()) {
      if (used == 0) break;
      continue;
    }
    if constexpr (std::is_same_v<Message, HttpResponse>) {
      if (parser_->core->message.status / 100 == 1) {
        if (parser_->core->message.status == 101 || ++interim_answers_ > most_interim_answers) {
          return fail(ReadFailure::malformed, "unexpected interim answer");
        }
        parser_->core.emplace(limits_, bodiless_);
        continue;
      }
    }
    progress = ReadProgress::complete;
    break;
  }
  // A chunk's header has no limit of its own in the parser.
  if (progress == ReadProgress::incomplete && input.size() > limits_.head_bytes) {
    return fail(ReadFailure::head_too_large, "its head is too large");
  }
  if (from_kept) {
    kept_.erase(0, kept_.size() - input.size());
  } else {
    kept_.assign(input);
  }
  return progress;
}

template <class Message>
ReadProgress HttpReader<Message>::end_of_stream() {
  if (failure_ != ReadFailure::none) return ReadProgress::failed;
  if (!started_ || !kept_.empty() || !parser_->core->is_header_done()) {
    return fail(ReadFailure::cut_short, "it is cut short");
  }
  error_code ec;
  parser_->core->put_eof(ec);
  if (ec) return fail(ReadFailure::cut_short, "it is cut short");
  return ReadProgress::complete;
}

template <class Message>
bool HttpReader<Message>::expects_continue() const noexcept {
  return parser_->core->expects_continue && parser_->core->is_header_done() && !parser_->core->is_done();
}

template <class Message>
bool HttpReader<Message>::keep_alive() const {
  return parser_->core->keep_alive();
}

template <class Message>
Message HttpReader<Message>::take() {
  return std::move(parser_->core->message);
}

template <class Message>
ReadProgress HttpReader<Message>::fail(ReadFailure failure, std::string problem) {
  failure_ = failure;
  problem_ = std::move(problem);
  return ReadProgress::failed;
}

template class HttpReader<HttpRequest>;
template class HttpReader<HttpResponse>;

std::string_view reason_phrase(int status) noexcept {
  if (status == 529) return "Overloaded";
  const auto known = http::int_to_status(static_cast<unsigned>(std::max(status, 0)));
  if (known == http::status::unknown) return {};
  const auto text = http::obsolete_reason(known);
  return {text.data(), text.size()};
}

}  // namespace drover::net
