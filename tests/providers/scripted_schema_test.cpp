#include <catch2/catch.hpp>

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/chat_request.hpp"
#include "providers/scripted/messages_request.hpp"
#include "providers/scripted/responses_request.hpp"
#include "providers/structured_call.hpp"
#include "providers/wire_fixtures.hpp"

namespace {

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::scripted;

std::optional<Refusal> refusal_of(const CheckedCall& checked) {
  const auto* const refusal = std::get_if<Refusal>(&checked);
  return refusal == nullptr ? std::nullopt : std::optional{*refusal};
}

std::optional<Refusal> by_anthropic(Json body) {
  net::HttpRequest request;
  request.headers = {{"anthropic-version", "2026-10-21"}};
  body.update({{"model", "drover-rules-1"},
               {"max_tokens", 100},
               {"messages", Json::array({{{"role", "user"}, {"content", "Task: look"}}})}});
  return refusal_of(check_messages_request(request, body, false));
}

std::optional<Refusal> by_openai(Json body) {
  body.update(
      {{"model", "drover-rules-1"}, {"messages", Json::array({{{"role", "user"}, {"content", "Task: look"}}})}});
  return refusal_of(check_chat_request(net::HttpRequest{}, body));
}

std::optional<Refusal> anthropic_tool(const Json& schema) {
  return by_anthropic({{"tools", Json::array({{{"name", "tap"}, {"input_schema", schema}}})}});
}

std::optional<Refusal> openai_tool(const Json& schema, bool strict = false) {
  const Json function = {{"name", "tap"}, {"parameters", schema}, {"strict", strict}};
  return by_openai({{"tools", Json::array({{{"type", "function"}, {"function", function}}})}});
}

/// A tool's schema with one property.
Json with_property(const Json& property) { return {{"type", "object"}, {"properties", {{"element", property}}}}; }

Json json(const char* text) { return Json::parse(text); }

bool says(const std::optional<Refusal>& refusal, std::string_view words) {
  return refusal && refusal->message.find(words) != std::string::npos;
}

/// A schema with one wrong value, and the place and the fault that are told.
struct Malformed {
  const char* schema;
  const char* fault;
};

void check_both_refuse(const Malformed& wrong) {
  CAPTURE(wrong.schema);
  const auto schema = json(wrong.schema);
  const auto anthropic = anthropic_tool(schema);
  REQUIRE(anthropic);
  CAPTURE(anthropic->message);
  CHECK(anthropic->status == 400);
  CHECK(anthropic->type == "invalid_request_error");
  CHECK(anthropic->message.rfind("tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft "
                                 "2020-12 (https://json-schema.org/draft/2020-12).",
                                 0) == 0);
  CHECK(says(anthropic, wrong.fault));
  const auto openai = openai_tool(schema);
  REQUIRE(openai);
  CAPTURE(openai->message);
  CHECK(openai->status == 400);
  CHECK(openai->type == "invalid_request_error");
  CHECK(openai->param == "tools[0].function.parameters");
  CHECK(openai->code == "invalid_function_parameters");
  CHECK(openai->message.rfind("Invalid schema for function 'tap': ", 0) == 0);
  CHECK(says(openai, wrong.fault));
}

}  // namespace

TEST_CASE("a type that JSON Schema does not know is refused in both formats") {
  check_both_refuse(GENERATE(
      Malformed{R"({"type":"object","properties":{"element":{"type":"intger"}}})",
                "'intger' is not valid under any of the given schemas (at properties.element.type)"},
      Malformed{R"({"type":"object","properties":{"element":{"type":null}}})", "None is not valid under any"},
      Malformed{R"({"type":"object","properties":{"element":{"type":5}}})", "5 is not valid under any"},
      Malformed{R"({"type":"object","properties":{"element":{"type":[]}}})", "[] is not valid under any"},
      Malformed{R"({"type":"object","properties":{"element":{"type":["string","string"]}}})", "is not valid under any"},
      Malformed{R"({"type":"object","properties":{"element":{"type":["string","nil"]}}})", "is not valid under any"}));
}

