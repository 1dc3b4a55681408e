#include "net/http_reader.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace drover::net;

namespace {

using RequestReader = HttpReader<HttpRequest>;
using ResponseReader = HttpReader<HttpResponse>;

const std::string chunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n"
    "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\n";

}  // namespace

TEST_CASE("an answer is the same however its bytes are cut") {
  for (std::size_t piece = 1; piece <= chunked.size(); ++piece) {
    ResponseReader reader({});
    auto progress = ReadProgress::incomplete;
    for (std::size_t at = 0; at < chunked.size(); at += piece) {
      REQUIRE(progress == ReadProgress::incomplete);
      progress = reader.feed(std::string_view(chunked).substr(at, piece));
    }
    REQUIRE(progress == ReadProgress::complete);
    CHECK(reader.keep_alive());
    CHECK(reader.excess() == 0);
    const auto response = reader.take();
    CHECK(response.status == 200);
    CHECK(response.headers.get("x-a") == "b");
    CHECK(response.body == "hello world");
  }
}

TEST_CASE("a request is the same however its bytes are cut") {
  const std::string text = "\r\nPOST /v1?x=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    RequestReader reader({});
    auto progress = ReadProgress::incomplete;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      progress = reader.feed(std::string_view(text).substr(at, piece));
    }
    INFO(piece);
    REQUIRE(progress == ReadProgress::complete);
    const auto request = reader.take();
    CHECK(request.method == "POST");
    CHECK(request.target == "/v1?x=1");
    CHECK(request.body == "body");
  }
}

TEST_CASE("bytes behind a message belong to the next") {
  RequestReader reader({});
  REQUIRE(reader.feed("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nGET /3") ==
          ReadProgress::complete);
  CHECK(reader.take().target == "/1");
  CHECK(reader.excess() > 0);
  reader.begin();
  REQUIRE(reader.feed({}) == ReadProgress::complete);
  CHECK(reader.take().target == "/2");
  reader.begin();
  REQUIRE(reader.feed({}) == ReadProgress::incomplete);
  REQUIRE(reader.feed(" HTTP/1.1\r\nHost: h\r\n\r\n") == ReadProgress::complete);
  CHECK(reader.take().target == "/3");
  CHECK(reader.excess() == 0);
}

TEST_CASE("interim answers are skipped, but not for ever") {
  ResponseReader reader({});
  REQUIRE(reader.feed("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
                      "Content-Length: 1\r\n\r\na") == ReadProgress::complete);
  const auto response = reader.take();
  CHECK(response.status == 200);
  CHECK(response.headers.size() == 1);

  ResponseReader endless({});
  auto progress = ReadProgress::incomplete;
  for (int i = 0; i < 100 && progress == ReadProgress::incomplete; ++i) {
    progress = endless.feed("HTTP/1.1 100 Continue\r\n\r\n");
  }
  CHECK(progress == ReadProgress::failed);
}

TEST_CASE("answers without a body end with their head") {
  for (const auto* text : {"HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"}) {
    ResponseReader reader({});
    INFO(text);
    REQUIRE(reader.feed(text) == ReadProgress::complete);
    CHECK(reader.take().body.empty());
  }
  ResponseReader head({});
  head.begin(true);
  REQUIRE(head.feed("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n") == ReadProgress::complete);
  CHECK(head.keep_alive());
  CHECK(head.take().body.empty());
}

TEST_CASE("an answer without a length ends with the connection") {
  ResponseReader reader({});
  REQUIRE(reader.feed("HTTP/1.1 200 OK\r\n\r\nab") == ReadProgress::incomplete);
  REQUIRE(reader.feed("cd") == ReadProgress::incomplete);
  REQUIRE(reader.end_of_stream() == ReadProgress::complete);
  CHECK_FALSE(reader.keep_alive());
  CHECK(reader.take().body == "abcd");
}

TEST_CASE("a message that is cut short is told from one that is complete") {
  for (const auto* text : {"HTTP/1.1 20", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 200 OK\r\nA: b"}) {
    ResponseReader reader({});
    INFO(text);
    REQUIRE(reader.feed(text) == ReadProgress::incomplete);
    REQUIRE(reader.end_of_stream() == ReadProgress::failed);
    CHECK(reader.failure() == ReadFailure::cut_short);
  }
}

TEST_CASE("what is too large is refused as soon as it is known") {
  const ReadLimits limits{256, 10};
  ResponseReader by_length(limits);
  REQUIRE(by_length.feed("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n") == ReadProgress::failed);
  CHECK(by_length.failure() == ReadFailure::body_too_large);

  ResponseReader by_chunks(limits);
  REQUIRE(by_chunks.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n6\r\nabcdef\r\n") ==
          ReadProgress::failed);
  CHECK(by_chunks.failure() == ReadFailure::body_too_large);

  ResponseReader by_end(limits);
  REQUIRE(by_end.feed("HTTP/1.1 200 OK\r\n\r\nabcdefghijk") == ReadProgress::failed);
  CHECK(by_end.failure() == ReadFailure::body_too_large);

  ResponseReader head(limits);
  REQUIRE(head.feed("HTTP/1.1 200 OK\r\nX: " + std::string(300, 'x')) == ReadProgress::failed);
  CHECK(head.failure() == ReadFailure::head_too_large);

  ResponseReader extension(limits);
  auto progress = extension.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;");
  for (int i = 0; i < 100 && progress == ReadProgress::incomplete; ++i) progress = extension.feed("xxxxxxxxxx");
  REQUIRE(progress == ReadProgress::failed);
}

TEST_CASE("what is not HTTP is refused") {
  for (const auto* text : {"SSH-2.0-OpenSSH_9\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
                           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"}) {
    ResponseReader reader({});
    INFO(text);
    REQUIRE(reader.feed(text) == ReadProgress::failed);
    CHECK(reader.failure() == ReadFailure::malformed);
    CHECK_FALSE(reader.problem().empty());
  }
  RequestReader smuggler({});
  CHECK(smuggler.feed("POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n") ==
        ReadProgress::failed);
}

TEST_CASE("a client that waits for permission to send its body is recognised") {
  RequestReader reader({});
  REQUIRE(reader.feed("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n") ==
          ReadProgress::incomplete);
  CHECK(reader.expects_continue());
  REQUIRE(reader.feed("ab") == ReadProgress::complete);
  CHECK_FALSE(reader.expects_continue());
}
