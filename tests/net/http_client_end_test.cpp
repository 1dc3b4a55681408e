// How requests end that get no answer: by their deadline, by cancellation, by the
// end of the client and of the threads. Each ends in exactly one callback.
#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "core/simulated_time.hpp"
#include "net/http_client.hpp"
#include "net/http_server.hpp"
#include "network_fixture.hpp"

using namespace drover;
using namespace drover::net;

namespace {

/// Takes a request, says that it came and waits for the client to go.
struct SilentServer {
  std::promise<void> request_came;
  std::promise<bool> client_went;
  std::string first_words;
  RawServer server{[this](RawSocket& socket, int) {
    socket.read_message();
    socket.write(first_words);
    request_came.set_value();
    client_went.set_value(socket.peer_closes());
  }};

  bool came() { return request_came.get_future().wait_for(patience) == std::future_status::ready; }
  bool went() {
    auto seen = client_went.get_future();
    return seen.wait_for(patience) == std::future_status::ready && seen.get();
  }
};

/// Keeps every responder, so that nothing is ever answered.
struct Hoard {
  std::mutex mutex;
  std::vector<std::shared_ptr<Responder>> responders;
  std::promise<void> full;
  std::size_t wanted = 0;

  HttpHandler handler() {
    return [this](const HttpRequest&, std::shared_ptr<Responder> responder) {
      const std::lock_guard lock(mutex);
      responders.push_back(std::move(responder));
      if (responders.size() == wanted) full.set_value();
    };
  }
};

}  // namespace

TEST_CASE("a request that is not answered in time ends with a timeout and closes its socket") {
  SilentServer silent;
  ClientFixture net;
  const auto outcome = net.get(silent.server.url("/?key=s3cret"), std::chrono::milliseconds{50});
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::timeout);
  CHECK(outcome.response.error().cause ==
        "127.0.0.1:" + std::to_string(silent.server.port()) + " did not answer within 0.05 s.");
  CHECK(outcome.timing.total >= std::chrono::milliseconds{50});
  CHECK(silent.went());
}

TEST_CASE("the timeout bounds an answer that drips in") {
  std::promise<bool> stopped;
  RawServer server([&](RawSocket& socket, int) {
    socket.read_message();
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
    stopped.set_value(socket.peer_closes());
  });
  ClientFixture net;
  const auto outcome = net.get(server.url(), std::chrono::milliseconds{50});
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::timeout);
  CHECK(stopped.get_future().get());
}

TEST_CASE("deadlines are kept in any order") {
  Hoard hoard;
  ClientFixture net;
  auto server = start_http_server(net.threads, {}, hoard.handler());
  REQUIRE(server);
  const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port());
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::future<HttpOutcome>> outcomes;
  std::promise<void> all;
  for (const int milliseconds : {180, 30, 120, 60}) {
    net.client->send({"GET", url, {}, ""}, std::chrono::milliseconds{milliseconds}, {},
                     [&, milliseconds](HttpOutcome outcome) {
                       const std::lock_guard lock(mutex);
                       if (!outcome.response && outcome.response.error().code == Errc::timeout)
                         order.push_back(milliseconds);
                       if (order.size() == 4) all.set_value();
                     });
  }
  REQUIRE(all.get_future().wait_for(patience) == std::future_status::ready);
  CHECK(order == std::vector<int>{30, 60, 120, 180});
}

TEST_CASE("a timeout passes in real time also where the measuring clock is simulated") {
  SilentServer silent;
  SimulatedTime time;
  IoThreads threads;
  const auto client = make_http_client(threads, time);
  std::promise<HttpOutcome> promise;
  client->send({"GET", silent.server.url(), {}, ""}, std::chrono::milliseconds{20}, {},
               [&](HttpOutcome outcome) { promise.set_value(std::move(outcome)); });
  auto future = promise.get_future();
  const auto outcome = wait_for(future);
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::timeout);
  CHECK(outcome.timing.total == Duration::zero());
}

TEST_CASE("a connection that does not come to be ends with the connect timeout") {
  const FullListener full;
  HttpClientOptions options;
  options.connect_timeout = std::chrono::milliseconds{40};
  ClientFixture net(options);
  const auto outcome = net.get(full.url());
  REQUIRE_FALSE(outcome.response);
  CHECK(outcome.response.error().code == Errc::timeout);
  CHECK(outcome.response.error().cause.find("No connection to 127.0.0.1:") == 0);
  CHECK(outcome.response.error().cause.find("0.04 s") != std::string::npos);
}