TEST_CASE("properties that are no object of schemas are refused in both formats") {
  check_both_refuse(GENERATE(
      Malformed{R"({"type":"object","properties":{"element":"integer"}})",
                "'integer' is not of type 'object', 'boolean' (at properties.element)"},
      Malformed{R"({"type":"object","properties":{"element":[]}})", "[] is not of type 'object', 'boolean'"},
      Malformed{R"({"type":"object","properties":{"element":null}})", "None is not of type 'object', 'boolean'"},
      Malformed{R"({"type":"object","properties":{"at":{"type":"object","properties":["x","y"]}}})",
                "is not of type 'object' (at properties.at.properties)"},
      Malformed{R"({"type":"object","properties":{},"$defs":{"place":1}})", "1 is not of type 'object', 'boolean'"},
      Malformed{R"({"type":"object","properties":{},"patternProperties":[]})", "[] is not of type 'object'"}));
  CHECK(says(anthropic_tool(json(R"({"type":"object","properties":["element"]})")),
             "tools.0.custom.input_schema.properties: Input should be a valid dictionary"));
  CHECK(says(openai_tool(json(R"({"type":"object","properties":["element"]})")), "is not of type 'object'"));
}

TEST_CASE("required that is no list of different texts is refused in both formats") {
  check_both_refuse(GENERATE(
      Malformed{R"({"type":"object","properties":{},"required":"x"})", "'x' is not of type 'array' (at required)"},
      Malformed{R"({"type":"object","properties":{},"required":[1]})", "1 is not of type 'string'"},
      Malformed{R"({"type":"object","properties":{},"required":["x","x"]})", "has non-unique elements"},
      Malformed{R"({"type":"object","properties":{"at":{"type":"object","required":true}}})",
                "True is not of type 'array' (at properties.at.required)"}));
}

TEST_CASE("items and additionalProperties that are no schema are refused in both formats") {
  check_both_refuse(GENERATE(
      Malformed{R"({"type":"object","properties":{"list":{"type":"array","items":"string"}}})",
                "'string' is not of type 'object', 'boolean' (at properties.list.items)"},
      Malformed{R"({"type":"object","properties":{"list":{"type":"array","items":[{"type":"string"}]}}})",
                "is not of type 'object', 'boolean'"},
      Malformed{R"({"type":"object","properties":{"list":{"type":"array","items":{"type":"str"}}}})",
                "'str' is not valid under any of the given schemas (at properties.list.items.type)"},
      Malformed{R"({"type":"object","properties":{},"additionalProperties":"no"})",
                "'no' is not of type 'object', 'boolean'"},
      Malformed{R"({"type":"object","properties":{},"additionalProperties":{"type":"any"}})",
                "'any' is not valid under any"},
      Malformed{R"({"type":"object","properties":{"x":{"not":[]}}})", "[] is not of type 'object', 'boolean'"}));
}

TEST_CASE("an enum that is no list, or an empty one, is refused in both formats") {
  check_both_refuse(
      GENERATE(Malformed{R"({"type":"object","properties":{"way":{"type":"string","enum":"up"}}})",
                         "'up' is not of type 'array' (at properties.way.enum)"},
               Malformed{R"({"type":"object","properties":{"way":{"enum":{"up":1}}}})", "is not of type 'array'"},
               Malformed{R"({"type":"object","properties":{"way":{"enum":[]}}})", "[] is too short"}));
}

TEST_CASE("alternatives that are no list of schemas are refused in both formats") {
  const auto keyword = GENERATE(as<std::string>{}, "anyOf", "oneOf", "allOf");
  const auto refused = [&](const Json& value, const char* fault) {
    const auto schema = dump_json(with_property({{keyword, value}}));
    check_both_refuse({schema.c_str(), fault});
  };
  refused({{"type", "string"}}, "is not of type 'array'");
  refused(Json::array(), "[] is too short");
  refused(Json::array({"string"}), "'string' is not of type 'object', 'boolean'");
  refused(Json::array({{{"type", "string"}}, {{"type", "text"}}}),
          "'text' is not valid under any of the given schemas");
}

