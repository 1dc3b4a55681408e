#include "net/http_message.hpp"

#include <catch2/catch.hpp>

#include "net/http_writer.hpp"
#include "net/url.hpp"

using namespace drover;
using namespace drover::net;

TEST_CASE("header names compare without regard to case and keep their order") {
  Headers headers{{"Content-Type", "a"}, {"X-One", "1"}};
  headers.add("x-one", "2");
  CHECK(headers.get("content-type") == "a");
  CHECK(headers.get("X-ONE") == "1");
  CHECK(headers.size() == 3);
  headers.set("x-One", "3");
  CHECK(headers.size() == 2);
  CHECK(headers.get("x-one") == "3");
  CHECK(headers.get("none").empty());
  CHECK_FALSE(headers.has("none"));
}

TEST_CASE("a URL is taken apart as the request needs it") {
  const auto url = parse_url("https://api.example.com/v1/messages?beta=true");
  REQUIRE(url);
  CHECK(url->https);
  CHECK(url->host == "api.example.com");
  CHECK(url->port == 443);
  CHECK(url->target == "/v1/messages?beta=true");
  CHECK(url->host_header == "api.example.com");
  CHECK(url->place() == "api.example.com:443");

  const auto plain = parse_url("http://127.0.0.1:8080");
  REQUIRE(plain);
  CHECK_FALSE(plain->https);
  CHECK(plain->port == 8080);
  CHECK(plain->target == "/");
  CHECK(plain->host_header == "127.0.0.1:8080");

  const auto six = parse_url("http://[::1]:81/x");
  REQUIRE(six);
  CHECK(six->host == "::1");
  CHECK(six->host_header == "[::1]:81");
  CHECK(six->place() == "[::1]:81");

  const auto six_usual_port = parse_url("http://[::1]/x");
  REQUIRE(six_usual_port);
  CHECK(six_usual_port->host_header == "[::1]");
}

TEST_CASE("a URL that can't be called is refused without showing its secrets") {
  for (const auto* text :
       {"", "api.example.com/v1", "ftp://example.com/", "http:///x", "https://user:s3cret@example.com/",
        "http://example.com:0/?key=s3cret", "http://exa mple.com/?key=s3cret", "/v1?key=s3cret"}) {
    const auto url = parse_url(text);
    INFO(text);
    REQUIRE_FALSE(url);
    CHECK(url.error().code == Errc::invalid_argument);
    CHECK(url.error().describe().find("s3cret") == std::string::npos);
    CHECK_FALSE(url.error().cause.empty());
  }
}

TEST_CASE("a request's head carries host, length and the caller's fields") {
  const auto url = parse_url("http://example.com:8080/v1?q=1");
  REQUIRE(url);
  const auto head =
      request_head({"POST", "", {{"X-Api-Key", "k"}, {"content-length", "9"}, {"Host", "x"}}, "abc"}, *url, "drover");
  REQUIRE(head);
  CHECK(*head ==
        "POST /v1?q=1 HTTP/1.1\r\nHost: example.com:8080\r\nX-Api-Key: k\r\nUser-Agent: drover\r\n"
        "Content-Length: 3\r\n\r\n");
  const auto get = request_head({"GET", "", {{"User-Agent", "mine"}}, ""}, *url, "drover");
  REQUIRE(get);
  CHECK(*get == "GET /v1?q=1 HTTP/1.1\r\nHost: example.com:8080\r\nUser-Agent: mine\r\n\r\n");
}

TEST_CASE("a header that would break the request's lines is refused by name, not by value") {
  const auto url = parse_url("http://example.com/");
  REQUIRE(url);
  const auto head = request_head({"GET", "", {{"X-Api-Key", "s3cret\r\nX-Evil: 1"}}, ""}, *url, "drover");
  REQUIRE_FALSE(head);
  CHECK(head.error().code == Errc::invalid_argument);
  CHECK(head.error().cause.find("X-Api-Key") != std::string::npos);
  CHECK(head.error().describe().find("s3cret") == std::string::npos);
  CHECK_FALSE(request_head({"GET", "", {{"X Y", "1"}}, ""}, *url, ""));
  CHECK_FALSE(request_head({"GET /\r\n", "", {}, ""}, *url, ""));
}

TEST_CASE("an answer's head keeps a line break in a value from becoming a line") {
  const auto head = response_head({429, {{"Retry-After", "1\r\nX: y"}}, ""}, {5, false, true});
  CHECK(head ==
        "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1  X: y\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
  CHECK(response_head({529, {}, ""}, {}) == "HTTP/1.1 529 Overloaded\r\n\r\n");
}
