#include <openssl/ssl.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <string>

#include "net/http_client.hpp"
#include "tls_fixture.hpp"

using namespace drover;
using namespace drover::net;

namespace {

void echo(TlsPeer& peer, RawSocket&, int) {
  for (auto message = peer.read_message(); !message.empty(); message = peer.read_message()) {
    peer.write(plain_answer(message.substr(message.find("\r\n\r\n") + 4)));
  }
}

HttpClientOptions trusting(const TestCertificate& certificate) {
  HttpClientOptions options;
  options.ca_file = certificate.file;
  return options;
}

/// The blocking test server writes through OpenSSL, which knows no MSG_NOSIGNAL.
const auto pipe_signal_ignored = std::signal(SIGPIPE, SIG_IGN);

}  // namespace

TEST_CASE("a certificate that ca_file trusts is taken, by name and by address, and the connection is kept") {
  const TestCertificate certificate("DNS:localhost,IP:127.0.0.1");
  const auto server = make_tls_server(certificate, echo);
  ClientFixture net(trusting(certificate));
  for (const auto* host : {"localhost", "127.0.0.1"}) {
    for (int i = 0; i < 3; ++i) {
      const auto outcome = net.exchange({"POST", server->url("/", "https", host), {}, "secret " + std::to_string(i)});
      REQUIRE(outcome.response);
      CHECK(outcome.response->body == "secret " + std::to_string(i));
      CHECK(outcome.timing.reused == (i > 0));
    }
  }
  CHECK(server->connections() == 2);
}

TEST_CASE("large bodies go over TLS both ways") {
  const TestCertificate certificate("DNS:localhost");
  const auto server = make_tls_server(certificate, echo);
  ClientFixture net(trusting(certificate));
  std::string body(5u << 20, 'x');
  for (std::size_t i = 0; i < body.size(); i += 1000) body[i] = static_cast<char>('a' + i / 1000 % 26);
  const auto outcome = net.exchange({"POST", server->url("/", "https", "localhost"), {}, body});
  REQUIRE(outcome.response);
  CHECK(outcome.response->body.size() == body.size());
  CHECK((outcome.response->body == body));
}

TEST_CASE("a certificate for another name is refused, also one that is trusted") {
  const TestCertificate certificate("DNS:other.example");
  std::atomic<int> requests{0};
  const auto server = make_tls_server(certificate, [&](TlsPeer& peer, RawSocket&, int) {
    if (!peer.read_message().empty()) ++requests;
  });
  ClientFixture net(trusting(certificate));
  for (const auto* host : {"localhost", "127.0.0.1"}) {
    const auto outcome = net.exchange({"POST", server->url("/?key=s3cret", "https", host), {{"X-Api-Key", "k"}}, "b"});
    REQUIRE_FALSE(outcome.response);
    CHECK(outcome.response.error().code == Errc::tls);
    CHECK(outcome.response.error().cause == "The certificate of " + std::string(host) + ":" +
                                                std::to_string(server->port()) +
                                                " was refused: it is for another name.");
    CHECK_FALSE(outcome.response.error().remedy.empty());
  }
  CHECK(requests == 0);
}

TEST_CASE("a certificate that nobody trusts is refused and ca_file is named as the way out") {
  const TestCertificate certificate("DNS:localhost");
  std::atomic<int> requests{0};
  const auto server = make_tls_server(certificate, [&](TlsPeer& peer, RawSocket&, int) {
    if (!peer.read_message().empty()) ++requests;
  });
  ClientFixture net;
  const auto outcome = net.exchange({"POST", server->url("/", "https", "localhost"), {}, "b"});
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
  CHECK(outcome.response.error().cause.find("self-signed") != std::string::npos);
  CHECK(outcome.response.error().remedy.find("ca_file") != std::string::npos);
  CHECK(requests == 0);
}

