#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "net/http_message.hpp"

namespace drover::net {

struct ReadLimits {
  std::size_t head_bytes = 64u << 10;  ///< Start line and header fields.
  std::size_t body_bytes = 32u << 20;
};

enum class ReadProgress : std::uint8_t { incomplete, complete, failed };

/// Why a message could not be read.
enum class ReadFailure : std::uint8_t { none, malformed, head_too_large, body_too_large, cut_short };

/// Reads HTTP/1.1 messages out of bytes as they arrive, one after the other; does
/// no I/O. Message is HttpRequest or HttpResponse. Interim answers (1xx) are
/// skipped. Bytes behind a message are kept for the next. One thread at a time.
template <class Message>
class HttpReader {
 public:
  explicit HttpReader(ReadLimits limits);
  ~HttpReader();
  HttpReader(const HttpReader&) = delete;
  HttpReader& operator=(const HttpReader&) = delete;

  /// Expects the next message; `bodiless` for the answer to a HEAD request.
  /// Continue with feed({}) where bytes may have been kept.
  void begin(bool bodiless = false);
  ReadProgress feed(std::string_view bytes);
  /// The peer closed its side, which ends an answer that names no length.
  ReadProgress end_of_stream();

  /// Whether any byte of the present message came.
  [[nodiscard]] bool started() const noexcept { return started_; }
  /// Bytes that came behind the complete message.
  [[nodiscard]] std::size_t excess() const noexcept { return kept_.size(); }
  /// After the head: the sender waits for "100 Continue" before it sends the body.
  [[nodiscard]] bool expects_continue() const noexcept;
  /// After completion: whether the connection can carry another message.
  [[nodiscard]] bool keep_alive() const;
  /// After completion: the message. Once.
  [[nodiscard]] Message take();

  [[nodiscard]] ReadFailure failure() const noexcept { return failure_; }
  /// What was wrong, for people: "bad version". Quotes nothing that was sent.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

 private:
  struct Parser;
  ReadProgress fail(ReadFailure failure, std::string problem);

  ReadLimits limits_;
  std::unique_ptr<Parser> parser_;
  std::string kept_;
  bool bodiless_ = false;
  bool started_ = false;
  int interim_answers_ = 0;
  ReadFailure failure_ = ReadFailure::none;
  std::string problem_;
};

extern template class HttpReader<HttpRequest>;
extern template class HttpReader<HttpResponse>;

/// The usual reason phrase: "Not Found"; empty for a status that has none.
std::string_view reason_phrase(int status) noexcept;

}  // namespace drover::net
