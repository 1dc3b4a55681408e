#include "core/json.hpp"

#include <catch2/catch.hpp>

using namespace drover;

TEST_CASE("a JSON text is parsed and a broken one names its source") {
  auto parsed = parse_json(R"({"a":[1,2,{"b":null}]})", "the answer");
  REQUIRE(parsed.ok());
  CHECK((*parsed)["a"].size() == 3);
  for (const auto* text : {"", "{", "{\"a\":}", "[1,]", "nul", "{\"a\":1} x", "\"\xFF\"", "1e9999"}) {
    CAPTURE(text);
    auto broken = parse_json(text, "the answer");
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().code == Errc::malformed);
    CHECK_THAT(broken.error().cause, Catch::StartsWith("the answer is not JSON: "));
    CHECK_THAT(broken.error().cause, !Catch::Contains("json.exception"));
    CHECK(broken.error().cause.size() < 300);
  }
}

TEST_CASE("deep nesting is refused before it can exhaust the stack") {
  CHECK(parse_json(std::string(512, '[') + std::string(512, ']'), "x").ok());
  auto deep = parse_json(std::string(513, '[') + std::string(513, ']'), "x");
  REQUIRE_FALSE(deep.ok());
  CHECK_THAT(deep.error().cause, Catch::Contains("512"));
  CHECK_FALSE(parse_json(std::string(1'000'000, '['), "x").ok());
  CHECK_FALSE(parse_json("{\"a\":" + std::string(100'000, '{'), "x").ok());
}

TEST_CASE("brackets inside texts don't count as nesting") {
  CHECK(parse_json("\"" + std::string(2000, '[') + "\\\"" + std::string(2000, '{') + "\"", "x").ok());
}

TEST_CASE("bytes that are not UTF-8 are dumped as replacement characters") {
  CHECK(dump_json(Json{{"a", "x\xFFy"}}) == "{\"a\":\"x\uFFFDy\"}");
}

TEST_CASE("members are read with a fallback for what is absent, null or of another type") {
  const Json object = {{"text", "word"}, {"count", 3},         {"real", 2.5},       {"whole", 4.0},
                       {"yes", true},    {"nothing", nullptr}, {"big", UINT64_MAX}, {"below", -1}};
  CHECK(text_or(object, "text") == "word");
  CHECK(text_or(object, "count", "none") == "none");
  CHECK(text_or(object, "absent", "none") == "none");
  CHECK(text_or(object, "nothing", "none") == "none");
  CHECK(text_or(Json(3), "text", "none") == "none");
  CHECK(integer_or(object, "count") == 3);
  CHECK(integer_or(object, "whole") == 4);
  CHECK(integer_or(object, "real", 7) == 7);
  CHECK(integer_or(object, "big", 7) == 7);
  CHECK(integer_or(object, "text", 7) == 7);
  CHECK(number_or(object, "real") == 2.5);
  CHECK(number_or(object, "count") == 3);
  CHECK(number_or(object, "yes", 1.5) == 1.5);
  CHECK(boolean_or(object, "yes"));
  CHECK(boolean_or(object, "count", true));
  CHECK_FALSE(optional_boolean(object, "nothing").has_value());
  CHECK(optional_boolean(object, "yes") == true);
  CHECK(count_or(object, "big") == UINT64_MAX);
  CHECK(count_or(object, "below", 5) == 5);
  CHECK(small_count_or(object, "big", 6) == 6);
  CHECK(member(object, "nothing").is_null());
  CHECK(member(Json::array(), "x").is_null());
}