TEST_CASE("bounds and descriptions of the wrong kind are refused in both formats") {
  check_both_refuse(GENERATE(
      Malformed{R"({"type":"object","properties":{"x":{"type":"integer","minimum":"1"}}})",
                "'1' is not of type 'number'"},
      Malformed{R"({"type":"object","properties":{"x":{"exclusiveMinimum":true}}})", "True is not of type 'number'"},
      Malformed{R"({"type":"object","properties":{"x":{"multipleOf":0}}})", "less than or equal to the minimum of 0"},
      Malformed{R"({"type":"object","properties":{"x":{"minLength":-1}}})", "-1 is less than the minimum of 0"},
      Malformed{R"({"type":"object","properties":{"x":{"maxItems":1.5}}})", "1.5 is not of type 'integer'"},
      Malformed{R"({"type":"object","properties":{"x":{"uniqueItems":"yes"}}})", "'yes' is not of type 'boolean'"},
      Malformed{R"({"type":"object","properties":{"x":{"description":7}}})", "7 is not of type 'string'"}));
}

TEST_CASE("a schema that nests too deep is refused, and one that is just deep is not") {
  const auto nested = [](int levels) {
    Json schema = {{"type", "string"}};
    for (int i = 1; i < levels; ++i) schema = with_property(schema);
    return schema;
  };
  CHECK_FALSE(anthropic_tool(nested(64)));
  CHECK_FALSE(openai_tool(nested(64)));
  CHECK(says(anthropic_tool(nested(65)), "deeper than 64 levels"));
  CHECK(says(openai_tool(nested(65)), "deeper than 64 levels"));
  CHECK(says(anthropic_tool(nested(200)), "deeper than 64 levels"));
}

TEST_CASE("each service restricts the top of a tool's schema in its own words") {
  CHECK(says(anthropic_tool(json("[]")), "tools.0.custom.input_schema: Input should be a valid dictionary"));
  CHECK(says(anthropic_tool(json("{}")), "tools.0.custom.input_schema.type: Field required"));
  CHECK(says(anthropic_tool(json(R"({"type":["object"]})")), "input_schema.type: Input should be 'object'"));
  CHECK(says(openai_tool(json("[]")), "Invalid schema for function 'tap': [] is not of type 'object'."));
  CHECK(says(openai_tool(json("{}")), "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"None\"'."));
  CHECK(says(openai_tool(json(R"({"type":"string"})")), "got 'type: \"string\"'."));
  for (const auto* keyword : {"anyOf", "oneOf", "allOf"}) {
    auto schema = with_property({{"type", "integer"}});
    schema[keyword] = Json::array({{{"required", {"element"}}}});
    CHECK(says(anthropic_tool(schema), "input_schema does not support oneOf, allOf, or anyOf at the top level"));
    CHECK(says(openai_tool(schema), "not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."));
  }
  // What only one of the two asks for.
  CHECK_FALSE(anthropic_tool(json(R"({"type":"object"})")));
  CHECK_FALSE(anthropic_tool(json(R"({"type":"object","properties":null,"required":null})")));
  CHECK(says(openai_tool(json(R"({"type":"object"})")), "In context=(), object schema missing properties."));
  CHECK(says(openai_tool(json(R"({"type":"object","properties":{},"required":null})")), "None is not of type 'array'"));
  const auto list = json(R"({"type":"object","properties":{"list":{"type":["string","array"]}}})");
  CHECK_FALSE(anthropic_tool(list));
  CHECK(says(openai_tool(list), "In context=('properties', 'list', 'type', '1'), array schema missing items."));
  const auto key = json(R"({"type":"object","properties":{"the element":{"type":"integer"}}})");
  CHECK(says(anthropic_tool(key), "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"));
  CHECK_FALSE(openai_tool(key));
}