TEST_CASE("a certificate that has expired is refused") {
  const TestCertificate certificate("DNS:localhost", -60);
  const auto server = make_tls_server(certificate, echo);
  ClientFixture net(trusting(certificate));
  const auto outcome = net.get(server->url("/", "https", "localhost"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
  CHECK(outcome.response.error().cause.find("expired") != std::string::npos);
}

TEST_CASE("a ca_file that can't be read stops every https request and no http request") {
  HttpClientOptions options;
  options.ca_file = "/no/such/file.pem";
  RawServer plain([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("x"));
  });
  ClientFixture net(options);
  const auto outcome = net.get(plain.url("/", "https"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
  CHECK(outcome.response.error().cause.find("/no/such/file.pem") != std::string::npos);
  CHECK(net.get(plain.url()).response.ok());
}

TEST_CASE("a server that speaks no TLS is told from one whose certificate is bad") {
  using namespace std::string_literals;
  const auto words = GENERATE("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"s,
                              "\x15\x03\x03\x00\x02\x02\x28"s);  // a fatal alert: handshake_failure
  RawServer server([&](RawSocket& socket, int) {
    socket.write(words);
    socket.peer_closes();
  });
  ClientFixture net;
  const auto outcome = net.get(server.url("/", "https"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
  CHECK(outcome.response.error().cause.find("127.0.0.1:") != std::string::npos);
  CHECK(outcome.response.error().cause.find("certificate") == std::string::npos);
  CHECK(outcome.response.error().remedy.find("TLS 1.2") != std::string::npos);
}

TEST_CASE("a connection that ends or breaks during the TLS handshake is the network's fault and may be tried again") {
  using namespace std::string_literals;
  const TestCertificate certificate("DNS:localhost");
  enum class Fault { end, reset, goodbye, half_a_record };
  const auto fault = GENERATE(Fault::end, Fault::reset, Fault::goodbye, Fault::half_a_record);
  RawServer server([&](RawSocket& socket, int number) {
    if (number > 1) {
      TlsPeer peer(certificate.server_context.get(), socket);
      return echo(peer, socket, number);
    }
    socket.read_until("\x16");  // its hello has begun: the handshake is under way
    if (fault == Fault::reset) return socket.reset();
    if (fault == Fault::goodbye) socket.write("\x15\x03\x03\x00\x02\x01\x00"s);
    if (fault == Fault::half_a_record) socket.write("\x16\x03\x03\x00\x40\x02"s);
  });
  ClientFixture net(trusting(certificate));
  const auto outcome = net.get(server.url("/", "https", "localhost"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(outcome.response.error().cause.find("during the TLS handshake.") != std::string::npos);
  CHECK(outcome.response.error().remedy.find("TLS 1.2") != std::string::npos);
  CHECK(net.exchange({"POST", server.url("/", "https", "localhost"), {}, "again"}).response.ok());
}

TEST_CASE("a server older than TLS 1.2 is refused") {
  const TestCertificate certificate("DNS:localhost");
  SSL_CTX_set_security_level(certificate.server_context.get(), 0);
  SSL_CTX_set_min_proto_version(certificate.server_context.get(), TLS1_VERSION);
  SSL_CTX_set_max_proto_version(certificate.server_context.get(), TLS1_1_VERSION);
  const auto server = make_tls_server(certificate, echo);
  ClientFixture net(trusting(certificate));
  const auto outcome = net.get(server->url("/", "https", "localhost"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
}

TEST_CASE("an answer without a length counts as whole only after the server's goodbye") {
  const TestCertificate certificate("DNS:localhost");
  const bool goodbye = GENERATE(true, false);
  const auto server = make_tls_server(certificate, [&](TlsPeer& peer, RawSocket&, int) {
    peer.read_message();
    peer.write("HTTP/1.1 200 OK\r\n\r\nto the end");
    if (goodbye) peer.say_goodbye();
  });
  ClientFixture net(trusting(certificate));
  const auto outcome = net.get(server->url("/", "https", "localhost"));
  REQUIRE(outcome.response.ok() == goodbye);
  if (goodbye) {
    CHECK(outcome.response->body == "to the end");
  } else {
    CHECK(outcome.response.error().code == Errc::network);
  }
}

TEST_CASE("a request on a reused TLS connection that dies is sent once more") {
  const TestCertificate certificate("DNS:localhost");
  const auto server = make_tls_server(certificate, [](TlsPeer& peer, RawSocket&, int number) {
    peer.read_message();
    peer.write(plain_answer("x"));
    peer.read_message();
    if (number > 1) peer.write(plain_answer("y"));
  });
  ClientFixture net(trusting(certificate));
  REQUIRE(net.get(server->url("/", "https", "localhost")).response);
  const auto outcome = net.get(server->url("/", "https", "localhost"));
  REQUIRE(outcome.response);
  CHECK(outcome.timing.resent);
}

TEST_CASE("a request is cancelled during the TLS handshake") {
  std::promise<void> connected;
  std::promise<bool> closed;
  RawServer silent([&](RawSocket& socket, int) {
    connected.set_value();
    closed.set_value(socket.peer_closes());
  });
  ClientFixture net;
  const CancelToken cancel;
  auto outcome = net.send({"GET", silent.url("/", "https"), {}, ""}, patience, cancel);
  REQUIRE(connected.get_future().wait_for(patience) == std::future_status::ready);
  cancel.cancel(CancelReason::user);
  const auto result = wait_for(outcome);
  REQUIRE_FALSE(result.response);
  CHECK(result.response.error().code == Errc::cancelled);
  CHECK(closed.get_future().get());
}
