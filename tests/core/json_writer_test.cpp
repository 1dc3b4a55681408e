#include "core/json_writer.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "core/json.hpp"

using namespace drover;

TEST_CASE("members and elements are parted by commas at every level") {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  writer.member("a", 1);
  writer.key("b");
  writer.begin_array();
  writer.begin_object();
  writer.end_object();
  writer.begin_object();
  writer.member("c", true);
  writer.member("d", "x");
  writer.end_object();
  writer.null();
  writer.raw("[1]");
  writer.end_array();
  writer.key("e");
  writer.begin_array();
  writer.end_array();
  writer.member("f", -2.5);
  writer.end_object();
  CHECK(out == R"({"a":1,"b":[{},{"c":true,"d":"x"},null,[1]],"e":[],"f":-2.5})");
}

TEST_CASE("numbers are written in full") {
  std::string out;
  JsonWriter writer(out);
  writer.begin_array();
  writer.integer(std::numeric_limits<std::int64_t>::min());
  writer.unsigned_integer(std::numeric_limits<std::uint64_t>::max());
  writer.number(0.1);
  writer.number(1e300);
  writer.number(std::numeric_limits<double>::quiet_NaN());
  writer.number(std::numeric_limits<double>::infinity());
  writer.end_array();
  CHECK(out == "[-9223372036854775808,18446744073709551615,0.1,1e+300,null,null]");
}

TEST_CASE("whatever a text holds, it is read back by a JSON parser") {
  for (const std::string& text : {std::string("plain"), std::string("\"\\/\b\f\n\r\t"),
                                  std::string("\0\x01\x1F\x7F", 4), std::string("ü日本🙂\u2028"), std::string()}) {
    std::string out;
    JsonWriter(out).text(text);
    auto read = parse_json(out, "text");
    REQUIRE(read.ok());
    CHECK(read->get<std::string>() == text);
  }
}

TEST_CASE("a text that is not UTF-8 is repaired and not written as it is") {
  std::string out;
  JsonWriter(out).text("a\xED\xA0\x80\"b");
  CHECK(out == "\"a\uFFFD\\\"b\"");
}

TEST_CASE("durations are whole microseconds and times are ISO 8601") {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  writer.member("took_us", Duration{1'234'999});
  writer.member("at", UtcTime{std::chrono::microseconds{1'500'000}});
  writer.end_object();
  CHECK(out == R"({"took_us":1234,"at":"1970-01-01T00:00:01.500000Z"})");
}

TEST_CASE("an escape is found wherever it stands in a long text") {
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (const char escaped : {'"', '\\', '\n', '\0', '\x1F'}) {
        std::string text(length, 'x');
        text[at] = escaped;
        text.insert(at, "ü");
        std::string out;
        JsonWriter(out).text(text);
        REQUIRE(Json::parse(out).get<std::string>() == text);
      }
    }
  }
}
