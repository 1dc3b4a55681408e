#include "net/http_client.hpp"

#include <catch2/catch.hpp>
#include <future>
#include <string>

#include "network_fixture.hpp"

using namespace drover;
using namespace drover::net;

namespace {

/// Answers every request of a connection with its own text.
void echo(RawSocket& socket, int) {
  for (auto message = socket.read_message(); !message.empty(); message = socket.read_message()) {
    socket.write(plain_answer(message));
  }
}

}  // namespace

TEST_CASE("a request reaches the server as it was given and the answer comes back whole") {
  RawServer server(echo);
  ClientFixture net;
  const auto outcome =
      net.exchange({"POST", server.url("/v1/messages?beta=1"), {{"X-Api-Key", "k"}}, R"({"model":"m"})"});
  REQUIRE(outcome.response);
  CHECK(outcome.response->status == 200);
  CHECK(outcome.response->body ==
        "POST /v1/messages?beta=1 HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
            "\r\nX-Api-Key: k\r\nUser-Agent: drover\r\nContent-Length: 13\r\n\r\n"
            R"({"model":"m"})");
  CHECK_FALSE(outcome.timing.reused);
  CHECK(outcome.timing.connect > Duration::zero());
  CHECK(outcome.timing.total >= outcome.timing.connect + outcome.timing.first_byte);
}

TEST_CASE("requests to one origin go over one kept-alive connection") {
  RawServer server(echo);
  ClientFixture net;
  for (int i = 0; i < 5; ++i) {
    const auto outcome = net.get(server.url("/" + std::to_string(i)));
    REQUIRE(outcome.response);
    CHECK(outcome.timing.reused == (i > 0));
    CHECK_FALSE(outcome.timing.resent);
    if (i > 0) CHECK(outcome.timing.connect == Duration::zero());
  }
  CHECK(server.connections() == 1);
}

TEST_CASE("requests at the same time get a connection each") {
  std::promise<void> both;
  auto both_came = both.get_future().share();
  std::atomic<int> waiting{0};
  RawServer server([&](RawSocket& socket, int) {
    socket.read_message();
    if (++waiting == 2) both.set_value();
    both_came.wait_for(patience);
    socket.write(plain_answer("x"));
  });
  ClientFixture net;
  auto first = net.send({"GET", server.url(), {}, ""});
  auto second = net.send({"GET", server.url(), {}, ""});
  CHECK(wait_for(first).response.ok());
  CHECK(wait_for(second).response.ok());
  CHECK(server.connections() == 2);
}

TEST_CASE("a connection that the server announces to close is not used again") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("x", "Connection: close\r\n"));
    socket.peer_closes();
  });
  ClientFixture net;
  for (int i = 0; i < 3; ++i) {
    const auto outcome = net.get(server.url());
    REQUIRE(outcome.response);
    CHECK_FALSE(outcome.timing.reused);
  }
  CHECK(server.connections() == 3);
}

TEST_CASE("no more idle connections are kept than allowed") {
  HttpClientOptions options;
  options.max_idle_per_host = 0;
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("x"));
    socket.peer_closes();
  });
  ClientFixture net(options);
  CHECK(net.get(server.url()).response.ok());
  CHECK_FALSE(net.get(server.url()).timing.reused);
}

TEST_CASE("an idle connection is closed after its time") {
  HttpClientOptions options;
  options.idle_timeout = std::chrono::milliseconds{20};
  std::promise<bool> closed;
  RawServer server([&](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("x"));
    closed.set_value(socket.peer_closes());
  });
  ClientFixture net(options);
  CHECK(net.get(server.url()).response.ok());
  auto seen = closed.get_future();
  REQUIRE(seen.wait_for(patience) == std::future_status::ready);
  CHECK(seen.get());
}

