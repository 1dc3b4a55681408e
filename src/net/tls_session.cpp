#include "net/tls_session.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <climits>
#include <utility>

namespace drover::net {
namespace {

constexpr std::size_t most_at_once = 1u << 20;

std::string last_reason() {
  std::string reason;
  for (unsigned long code = ERR_get_error(); code != 0; code = ERR_get_error()) {
    if (const char* text = ERR_reason_error_string(code); reason.empty() && text != nullptr) reason = text;
  }
  return reason;
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::make(const std::string& ca_file) {
  std::shared_ptr<TlsContext> made(new TlsContext);
  ERR_clear_error();
  made->context_ = SSL_CTX_new(TLS_client_method());
  if (made->context_ == nullptr) return Error{Errc::tls, "TLS could not be set up: " + last_reason() + ".", ""};
  SSL_CTX_set_min_proto_version(made->context_, TLS1_2_VERSION);
  SSL_CTX_set_verify(made->context_, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_mode(made->context_, SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_default_verify_paths(made->context_);
  if (!ca_file.empty() && SSL_CTX_load_verify_file(made->context_, ca_file.c_str()) != 1) {
    return Error{Errc::tls,
                 "The file of trusted certificates " + ca_file + " could not be read: " + last_reason() + ".",
                 "ca_file must name a PEM file with certificates"};
  }
  ERR_clear_error();
  return std::shared_ptr<const TlsContext>(std::move(made));
}

TlsContext::~TlsContext() { SSL_CTX_free(context_); }

TlsSession::TlsSession(std::shared_ptr<const TlsContext> context, const std::string& host)
    : context_(std::move(context)), ssl_(SSL_new(context_->context_)) {
  if (ssl_ == nullptr) {
    fail();
    return;
  }
  SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(ssl_);
  // Offered because some servers close a connection that names no protocol.
  constexpr std::array<unsigned char, 9> protocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  SSL_set_alpn_protos(ssl_, protocols.data(), protocols.size());
  auto* const wanted = SSL_get0_param(ssl_);
  if (X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1) return;
  X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  if (SSL_set1_host(ssl_, host.c_str()) != 1 || SSL_set_tlsext_host_name(ssl_, host.c_str()) != 1) fail();
}

TlsSession::~TlsSession() { SSL_free(ssl_); }

void TlsSession::start() {
  std::string none;
  if (state_ == State::handshaking) go_on(none);
}

TlsSession::State TlsSession::receive(std::string_view bytes, std::string& plain) {
  while (!bytes.empty() && (state_ == State::handshaking || state_ == State::open)) {
    const auto piece = bytes.substr(0, most_at_once);
    BIO_write(SSL_get_rbio(ssl_), piece.data(), static_cast<int>(piece.size()));
    bytes.remove_prefix(piece.size());
    go_on(plain);
  }
  return state_;
}

TlsSession::State TlsSession::send(std::string_view plain) {
  while (!plain.empty() && state_ == State::open) {
    const auto piece = plain.substr(0, most_at_once);
    ERR_clear_error();
    if (SSL_write(ssl_, piece.data(), static_cast<int>(piece.size())) <= 0) fail();
    plain.remove_prefix(piece.size());
  }
  collect_output();
  return state_;
}

void TlsSession::go_on(std::string& plain) {
  ERR_clear_error();
  if (state_ == State::handshaking) {
    const int result = SSL_do_handshake(ssl_);
    const int problem = SSL_get_error(ssl_, result);
    if (result == 1) {
      state_ = State::open;
    } else if (problem == SSL_ERROR_ZERO_RETURN) {
      state_ = State::closed;
    } else if (problem != SSL_ERROR_WANT_READ) {
      fail();
    }
  }
  std::array<char, 16u << 10> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by SSL_read
  while (state_ == State::open) {
    const int size = SSL_read(ssl_, piece.data(), static_cast<int>(piece.size()));
    if (size > 0) {
      plain.append(piece.data(), static_cast<std::size_t>(size));
      continue;
    }
    const int problem = SSL_get_error(ssl_, size);
    if (problem == SSL_ERROR_WANT_READ) break;
    if (problem == SSL_ERROR_ZERO_RETURN) {
      state_ = State::closed;
    } else {
      fail();
    }
  }
  collect_output();
}

void TlsSession::collect_output() {
  if (ssl_ == nullptr) return;
  auto* const out = SSL_get_wbio(ssl_);
  const auto waiting = BIO_ctrl_pending(out);
  if (waiting == 0) return;
  const auto before = output_.size();
  output_.resize(before + waiting);
  const int got = BIO_read(out, output_.data() + before, static_cast<int>(waiting));
  output_.resize(before + static_cast<std::size_t>(std::max(got, 0)));
}

void TlsSession::fail() {
  state_ = State::failed;
  reason_ = last_reason();
  if (ssl_ != nullptr) verify_result_ = SSL_get_verify_result(ssl_);
}

Error TlsSession::error(const std::string& place) const {
  if (verify_result_ == X509_V_ERR_HOSTNAME_MISMATCH || verify_result_ == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    return {Errc::tls, "The certificate of " + place + " was refused: it is for another name.",
            "use the name that the certificate was made for"};
  }
  if (verify_result_ == X509_V_ERR_CERT_HAS_EXPIRED || verify_result_ == X509_V_ERR_CERT_NOT_YET_VALID) {
    return {Errc::tls,
            "The certificate of " + place + " was refused: " + X509_verify_cert_error_string(verify_result_) + ".",
            "check this machine's clock, or have the service's certificate renewed"};
  }
  if (verify_result_ != X509_V_OK) {
    return {Errc::tls,
            "The certificate of " + place + " was refused: " + X509_verify_cert_error_string(verify_result_) + ".",
            "when the service is to be trusted, name the certificate of its authority as ca_file"};
  }
  return {Errc::tls, "The TLS handshake with " + place + " failed: " + (reason_.empty() ? "closed" : reason_) + ".",
          "check that the service speaks TLS 1.2 or newer on this port"};
}

}  // namespace drover::net
