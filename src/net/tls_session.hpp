#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.hpp"

struct ssl_ctx_st;
struct ssl_st;

namespace drover::net {

/// What the TLS connections of one client share: TLS 1.2 or newer, the system's
/// trusted certificates and one more file of them. Certificates are always verified.
class TlsContext {
 public:
  /// `ca_file` (PEM) may be empty. Errors: tls, when it can't be read.
  static Result<std::shared_ptr<const TlsContext>> make(const std::string& ca_file);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

 private:
  friend class TlsSession;
  TlsContext() = default;
  ssl_ctx_st* context_ = nullptr;
};

/// The client's side of one TLS connection, as a filter between bytes of the
/// socket and bytes of the application; does no I/O. Whoever owns it sends what
/// output() holds after each call. One thread at a time.
class TlsSession {
 public:
  enum class State : std::uint8_t { handshaking, open, closed, failed };

  /// Verifies that the certificate is for `host`, a name or an address in figures.
  TlsSession(std::shared_ptr<const TlsContext> context, const std::string& host);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  /// Begins the handshake; its first message is in output() afterwards.
  void start();
  /// Takes bytes from the socket, goes on with the handshake and appends what
  /// was decrypted to `plain`.
  State receive(std::string_view bytes, std::string& plain);
  /// Encrypts into output(); only in State::open.
  State send(std::string_view plain);

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Bytes for the socket; take and clear.
  [[nodiscard]] std::string& output() noexcept { return output_; }
  /// Why it failed; `place` is "host:port".
  [[nodiscard]] Error error(const std::string& place) const;

 private:
  void go_on(std::string& plain);
  void collect_output();
  void fail();

  std::shared_ptr<const TlsContext> context_;
  ssl_st* ssl_ = nullptr;
  State state_ = State::handshaking;
  std::string output_;
  long verify_result_ = 0;
  std::string reason_;
};

}  // namespace drover::net
