#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "network_fixture.hpp"

struct ssl_ctx_st;
struct ssl_st;

namespace drover::net {

/// A certificate that signs itself, made for the test, with its key.
struct TestCertificate {
  /// `alternative_names` as OpenSSL writes them: "DNS:localhost,IP:127.0.0.1".
  explicit TestCertificate(const std::string& alternative_names, long valid_seconds = 3600);
  TestCertificate(const TestCertificate&) = delete;
  TestCertificate& operator=(const TestCertificate&) = delete;
  ~TestCertificate();

  std::string file;  ///< The certificate as PEM, without the key.
  std::shared_ptr<ssl_ctx_st> server_context;
};

/// The server's side of one TLS connection.
class TlsPeer {
 public:
  TlsPeer(ssl_ctx_st* context, const RawSocket& socket);
  TlsPeer(const TlsPeer&) = delete;
  TlsPeer& operator=(const TlsPeer&) = delete;
  ~TlsPeer();

  [[nodiscard]] bool accepted() const noexcept { return accepted_; }
  std::string read_message();
  void write(std::string_view text);
  void say_goodbye();

 private:
  bool receive();

  ssl_st* ssl_;
  bool accepted_;
  std::string received_;
};

/// A TLS server on a free loopback port that does with each connection, once its
/// handshake is done, what the test says.
std::unique_ptr<RawServer> make_tls_server(const TestCertificate& certificate,
                                           std::function<void(TlsPeer&, RawSocket&, int number)> script);

}  // namespace drover::net
