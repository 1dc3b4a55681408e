#include "tls_fixture.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace drover::net {

TestCertificate::TestCertificate(const std::string& alternative_names, long valid_seconds)
    : server_context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -7200);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), valid_seconds);
  X509_set_pubkey(certificate.get(), key.get());
  auto* const name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509V3_CTX extension_context;
  X509V3_set_ctx_nodb(&extension_context);
  X509V3_set_ctx(&extension_context, certificate.get(), certificate.get(), nullptr, nullptr, 0);
  for (const auto& [number, value] : {std::pair<int, std::string>{NID_subject_alt_name, alternative_names},
                                      std::pair<int, std::string>{NID_basic_constraints, "critical,CA:TRUE"}}) {
    const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
        X509V3_EXT_conf_nid(nullptr, &extension_context, number, value.c_str()), X509_EXTENSION_free);
    if (!extension || X509_add_ext(certificate.get(), extension.get(), -1) != 1) std::abort();
  }
  if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) std::abort();

  std::string path = (std::filesystem::temp_directory_path() / "drover-net-test-XXXXXX").string();
  const int descriptor = mkstemp(path.data());
  std::FILE* const out = descriptor < 0 ? nullptr : fdopen(descriptor, "w");
  if (out == nullptr || PEM_write_X509(out, certificate.get()) != 1) std::abort();
  std::fclose(out);
  file = path;

  if (SSL_CTX_use_certificate(server_context.get(), certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(server_context.get(), key.get()) != 1) {
    std::abort();
  }
}

TestCertificate::~TestCertificate() {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

TlsPeer::TlsPeer(ssl_ctx_st* context, const RawSocket& socket) : ssl_(SSL_new(context)) {
  SSL_set_fd(ssl_, socket.descriptor());
  accepted_ = SSL_accept(ssl_) == 1;
}

TlsPeer::~TlsPeer() { SSL_free(ssl_); }

bool TlsPeer::receive() {
  std::array<char, 16384> buffer{};
  const int size = SSL_read(ssl_, buffer.data(), static_cast<int>(buffer.size()));
  if (size <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

std::string TlsPeer::read_message() {
  auto end = received_.find("\r\n\r\n");
  while (end == std::string::npos) {
    if (!receive()) return {};
    end = received_.find("\r\n\r\n");
  }
  end += 4;
  constexpr std::string_view field = "Content-Length: ";
  if (const auto place = received_.find(field); place < end) {
    end += static_cast<std::size_t>(std::strtoull(received_.c_str() + place + field.size(), nullptr, 10));
  }
  while (received_.size() < end) {
    if (!receive()) return {};
  }
  auto message = received_.substr(0, end);
  received_.erase(0, end);
  return message;
}

void TlsPeer::write(std::string_view text) { SSL_write(ssl_, text.data(), static_cast<int>(text.size())); }

void TlsPeer::say_goodbye() { SSL_shutdown(ssl_); }

std::unique_ptr<RawServer> make_tls_server(const TestCertificate& certificate,
                                           std::function<void(TlsPeer&, RawSocket&, int number)> script) {
  return std::make_unique<RawServer>(
      [context = certificate.server_context, script = std::move(script)](RawSocket& socket, int number) {
        TlsPeer peer(context.get(), socket);
        if (peer.accepted()) script(peer, socket, number);
      });
}

}  // namespace drover::net