TEST_CASE("a strict function is held to the strict rules at every depth") {
  const auto outer = [](const char* place) {
    return Json{{"type", "object"},
                {"properties", {{"at", json(place)}}},
                {"required", {"at"}},
                {"additionalProperties", false}};
  };
  const auto whole =
      outer(R"({"type":"object","properties":{"x":{"type":"integer"}},"required":["x"],"additionalProperties":false})");
  CHECK_FALSE(openai_tool(whole, true));
  const auto open = outer(R"({"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]})");
  CHECK(says(openai_tool(open, true),
             "In context=('properties', 'at'), 'additionalProperties' is required to be supplied and to be false."));
  CHECK_FALSE(openai_tool(open, false));
  CHECK(
      says(openai_tool(outer(R"({"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false})"),
                       true),
           "In context=('properties', 'at'), 'required' is required to be supplied and to be an array including "
           "every key in properties. Missing 'x'."));
  CHECK(says(openai_tool(outer(R"({"description":"anything"})"), true),
             "In context=('properties', 'at'), schema must have a 'type' key."));
  CHECK_FALSE(openai_tool(outer(R"({"anyOf":[{"type":"string"},{"type":"null"}]})"), true));
}

TEST_CASE("what JSON Schema allows is taken in both formats") {
  const auto schema = GENERATE(
      as<std::string>{}, R"({"type":"object","properties":{}})",
      R"({"type":"object","properties":{"a":true,"b":{},"c":{"type":["string","null"]}},"required":[]})",
      R"({"type":"object","properties":{"type":{"type":"string"},"enum":{"type":"integer"},"required":{"type":"boolean"}}})",
      R"({"type":"object","properties":{"a":{"enum":["up",1,null]},"b":{"const":"intger"},"c":{"default":{"type":"intger"}}}})",
      R"({"type":"object","properties":{"a":{"type":"array","items":true,"minItems":1.0},"b":{"type":"array","prefixItems":[{"type":"string"}]}}})",
      R"({"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/n"}]}},"$defs":{"n":{"type":"number","minimum":-1.5,"multipleOf":0.5}}})",
      R"({"type":"object","properties":{"a":{"type":"string","x-order":[1],"nullable":true}},"additionalProperties":{"type":"string"}})");
  CAPTURE(schema);
  CHECK_FALSE(anthropic_tool(json(schema.c_str())));
  CHECK_FALSE(openai_tool(json(schema.c_str())));
}

TEST_CASE("schemas of structured output are held to the shape, too") {
  const auto output = [](const Json& schema) {
    return by_anthropic({{"output_config", {{"format", {{"type", "json_schema"}, {"schema", schema}}}}}});
  };
  const auto response = [](const Json& schema) {
    const Json named = {{"name", "call"}, {"schema", schema}};
    return by_openai({{"response_format", {{"type", "json_schema"}, {"json_schema", named}}}});
  };
  const auto wrong = with_property({{"type", "intger"}});
  CHECK(says(output(wrong), "output_config.format.schema: JSON schema is invalid."));
  CHECK(says(response(wrong), "Invalid schema for response_format 'call': 'intger' is not valid"));
  CHECK(response(wrong)->param == "response_format");
  CHECK(response(wrong)->code.empty());
  CHECK_FALSE(output(structured_call_schema(*testing::two_tools())));
  CHECK_FALSE(response(structured_call_schema(*testing::two_tools())));
}

TEST_CASE("what Drover's clients send of tools is taken") {
  const auto rung = GENERATE(Rung::automatic, Rung::forced, Rung::reminder, Rung::structured);
  auto request = testing::sample_request();
  request.rung = rung;
  const auto anthropic = testing::anthropic_client("drover-rules-1")->encode(request).http;
  CHECK_FALSE(refusal_of(check_messages_request(anthropic, Json::parse(anthropic.body), false)));
  const auto openai = testing::openai_client("drover-rules-1")->encode(request).http;
  CHECK_FALSE(refusal_of(check_chat_request(openai, Json::parse(openai.body))));
  for (const auto* const model : {"drover-rules-1", "gpt-5", "gpt-5.6", "gpt-6", "o4-mini", "gpt-4.1"}) {
    const auto responses = testing::responses_client(model)->encode(request).http;
    const Json body = Json::parse(responses.body);
    const auto refusal = refusal_of(check_responses_request(responses, body));
    INFO(model << ": " << (refusal ? refusal->message : std::string()));
    CHECK_FALSE(refusal);
  }
}
