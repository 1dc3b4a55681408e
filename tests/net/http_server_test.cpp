#include "net/http_server.hpp"

#include <catch2/catch.hpp>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

#include "network_fixture.hpp"

using namespace drover;
using namespace drover::net;

namespace {

constexpr auto text_of_one = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

/// A server and nothing else.
struct ServerFixture {
  explicit ServerFixture(HttpHandler handler, HttpServerOptions options = {}) {
    auto started = start_http_server(threads, std::move(options), std::move(handler));
    REQUIRE(started);
    server = *std::move(started);
  }
  [[nodiscard]] RawSocket connect() const { return RawSocket::connect_to(server->port()); }

  IoThreads threads;
  std::unique_ptr<HttpServer> server;
};

void answer_hello(const HttpRequest& request, const std::shared_ptr<Responder>& responder) {
  responder->send({200, {{"Content-Type", "text/plain"}}, "hello " + request.target});
}

std::string read_answer(RawSocket& socket) { return socket.read_message(); }

}  // namespace

TEST_CASE("a server answers one request after the other on a connection") {
  const ServerFixture fixture(answer_hello);
  auto socket = fixture.connect();
  for (int i = 0; i < 3; ++i) {
    socket.write("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(read_answer(socket) ==
          "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nhello /" + std::to_string(i));
  }
}

TEST_CASE("requests that come together are answered in order") {
  const ServerFixture fixture(answer_hello);
  auto socket = fixture.connect();
  socket.write("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nGET /3 HTTP/1.1\r\nHost: h\r\n");
  CHECK(read_answer(socket).ends_with("hello /1"));
  CHECK(read_answer(socket).ends_with("hello /2"));
  socket.write("\r\n");
  CHECK(read_answer(socket).ends_with("hello /3"));
}

TEST_CASE("a client that asks for the end of the connection gets it") {
  const ServerFixture fixture(answer_hello);
  const std::string request = GENERATE("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n");
  auto socket = fixture.connect();
  socket.write(request);
  const auto answer = socket.read_all();
  CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  CHECK(answer.ends_with("hello /"));
}