TEST_CASE("a request on a reused connection that dies is sent once more on a fresh one") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("first"));
    socket.read_message();
  });
  ClientFixture net;
  REQUIRE(net.get(server.url()).response);
  // The second request meets a connection that closes without an answer; its own
  // fresh connection answers.
  const auto outcome = net.exchange({"POST", server.url(), {}, "body"});
  REQUIRE(outcome.response);
  CHECK(outcome.response->body == "first");
  CHECK(outcome.timing.resent);
  CHECK_FALSE(outcome.timing.reused);
  CHECK(server.connections() == 2);
}

TEST_CASE("a request is not sent a third time") {
  RawServer server([](RawSocket& socket, int number) {
    socket.read_message();
    if (number == 1) {
      socket.write(plain_answer("first"));
      socket.read_message();
    }
  });
  ClientFixture net;
  REQUIRE(net.get(server.url()).response);
  const auto outcome = net.get(server.url());
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(outcome.timing.resent);
  CHECK(server.connections() == 2);
}

TEST_CASE("a request on a fresh connection that dies is not sent again") {
  RawServer server([](RawSocket& socket, int) { socket.read_message(); });
  ClientFixture net;
  const auto outcome = net.exchange({"POST", server.url("/v1?key=s3cret"), {{"X-Api-Key", "s3cret"}}, "s3cret"});
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(outcome.response.error().cause ==
        "127.0.0.1:" + std::to_string(server.port()) + " closed the connection before it answered.");
  CHECK_FALSE(outcome.timing.resent);
  CHECK(server.connections() == 1);
}

TEST_CASE("a request is not sent again once a byte of an answer came") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("first"));
    socket.read_message();
    socket.write("HTTP/1.1 2");
  });
  ClientFixture net;
  REQUIRE(net.get(server.url()).response);
  const auto outcome = net.get(server.url());
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(outcome.response.error().cause.find("in the middle of its answer") != std::string::npos);
  CHECK(outcome.timing.reused);
  CHECK(server.connections() == 1);
}

TEST_CASE("a connection that the server closed while it was idle costs nothing") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write(plain_answer("x"));
  });
  ClientFixture net;
  for (int i = 0; i < 20; ++i) CHECK(net.get(server.url()).response.ok());
  CHECK(server.connections() == 20);
}

TEST_CASE("a refused connection is told with host and port") {
  std::uint16_t port = 0;
  {
    RawServer gone(echo);
    port = gone.port();
  }
  ClientFixture net;
  const auto outcome = net.get("http://127.0.0.1:" + std::to_string(port) + "/v1?key=s3cret");
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(outcome.response.error().cause == "127.0.0.1:" + std::to_string(port) + " refused the connection.");
  CHECK_FALSE(outcome.response.error().remedy.empty());
}

TEST_CASE("a name is looked up, and one that does not exist is told") {
  RawServer server(echo);
  ClientFixture net;
  const auto found = net.get(server.url("/", "http", "localhost"));
  REQUIRE(found.response);
  CHECK(found.response->body.find("Host: localhost:") != std::string::npos);

  const auto missing = net.get("http://no-such-host.invalid/");
  REQUIRE_FALSE(missing.response);
  CHECK(missing.response.error().code == Errc::network);
  CHECK(missing.response.error().cause.find("no-such-host.invalid") != std::string::npos);
}

TEST_CASE("an address that is no URL is refused by callback") {
  ClientFixture net;
  const auto outcome = net.get("localhost/v1");
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::invalid_argument);
}

