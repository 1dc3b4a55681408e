#include <catch2/catch.hpp>
#include <vector>

#include "providers/text_rescue.hpp"
#include "providers/tool_arguments.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

std::optional<RescuedCall> rescue(std::string_view text) { return rescue_call_from_text(text, *two_tools()); }

const Json third{{"element", 3}, {"purpose", "open"}};

}  // namespace

TEST_CASE(
    "a call written as text is found in each of its forms, with the "
    "text before it",
    "[C3]") {
  const std::vector<std::string> texts{
      R"(I tap. <tool_call>{"name": "tap", "arguments": {"element": 3, "purpose": "open"}}</tool_call>)",
      R"(I tap. <tool_call>{"name": "tap", "arguments": "{\"element\": 3, \"purpose\": \"open\"}"})",
      "I tap. <function=tap>{\"element\": 3, \"purpose\": \"open\"}</function>",
      "I "
      "tap.\n<tool_call>\n<function=tap>\n<parameter=element>\n3\n</"
      "parameter>\n<parameter=purpose>\nopen\n</parameter>\n</function>\n</"
      "tool_call>",
      R"(I tap. <invoke name="tap"><parameter name="element">3</parameter>)"
      R"(<parameter name="purpose">open</parameter></invoke>)",
      "I tap. <"
      "antml:invoke name=\"tap\"><"
      "antml:parameter name=\"element\">3</"
      "antml:parameter><"
      "antml:parameter name=\"purpose\">open</"
      "antml:parameter></"
      "antml:invoke>",
      "I tap.\n```json\n{\"tool\": \"tap\", \"arguments\": {\"element\": 3, "
      "\"purpose\": \"open\"}}\n```",
      R"(I tap. {"name":"functions.tap","parameters":{"element":3,"purpose":"open"}})",
      R"(I tap. {"type":"function","function":{"name":"tap","arguments":{"element":3,"purpose":"open"}}})",
      R"(I tap. [TOOL_CALLS][{"name":"tap","arguments":{"element":3,"purpose":"open"}}])",
  };
  for (const auto& text : texts) {
    CAPTURE(text);
    const auto found = rescue(text);
    REQUIRE(found);
    CHECK(found->call.name == "tap");
    CHECK(found->call.arguments == third);
    CHECK(found->text_before.substr(0, 6) == "I tap.");
    CHECK_FALSE(found->form.empty());
  }
}

TEST_CASE("prose about tools and JSON of other kinds are no call", "[C3]") {
  for (const auto* const text :
       {"", "I would tap element 3.", "{}", "{\"element\": 3}", R"({"name":"tap"})",
        R"({"name":"dance","arguments":{}})", R"(<tool_call>{"name":"dance","arguments":{}}</tool_call>)",
        "<function=dance>{}</function>", "<invoke name=", "<tool_call>", "```json\n{\"a\": {\"name\": 1}}\n```",
        R"({"name":"tap","arguments":{"element":)", R"({"name":"tap","arguments":[3]})"}) {
    CAPTURE(text);
    CHECK_FALSE(rescue(text));
  }
}

TEST_CASE("the first call of several is taken") {
  const auto found = rescue(R"({"name":"tap","arguments":{"element":1}} {"name":"tap","arguments":{"element":2}})");
  REQUIRE(found);
  CHECK(found->call.arguments["element"] == 1);
}

TEST_CASE("text made to keep the rescue busy is given up on") {
  std::string braces(60000, '{');
  CHECK_FALSE(rescue(braces));
  std::string fences;
  for (int i = 0; i < 20000; ++i) fences += "```";
  CHECK_FALSE(rescue(fences + "{"));
  std::string marks;
  for (int i = 0; i < 6000; ++i) marks += "<function=";
  CHECK_FALSE(rescue(marks));
}

TEST_CASE(
    "values written as text become what the schema says, where they say "
    "exactly that") {
  const Json schema = Json::parse(
      R"({"type":"object","properties":{"n":{"type":"integer"},"x":{"type":"number"},
      "b":{"type":"boolean"},"s":{"type":"string"},"o":{"type":"object"},"a":{"type":"array"},
      "u":{"type":["integer","null"]}}})");
  Json arguments =
      Json::parse(R"({"n":"200","x":"1.5","b":"True","s":"7","o":"{\"k\":1}","a":"[1]","u":"3","other":"4"})");
  CHECK(coerce_to_schema(arguments, schema));
  CHECK(arguments == Json::parse(R"({"n":200,"x":1.5,"b":true,"s":"7","o":{"k":1},"a":[1],"u":3,"other":"4"})"));

  Json wrong = Json::parse(R"({"n":"2 hundred","x":"","b":"yes","o":"[1]","a":"{}"})");
  const Json before = wrong;
  CHECK_FALSE(coerce_to_schema(wrong, schema));
  CHECK(wrong == before);

  Json whole = Json::parse(R"({"n":3.0})");
  CHECK(coerce_to_schema(whole, schema));
  CHECK(whole["n"].is_number_integer());
}