TEST_CASE("HEAD and 204 are answered without a body") {
  const ServerFixture fixture([](const HttpRequest& request, const std::shared_ptr<Responder>& responder) {
    responder->send({request.method == "HEAD" ? 200 : 204, {}, request.method == "HEAD" ? "hello" : ""});
  });
  auto socket = fixture.connect();
  socket.write("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(socket.read_until("\r\n\r\n") == "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  socket.write(text_of_one);
  CHECK(socket.read_until("\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST_CASE("a client that waits for permission to send its body is told to go on") {
  const ServerFixture fixture([](const HttpRequest& request, const std::shared_ptr<Responder>& responder) {
    responder->send({200, {}, request.body});
  });
  auto socket = fixture.connect();
  socket.write("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  CHECK(socket.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
  socket.write("body");
  CHECK(read_answer(socket).ends_with("\r\n\r\nbody"));
}

TEST_CASE("what is no request, or too large a one, is refused with a status and a sentence") {
  HttpServerOptions options;
  options.max_body_bytes = 100;
  const ServerFixture fixture(answer_hello, options);
  const auto [request, status] = GENERATE(table<std::string, std::string>({
      {"nonsense\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\nBad Field\r\n\r\n", "HTTP/1.1 400 "},
      {"POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'x'), "HTTP/1.1 413 "},
      {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x') + "\r\n0\r\n\r\n",
       "HTTP/1.1 413 "},
      {"GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
  }));
  auto socket = fixture.connect();
  socket.write(request);
  const auto answer = socket.read_all();
  CHECK(answer.starts_with(status));
  CHECK(answer.find("Connection: close\r\n") != std::string::npos);
  CHECK(answer.find("The request") != std::string::npos);
  // The server lives on.
  auto next = fixture.connect();
  next.write(text_of_one);
  CHECK(read_answer(next).starts_with("HTTP/1.1 200 "));
}

TEST_CASE("an answer may come later and from another thread") {
  std::promise<std::shared_ptr<Responder>> taken;
  const ServerFixture fixture(
      [&](const HttpRequest&, std::shared_ptr<Responder> responder) { taken.set_value(std::move(responder)); });
  auto socket = fixture.connect();
  socket.write(text_of_one);
  auto responder = taken.get_future().get();
  std::thread([&responder] { responder->send({200, {}, "later"}); }).join();
  CHECK(read_answer(socket).ends_with("later"));
  responder->send({200, {}, "twice"});  // does nothing
  responder.reset();
  socket.shutdown();
  CHECK(socket.read_all().empty());
}

TEST_CASE("a request that nobody answers, or whose handler throws, gets 500") {
  const ServerFixture fixture([](const HttpRequest& request, const std::shared_ptr<Responder>&) {
    if (request.target == "/throw") throw std::runtime_error("boom");
  });
  auto socket = fixture.connect();
  socket.write(text_of_one);
  CHECK(read_answer(socket).starts_with("HTTP/1.1 500 "));
  socket.write("GET /throw HTTP/1.1\r\nHost: h\r\n\r\n");
  CHECK(read_answer(socket).starts_with("HTTP/1.1 500 "));
}

TEST_CASE("a server misbehaves as it is told") {
  const ServerFixture fixture([](const HttpRequest& request, const std::shared_ptr<Responder>& responder) {
    const HttpResponse answer{200, {}, "0123456789"};
    if (request.target == "/drop") return responder->drop();
    if (request.target == "/partly") return responder->send_partly(answer, 4);
    if (request.target == "/slowly") return responder->send_slowly(answer, 4, std::chrono::milliseconds{2});
    responder->send_and_close_silently(answer);
  });
  auto socket = fixture.connect();
  SECTION("dropping the connection") {
    socket.write("GET /drop HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(socket.read_all().empty());
  }
  SECTION("sending a part of the body") {
    socket.write("GET /partly HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(socket.read_all() == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123");
  }
  SECTION("sending chunk by chunk, and the connection lives on") {
    for (int i = 0; i < 2; ++i) {
      socket.write("GET /slowly HTTP/1.1\r\nHost: h\r\n\r\n");
      CHECK(socket.read_until("0\r\n\r\n") ==
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n");
    }
  }
  SECTION("closing the connection without a word") {
    socket.write("GET /silent HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(socket.read_all() == "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789");
  }
}

TEST_CASE("a client meets a server that closes silently and sends its next request afresh") {
  ClientFixture net;
  auto server = start_http_server(net.threads, {}, [](const HttpRequest&, const std::shared_ptr<Responder>& responder) {
    responder->send_and_close_silently({200, {}, "x"});
  });
  REQUIRE(server);
  for (int i = 0; i < 20; ++i) {
    CHECK(net.get("http://127.0.0.1:" + std::to_string((*server)->port())).response.ok());
  }
}

TEST_CASE("a connection that has been idle for long is closed") {
  HttpServerOptions options;
  options.idle_timeout = std::chrono::milliseconds{40};
  const ServerFixture fixture(answer_hello, options);
  auto silent = fixture.connect();
  auto half = fixture.connect();
  half.write("GET / HT");
  auto used = fixture.connect();
  used.write(text_of_one);
  CHECK(read_answer(used).ends_with("hello /"));
  CHECK(silent.peer_closes());
  CHECK(half.peer_closes());
  CHECK(used.peer_closes());
}

TEST_CASE("a request that is being handled is not idle, and a client that goes is noticed") {
  HttpServerOptions options;
  options.idle_timeout = std::chrono::milliseconds{10};
  std::promise<std::shared_ptr<Responder>> taken;
  std::atomic<int> requests{0};
  const ServerFixture fixture(
      [&](const HttpRequest&, std::shared_ptr<Responder> responder) {
        if (++requests == 1) taken.set_value(std::move(responder));
      },
      options);
  auto socket = fixture.connect();
  socket.write(text_of_one);
  const auto responder = taken.get_future().get();
  // Another connection's idle end tells that the time has passed for both.
  CHECK(fixture.connect().peer_closes());
  responder->send({200, {}, "late"});
  CHECK(read_answer(socket).ends_with("late"));
}

TEST_CASE("a connection above the limit is refused, and one that ends makes room") {
  HttpServerOptions options;
  options.max_connections = 1;
  const ServerFixture fixture(answer_hello, options);
  auto first = fixture.connect();
  first.write(text_of_one);
  CHECK(read_answer(first).starts_with("HTTP/1.1 200 "));
  auto second = fixture.connect();
  CHECK(second.read_all().starts_with("HTTP/1.1 503 "));
  first.write("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  CHECK(first.peer_closes());
  auto third = fixture.connect();
  third.write(text_of_one);
  CHECK(read_answer(third).starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a port in use and an address that is none are typed errors") {
  const ServerFixture fixture(answer_hello);
  HttpServerOptions options;
  options.port = fixture.server->port();
  IoThreads threads;
  const auto taken = start_http_server(threads, options, answer_hello);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code == Errc::conflict);
  CHECK(taken.error().cause.find(std::to_string(options.port)) != std::string::npos);
  options.address = "localhost.";
  const auto no_address = start_http_server(threads, options, answer_hello);
  REQUIRE_FALSE(no_address);
  CHECK(no_address.error().code == Errc::invalid_argument);
}

TEST_CASE("stopping closes every connection, waits for the handler and lets none start") {
  std::promise<void> entered;
  std::promise<void> go_on;
  std::atomic<bool> left{false};
  std::atomic<int> handled{0};
  ServerFixture fixture([&](const HttpRequest&, const std::shared_ptr<Responder>& responder) {
    if (++handled > 1) return responder->send({});
    entered.set_value();
    go_on.get_future().wait_for(patience);
    responder->send({});
    left = true;
  });
  auto busy = fixture.connect();
  busy.write(text_of_one);
  entered.get_future().wait();
  auto idle = fixture.connect();
  std::atomic<bool> busy_closed{false};
  std::thread helper([&] {
    // Closed before stop() waits for the handler that is let go here.
    busy_closed = busy.peer_closes();
    go_on.set_value();
  });
  fixture.server->stop();
  CHECK(left);
  helper.join();
  CHECK(busy_closed);
  idle.write(text_of_one);
  CHECK(idle.peer_closes());
  CHECK(RawSocket::connect_to(fixture.server->port()).descriptor() < 0);
  CHECK(handled == 1);
  fixture.server->stop();
}

TEST_CASE("a handler may stop its own server") {
  std::promise<void> stopped;
  std::unique_ptr<HttpServer> server;
  IoThreads threads;
  auto started = start_http_server(threads, {}, [&](const HttpRequest&, const std::shared_ptr<Responder>&) {
    server->stop();
    stopped.set_value();
  });
  REQUIRE(started);
  server = *std::move(started);
  auto socket = RawSocket::connect_to(server->port());
  socket.write(text_of_one);
  CHECK(stopped.get_future().wait_for(patience) == std::future_status::ready);
  CHECK(socket.peer_closes());
}

TEST_CASE("a large answer to a client that reads slowly arrives whole") {
  const std::string body(8u << 20, 'y');
  const ServerFixture fixture([&](const HttpRequest&, const std::shared_ptr<Responder>& responder) {
    responder->send({200, {}, body});
  });
  auto socket = fixture.connect();
  socket.write(text_of_one);
  const auto answer = read_answer(socket);
  CHECK(answer.size() > body.size());
  CHECK(answer.ends_with(body));
}