TEST_CASE("chunked answers, answers to HEAD and answers without a body keep the connection") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel");
    socket.write("lo\r\n6\r\n world\r\n0\r\n\r\n");
    socket.read_message();
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    socket.read_message();
    socket.write("HTTP/1.1 204 No Content\r\n\r\n");
    socket.read_message();
    socket.write(plain_answer(std::string(300'000, 'x')));
    socket.peer_closes();
  });
  ClientFixture net;
  const auto chunked = net.get(server.url());
  REQUIRE(chunked.response);
  CHECK(chunked.response->body == "hello world");
  const auto head = net.exchange({"HEAD", server.url(), {}, ""});
  REQUIRE(head.response);
  CHECK(head.response->body.empty());
  CHECK(head.response->headers.get("content-length") == "1000");
  const auto empty = net.get(server.url());
  REQUIRE(empty.response);
  CHECK(empty.response->status == 204);
  const auto large = net.get(server.url());
  REQUIRE(large.response);
  CHECK(large.response->body.size() == 300'000);
  CHECK(server.connections() == 1);
}

TEST_CASE("an answer without a length ends with the connection, which is then gone") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write("HTTP/1.1 200 OK\r\n\r\nto the end");
  });
  ClientFixture net;
  const auto outcome = net.get(server.url());
  REQUIRE(outcome.response);
  CHECK(outcome.response->body == "to the end");
  CHECK_FALSE(net.get(server.url()).timing.reused);
}

TEST_CASE("an answer that is too large is refused and its connection closed") {
  HttpClientOptions options;
  options.max_response_bytes = 1000;
  const std::string large(1001, 'x');
  const std::string body = GENERATE_COPY(
      plain_answer(large), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + large + "\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n");
  std::promise<bool> closed;
  RawServer server([&](RawSocket& socket, int) {
    socket.read_message();
    socket.write(body);
    closed.set_value(socket.peer_closes());
  });
  ClientFixture net(options);
  const auto outcome = net.get(server.url());
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::malformed);
  CHECK(outcome.response.error().cause.find("too large") != std::string::npos);
  CHECK(closed.get_future().get());
}

TEST_CASE("an answer that is no HTTP is refused") {
  RawServer server([](RawSocket& socket, int) {
    socket.read_message();
    socket.write("220 mail.example.com ESMTP\r\n");
    socket.peer_closes();
  });
  ClientFixture net;
  const auto outcome = net.get(server.url());
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::malformed);
}

TEST_CASE("a connection on which something comes unasked is not used") {
  RawServer server([](RawSocket& socket, int number) {
    socket.read_message();
    socket.write(plain_answer("x") + (number == 1 ? "HTTP/1.1 408 Request Timeout\r\n\r\n" : ""));
    socket.peer_closes();
  });
  ClientFixture net;
  REQUIRE(net.get(server.url()).response);
  const auto outcome = net.get(server.url());
  REQUIRE(outcome.response);
  CHECK(outcome.response->status == 200);
  CHECK(server.connections() == 2);
}

TEST_CASE("a request that is larger than the socket's buffer arrives whole") {
  std::string received;
  RawServer server([&](RawSocket& socket, int) {
    received = socket.read_message();
    socket.write(plain_answer("x"));
    socket.peer_closes();
  });
  ClientFixture net;
  std::string body(20u << 20, 'x');
  for (std::size_t i = 0; i < body.size(); i += 4096) body[i] = static_cast<char>('a' + i / 4096 % 26);
  const auto outcome = net.exchange({"POST", server.url(), {}, body});
  REQUIRE(outcome.response);
  const auto start = received.find("\r\n\r\n") + 4;
  CHECK(received.size() - start == body.size());
  CHECK(received.compare(start, std::string::npos, body) == 0);
  CHECK(outcome.response->body == "x");
}

TEST_CASE("an answer that comes before the request was taken is an answer") {
  RawServer server([&](RawSocket& socket, int) {
    socket.read_until("\r\n\r\n");
    // It says that it closes: whether the rest of the request was taken by then is a race.
    socket.write("HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    socket.peer_closes();
  });
  ClientFixture net;
  const auto outcome = net.exchange({"POST", server.url(), {}, std::string(20u << 20, 'x')});
  REQUIRE(outcome.response);
  CHECK(outcome.response->status == 413);
  CHECK_FALSE(net.get(server.url()).timing.reused);
}