TEST_CASE("a request is cancelled while it connects") {
  const FullListener full;
  ClientFixture net;
  const CancelToken cancel;
  auto outcome = net.send({"GET", full.url(), {}, ""}, patience, cancel);
  cancel.cancel(CancelReason::user);
  const auto result = wait_for(outcome);
  REQUIRE_FALSE(result.response);
  CHECK(result.response.error().code == Errc::cancelled);
  CHECK(result.response.error().cause.find("(user)") != std::string::npos);
}

TEST_CASE("a request is cancelled while it waits for an answer, and its socket is closed at once") {
  SilentServer silent;
  silent.first_words = GENERATE("", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
  ClientFixture net;
  const CancelToken cancel;
  auto outcome = net.send({"GET", silent.server.url(), {}, ""}, patience, cancel.child());
  REQUIRE(silent.came());
  cancel.cancel(CancelReason::deadline);
  const auto result = wait_for(outcome);
  REQUIRE_FALSE(result.response);
  CHECK(result.response.error().code == Errc::cancelled);
  CHECK(silent.went());
}

TEST_CASE("a request with a token that was cancelled before is not sent") {
  RawServer server([](RawSocket&, int) {});
  ClientFixture net;
  const CancelToken cancel;
  cancel.cancel(CancelReason::request);
  auto outcome = net.send({"GET", server.url(), {}, ""}, patience, cancel);
  const auto result = wait_for(outcome);
  REQUIRE_FALSE(result.response);
  CHECK(result.response.error().code == Errc::cancelled);
  CHECK(server.connections() == 0);
}

TEST_CASE("cancelling after the answer changes nothing") {
  RawServer server([](RawSocket& socket, int) {
    while (!socket.read_message().empty()) socket.write(plain_answer("x"));
  });
  ClientFixture net;
  const CancelToken cancel;
  auto outcome = net.send({"GET", server.url(), {}, ""}, patience, cancel);
  CHECK(wait_for(outcome).response.ok());
  cancel.cancel(CancelReason::user);
  const auto next = net.get(server.url());
  CHECK(next.response.ok());
  CHECK(next.timing.reused);
}

TEST_CASE("the client's destructor ends every open request with one callback") {
  constexpr int requests = 50;
  Hoard hoard;
  hoard.wanted = requests;
  auto timers = make_timer_thread();
  IoThreads threads(2);
  auto server = start_http_server(threads, {}, hoard.handler());
  REQUIRE(server);
  auto client = make_http_client(threads, *timers);
  std::atomic<int> callbacks{0};
  std::atomic<int> cancelled{0};
  std::promise<void> all;
  for (int i = 0; i < requests; ++i) {
    client->send({"GET", "http://127.0.0.1:" + std::to_string((*server)->port()), {}, ""}, patience, {},
                 [&](HttpOutcome outcome) {
                   if (!outcome.response && outcome.response.error().code == Errc::cancelled) ++cancelled;
                   if (++callbacks == requests) all.set_value();
                 });
  }
  REQUIRE(hoard.full.get_future().wait_for(patience) == std::future_status::ready);
  client.reset();
  timers.reset();
  REQUIRE(all.get_future().wait_for(patience) == std::future_status::ready);
  threads.stop();
  CHECK(callbacks == requests);
  CHECK(cancelled == requests);
}

TEST_CASE("stopping the threads ends every open request before it returns") {
  constexpr int requests = 50;
  Hoard hoard;
  hoard.wanted = requests;
  const auto timers = make_timer_thread();
  IoThreads threads(GENERATE(1u, 3u));
  auto server = start_http_server(threads, {}, hoard.handler());
  REQUIRE(server);
  const auto client = make_http_client(threads, *timers);
  std::atomic<int> cancelled{0};
  const auto done = [&](const HttpOutcome& outcome) {
    if (!outcome.response && outcome.response.error().code == Errc::cancelled) ++cancelled;
  };
  const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port());
  for (int i = 0; i < requests; ++i) client->send({"GET", url, {}, ""}, patience, {}, done);
  REQUIRE(hoard.full.get_future().wait_for(patience) == std::future_status::ready);
  threads.stop();
  CHECK(cancelled == requests);
  client->send({"GET", url, {}, ""}, patience, {}, done);
  CHECK(cancelled == requests);
  // The responders outlive server and threads.
  (*server).reset();
  for (const auto& responder : hoard.responders) responder->send({});
}

