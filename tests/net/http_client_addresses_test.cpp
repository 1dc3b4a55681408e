// What becomes of a request to a host with several addresses of which some are bad.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "net/http_client.hpp"
#include "tls_fixture.hpp"

using namespace drover;
using namespace drover::net;

namespace {

const std::string good = "127.0.0.1";
const std::string bad = "127.0.0.2";

HttpClientOptions resolving_to(std::vector<std::string> addresses) {
  HttpClientOptions options;
  options.resolve = [addresses = std::move(addresses)](const std::string&) { return addresses; };
  return options;
}

void answer_once(RawSocket& socket, int) {
  socket.read_message();
  socket.write(plain_answer("x", "Connection: close\r\n"));
}

void answer_once_over_tls(TlsPeer& peer, RawSocket&, int) {
  peer.read_message();
  peer.write(plain_answer("x", "Connection: close\r\n"));
}

}  // namespace

TEST_CASE("an address that refuses is passed over for the next") {
  RawServer server(answer_once);
  ClientFixture net(resolving_to({bad, "127.0.0.3", good}));
  CHECK(net.get(server.url("/", "http", "model.example")).response.ok());
  CHECK(server.connections() == 1);
}

TEST_CASE("an address that takes no connection uses up its share of the connect timeout and not all of it") {
  RawServer server(answer_once);
  const FullListener full(bad, server.port());
  auto options = resolving_to({bad, good});
  options.connect_timeout = std::chrono::milliseconds{800};
  ClientFixture net(options);
  const auto outcome = net.get(server.url("/", "http", "model.example"));
  REQUIRE(outcome.response);
  CHECK(outcome.timing.connect >= std::chrono::milliseconds{400});
}

TEST_CASE(
    "an address that is silent in the TLS handshake is given up, and the one that worked goes first from then on") {
  const TestCertificate certificate("DNS:model.example");
  const auto server = make_tls_server(certificate, answer_once_over_tls);
  std::promise<bool> given_up;
  RawServer silent([&](RawSocket& socket, int) { given_up.set_value(socket.peer_closes()); }, bad, server->port());
  auto options = resolving_to({bad, good});
  options.ca_file = certificate.file;
  options.connect_timeout = std::chrono::seconds{2};
  ClientFixture net(options);
  for (int i = 1; i <= 3; ++i) {
    REQUIRE(net.get(server->url("/", "https", "model.example")).response);
    CHECK(server->connections() == i);
  }
  CHECK(silent.connections() == 1);
  CHECK(given_up.get_future().get());
}

TEST_CASE("an address that breaks the TLS handshake is passed over for the next") {
  const TestCertificate certificate("DNS:model.example");
  const auto server = make_tls_server(certificate, answer_once_over_tls);
  RawServer breaking([](RawSocket& socket, int) { socket.reset(); }, bad, server->port());
  auto options = resolving_to({bad, good});
  options.ca_file = certificate.file;
  ClientFixture net(options);
  CHECK(net.get(server->url("/", "https", "model.example")).response.ok());
  CHECK(breaking.connections() == 1);
}

TEST_CASE("a certificate that is refused ends the request, whatever other addresses there are") {
  const TestCertificate certificate("DNS:model.example");
  const TestCertificate stranger("DNS:other.example");
  const auto server = make_tls_server(certificate, answer_once_over_tls);
  RawServer wrong([&](RawSocket& socket, int) { const TlsPeer peer(stranger.server_context.get(), socket); }, bad,
                  server->port());
  auto options = resolving_to({bad, good});
  options.ca_file = certificate.file;
  ClientFixture net(options);
  const auto outcome = net.get(server->url("/", "https", "model.example"));
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::tls);
  CHECK(server->connections() == 0);
}

TEST_CASE("when no address works the request ends with what became of the last") {
  std::uint16_t port = 0;
  {
    const RawServer gone(answer_once);
    port = gone.port();
  }
  const std::string url = "http://model.example:" + std::to_string(port);
  ClientFixture net(resolving_to({bad, good}));
  const auto refused = net.get(url);
  REQUIRE_FALSE(refused.response);
  CHECK(refused.response.error().code == Errc::network);
  CHECK(refused.response.error().cause == "model.example:" + std::to_string(port) + " refused the connection.");

  ClientFixture nameless(resolving_to({"no address"}));
  const auto unknown = nameless.get(url);
  REQUIRE_FALSE(unknown.response);
  CHECK(unknown.response.error().code == Errc::network);
  CHECK(unknown.response.error().cause == "The name model.example has no address.");
}