TEST_CASE("client, server and responders may outlive the threads") {
  Hoard hoard;
  hoard.wanted = 1;
  const auto timers = make_timer_thread();
  auto threads = std::make_unique<IoThreads>(2);
  auto server = start_http_server(*threads, {}, hoard.handler());
  REQUIRE(server);
  auto client = make_http_client(*threads, *timers);
  int callbacks = 0;
  client->send({"GET", "http://127.0.0.1:" + std::to_string((*server)->port()), {}, ""}, patience, {},
               [&](const HttpOutcome&) { ++callbacks; });
  REQUIRE(hoard.full.get_future().wait_for(patience) == std::future_status::ready);
  threads.reset();
  CHECK(callbacks == 1);
  client.reset();
  server->reset();
  hoard.responders.clear();
  CHECK(callbacks == 1);
}

TEST_CASE("what begins after the threads have stopped does nothing") {
  const auto timers = make_timer_thread();
  IoThreads threads;
  threads.stop();
  const auto client = make_http_client(threads, *timers);
  client->send({"GET", "http://127.0.0.1:1/", {}, ""}, patience, {}, [](const HttpOutcome&) { FAIL("called back"); });
  client->send({"GET", "no url", {}, ""}, patience, {}, [](const HttpOutcome&) { FAIL("called back"); });
  const auto server = start_http_server(threads, {}, [](const HttpRequest&, const std::shared_ptr<Responder>&) {});
  CHECK(server.ok());
}

TEST_CASE("500 exchanges at once each get their own answer") {
  constexpr int requests = 500;
  ClientFixture net({}, 2);
  auto server =
      start_http_server(net.threads, {}, [](HttpRequest request, const std::shared_ptr<Responder>& responder) {
        responder->send({200, {}, request.target + " " + request.body});
      });
  REQUIRE(server);
  const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port()) + "/";
  for (int round = 0; round < 3; ++round) {
    std::vector<std::future<HttpOutcome>> outcomes;
    outcomes.reserve(requests);
    for (int i = 0; i < requests; ++i) {
      outcomes.push_back(net.send({"POST",
                                   url + std::to_string(i % 7),
                                   {},
                                   std::string(static_cast<std::size_t>(i) * 10, 'x') + std::to_string(i)}));
    }
    int right = 0;
    for (int i = 0; i < requests; ++i) {
      const auto outcome = wait_for(outcomes[static_cast<std::size_t>(i)]);
      REQUIRE(outcome.response);
      if (outcome.response->body ==
          "/" + std::to_string(i % 7) + " " + std::string(static_cast<std::size_t>(i) * 10, 'x') + std::to_string(i))
        ++right;
    }
    CHECK(right == requests);
  }
}

TEST_CASE("answers, cancellations and deadlines that race end each request once") {
  constexpr std::size_t requests = 400;
  ClientFixture net({}, 2);
  auto server = start_http_server(net.threads, {}, [](const HttpRequest&, const std::shared_ptr<Responder>& responder) {
    responder->send({200, {}, "x"});
  });
  REQUIRE(server);
  const std::string url = "http://127.0.0.1:" + std::to_string((*server)->port()) + "/";
  std::vector<CancelToken> tokens(requests);
  std::vector<std::atomic<int>> callbacks(requests);
  std::atomic<std::size_t> ended{0};
  std::promise<void> all;
  std::thread canceller([&] {
    for (std::size_t i = 0; i < requests; i += 2) tokens[i].cancel(CancelReason::request);
  });
  for (std::size_t i = 0; i < requests; ++i) {
    const Duration timeout = i % 5 == 0 ? Duration{std::chrono::microseconds{200}} : Duration{patience};
    net.client->send({"GET", url, {}, ""}, timeout, tokens[i], [&, i](const HttpOutcome&) {
      ++callbacks[i];
      if (++ended == requests) all.set_value();
    });
  }
  canceller.join();
  REQUIRE(all.get_future().wait_for(patience) == std::future_status::ready);
  net.client.reset();
  net.threads.stop();
  CHECK(std::all_of(callbacks.begin(), callbacks.end(), [](const auto& count) { return count == 1; }));
}
