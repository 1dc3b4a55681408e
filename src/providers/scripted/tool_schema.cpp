#include "providers/scripted/tool_schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "providers/scripted/chat_refusal.hpp"
#include "providers/scripted/messages_refusal.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t deepest_schema = 64;
constexpr std::size_t longest_property = 64;
constexpr std::size_t longest_quote = 60;
constexpr std::size_t longest_place = 200;

/// What the draft takes as the value of a keyword.
enum class Shape : std::uint8_t {
  schema,
  schema_list,
  schema_map,
  type,
  text,
  text_list,
  values,   ///< Any list.
  choices,  ///< A list that is not empty.
  number,
  positive,
  count,
  flag
};

struct KeywordRow {
  std::string_view name;
  Shape shape;
};

constexpr KeywordRow keyword_rows[] = {
    {"$anchor", Shape::text},
    {"$comment", Shape::text},
    {"$defs", Shape::schema_map},
    {"$id", Shape::text},
    {"$ref", Shape::text},
    {"$schema", Shape::text},
    {"additionalProperties", Shape::schema},
    {"allOf", Shape::schema_list},
    {"anyOf", Shape::schema_list},
    {"contains", Shape::schema},
    {"definitions", Shape::schema_map},
    {"dependentSchemas", Shape::schema_map},
    {"deprecated", Shape::flag},
    {"description", Shape::text},
    {"else", Shape::schema},
    {"enum", Shape::choices},
    {"examples", Shape::values},
    {"exclusiveMaximum", Shape::number},
    {"exclusiveMinimum", Shape::number},
    {"format", Shape::text},
    {"if", Shape::schema},
    {"items", Shape::schema},
    {"maxContains", Shape::count},
    {"maxItems", Shape::count},
    {"maxLength", Shape::count},
    {"maxProperties", Shape::count},
    {"maximum", Shape::number},
    {"minContains", Shape::count},
    {"minItems", Shape::count},
    {"minLength", Shape::count},
    {"minProperties", Shape::count},
    {"minimum", Shape::number},
    {"multipleOf", Shape::positive},
    {"not", Shape::schema},
    {"oneOf", Shape::schema_list},
    {"pattern", Shape::text},
    {"patternProperties", Shape::schema_map},
    {"prefixItems", Shape::schema_list},
    {"properties", Shape::schema_map},
    {"propertyNames", Shape::schema},
    {"readOnly", Shape::flag},
    {"required", Shape::text_list},
    {"then", Shape::schema},
    {"title", Shape::text},
    {"type", Shape::type},
    {"unevaluatedItems", Shape::schema},
    {"unevaluatedProperties", Shape::schema},
    {"uniqueItems", Shape::flag},
    {"writeOnly", Shape::flag},
};
static_assert(std::is_sorted(std::begin(keyword_rows), std::end(keyword_rows),
                             [](const KeywordRow& a, const KeywordRow& b) { return a.name < b.name; }));

const KeywordRow* find_keyword(std::string_view name) {
  const auto* const row =
      std::lower_bound(std::begin(keyword_rows), std::end(keyword_rows), name,
                       [](const KeywordRow& keyword, std::string_view wanted) { return keyword.name < wanted; });
  return row != std::end(keyword_rows) && row->name == name ? row : nullptr;
}

/// The way from the root of a schema: {"properties", "city", "type"}.
using Place = std::vector<std::string>;

struct Fault {
  Place place;
  std::string what;  ///< Without a full stop.
};

using Finding = std::optional<Fault>;

/// A value as OpenAI's messages quote it.
std::string quote(const Json& value) {
  if (value.is_null()) return "None";
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return "'" + shorten(repair_utf8(value.get_ref<const std::string&>()), longest_quote) + "'";
  return shorten(dump_json(value), longest_quote);
}

std::string not_of_type(const Json& value, std::string_view types) {
  return quote(value) + " is not of type " + std::string{types};
}

bool is_type_name(const Json& value) {
  constexpr std::string_view names[] = {"array", "boolean", "integer", "null", "number", "object", "string"};
  return value.is_string() &&
         std::find(std::begin(names), std::end(names), value.get_ref<const std::string&>()) != std::end(names);
}

bool all_differ(const Json& texts) {
  std::set<std::string_view> seen;
  return std::all_of(texts.begin(), texts.end(), [&](const Json& text) {
    return seen.insert(std::string_view{text.get_ref<const std::string&>()}).second;
  });
}

/// What is wrong with the value of a keyword, the schemas in it aside; empty: nothing.
std::string value_fault(Shape shape, const Json& value) {
  switch (shape) {
    case Shape::schema:
      return {};
    case Shape::schema_map:
      return value.is_object() ? std::string{} : not_of_type(value, "'object'");
    case Shape::schema_list:
    case Shape::choices:
      if (!value.is_array()) return not_of_type(value, "'array'");
      return value.empty() ? "[] is too short" : std::string{};
    case Shape::values:
      return value.is_array() ? std::string{} : not_of_type(value, "'array'");
    case Shape::type: {
      const bool names = value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), is_type_name);
      if (is_type_name(value) || (names && all_differ(value))) return {};
      return quote(value) + " is not valid under any of the given schemas";
    }
    case Shape::text:
      return value.is_string() ? std::string{} : not_of_type(value, "'string'");
    case Shape::text_list: {
      if (!value.is_array()) return not_of_type(value, "'array'");
      for (const Json& text : value) {
        if (!text.is_string()) return not_of_type(text, "'string'");
      }
      return all_differ(value) ? std::string{} : quote(value) + " has non-unique elements";
    }
    case Shape::number:
      return value.is_number() ? std::string{} : not_of_type(value, "'number'");
    case Shape::positive:
      if (!value.is_number()) return not_of_type(value, "'number'");
      return value.get<double>() > 0 ? std::string{} : quote(value) + " is less than or equal to the minimum of 0";
    case Shape::count: {
      const bool whole = value.is_number() && std::floor(value.get<double>()) == value.get<double>();
      if (!whole) return not_of_type(value, "'integer'");
      return value.get<double>() >= 0 ? std::string{} : quote(value) + " is less than the minimum of 0";
    }
    case Shape::flag:
      return value.is_boolean() ? std::string{} : not_of_type(value, "'boolean'");
  }
  return {};
}

/// Goes through the schemas in a schema whose shape is right, until one gives a fault.
template <class Visit>
Finding visit_children(const Json& schema, Place& place, const Visit& visit) {
  for (const auto& [key, value] : schema.items()) {
    const auto* const keyword = find_keyword(key);
    if (keyword == nullptr) continue;
    place.push_back(key);
    if (keyword->shape == Shape::schema) {
      if (auto fault = visit(value)) return fault;
    } else if (keyword->shape == Shape::schema_list || keyword->shape == Shape::schema_map) {
      // The names of a map, and for a list its indices as texts.
      for (const auto& [name, child] : value.items()) {
        place.push_back(name);
        if (auto fault = visit(child)) return fault;
        place.pop_back();
      }
    }
    place.pop_back();
  }
  return std::nullopt;
}

/// Holds a schema and those in it to the shape that the draft gives them.
class ShapeChecker {
 public:
  /// `nulls_at_root`: "properties" and "required" at the top may be null.
  explicit ShapeChecker(bool nulls_at_root) : nulls_at_root_(nulls_at_root) {}

  Finding check(const Json& schema) {
    if (schema.is_boolean()) return std::nullopt;
    if (!schema.is_object()) return fault(not_of_type(schema, "'object', 'boolean'"));
    if (depth_ == deepest_schema) {
      return Fault{{}, "schemas nest deeper than " + std::to_string(deepest_schema) + " levels"};
    }
    for (const auto& [key, value] : schema.items()) {
      const auto* const keyword = find_keyword(key);
      if (keyword == nullptr) continue;
      if (nulls_at_root_ && depth_ == 0 && value.is_null() && (key == "properties" || key == "required")) continue;
      if (auto what = value_fault(keyword->shape, value); !what.empty()) {
        place_.push_back(key);
        return fault(std::move(what));
      }
    }
    ++depth_;
    auto found = visit_children(schema, place_, [this](const Json& child) { return check(child); });
    --depth_;
    return found;
  }

 private:
  Finding fault(std::string what) const { return Fault{place_, std::move(what)}; }

  bool nulls_at_root_;
  std::size_t depth_ = 0;
  Place place_;
};

/// "'strng' is not … (at properties.city.type)", without a place for the root.
std::string with_place(const Fault& fault) {
  std::string place;
  for (const auto& step : fault.place) {
    if (!place.empty()) place += '.';
    place += shorten(repair_utf8(step), longest_quote);
    if (place.size() > longest_place) break;
  }
  return fault.what + (place.empty() ? "" : " (at " + shorten(place, longest_place) + ")");
}

// --- Anthropic ---

bool is_property_name(const std::string& name) {
  return !name.empty() && name.size() <= longest_property && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
  });
}

Refusal invalid_schema(const std::string& path, const Fault& fault) {
  return refuse(path +
                ": JSON schema is invalid. It must match JSON Schema draft 2020-12 "
                "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
                "https://docs.claude.com/en/docs/tool-use. Here: " +
                with_place(fault));
}

// --- OpenAI ---

/// The place as OpenAI's messages give it: "('properties', 'city')".
std::string context_of(const Place& place) {
  std::string context = "(";
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (i > 0) context += ", ";
    context += "'" + shorten(repair_utf8(place[i]), longest_quote) + "'";
  }
  return context + (place.size() == 1 ? ",)" : ")");
}

/// What OpenAI wants of a function's schemas besides their shape.
class FunctionRules {
 public:
  explicit FunctionRules(bool strict) : strict_(strict) {}

  Finding check(const Json& schema) {
    if (!schema.is_object()) return std::nullopt;
    if (auto fault = check_arrays(schema)) return fault;
    if (strict_) {
      if (auto fault = check_strictly(schema)) return fault;
    }
    return visit_children(schema, place_, [this](const Json& child) { return check(child); });
  }

 private:
  Finding fault(std::string what) const {
    return Fault{place_, "In context=" + context_of(place_) + ", " + std::move(what)};
  }

  Finding check_arrays(const Json& schema) {
    if (schema.contains("items") || schema.contains("prefixItems")) return std::nullopt;
    const Json& type = member(schema, "type");
    if (type == "array") return fault("array schema missing items");
    if (!type.is_array()) return std::nullopt;
    for (std::size_t i = 0; i < type.size(); ++i) {
      if (type[i] != "array") continue;
      place_.emplace_back("type");
      place_.push_back(std::to_string(i));
      return fault("array schema missing items");
    }
    return std::nullopt;
  }

  Finding check_strictly(const Json& schema) const {
    const Json& type = member(schema, "type");
    const bool is_property = place_.size() >= 2 && place_[place_.size() - 2] == "properties";
    if (is_property && type.is_null() &&
        std::none_of(std::begin(instead_of_a_type), std::end(instead_of_a_type),
                     [&](const char* keyword) { return schema.contains(keyword); })) {
      return fault("schema must have a 'type' key");
    }
    const bool object =
        type == "object" || (type.is_array() && std::find(type.begin(), type.end(), Json("object")) != type.end());
    if (!object) return std::nullopt;
    if (member(schema, "additionalProperties") != false) {
      return fault("'additionalProperties' is required to be supplied and to be false");
    }
    std::set<std::string_view> required;
    for (const Json& name : member(schema, "required")) required.insert(name.get_ref<const std::string&>());
    for (const auto& [name, property] : member(schema, "properties").items()) {
      if (required.contains(name)) continue;
      return fault(
          "'required' is required to be supplied and to be an array including every key in properties. Missing '" +
          shorten(repair_utf8(name), longest_quote) + "'");
    }
    return std::nullopt;
  }

  static constexpr const char* instead_of_a_type[] = {"$ref", "anyOf", "enum", "const"};

  bool strict_;
  Place place_;
};

}  // namespace

std::optional<Refusal> check_input_schema(const Json& schema, const std::string& path) {
  if (schema.is_null()) return refuse(path + ": Field required");
  if (!schema.is_object()) return refuse(path + ": Input should be a valid dictionary");
  if (!schema.contains("type")) return refuse(path + ".type: Field required");
  if (schema["type"] != "object") return refuse(path + ".type: Input should be 'object'");
  const Json& properties = member(schema, "properties");
  if (!properties.is_null() && !properties.is_object()) {
    return refuse(path + ".properties: Input should be a valid dictionary");
  }
  for (const auto* alternative : {"oneOf", "allOf", "anyOf"}) {
    if (!schema.contains(alternative)) continue;
    return refuse(path + ": input_schema does not support oneOf, allOf, or anyOf at the top level");
  }
  for (const auto& [name, property] : properties.items()) {
    if (is_property_name(name)) continue;
    return refuse(path + ".properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'");
  }
  if (const auto fault = ShapeChecker{true}.check(schema)) return invalid_schema(path, *fault);
  return std::nullopt;
}

std::optional<Refusal> check_output_schema(const Json& schema, const std::string& path) {
  if (const auto fault = ShapeChecker{false}.check(schema)) return invalid_schema(path, *fault);
  return std::nullopt;
}

std::optional<Refusal> check_function_schema(const Json& schema, const std::string& name, const std::string& param,
                                             bool strict) {
  const auto bad = [&](const std::string& why) {
    return refuse("Invalid schema for function '" + name + "': " + why + ".", param, "invalid_function_parameters");
  };
  if (!schema.is_object()) return bad(not_of_type(schema, "'object'"));
  if (const auto fault = ShapeChecker{false}.check(schema)) return bad(with_place(*fault));
  const Json& type = member(schema, "type");
  if (type != "object") {
    const auto got = type.is_array() ? dump_json(type) : "\"" + text_or(schema, "type", "None") + "\"";
    return bad("schema must be a JSON Schema of 'type: \"object\"', got 'type: " + got + "'");
  }
  for (const auto* alternative : {"oneOf", "anyOf", "allOf", "enum", "not"}) {
    if (!schema.contains(alternative)) continue;
    return bad("schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level");
  }
  if (!schema.contains("properties")) return bad("In context=(), object schema missing properties");
  if (const auto fault = FunctionRules{strict}.check(schema)) return bad(fault->what);
  return std::nullopt;
}

std::optional<Refusal> check_response_schema(const Json& schema, const std::string& name) {
  if (const auto fault = ShapeChecker{false}.check(schema)) {
    return refuse("Invalid schema for response_format '" + shorten(repair_utf8(name), longest_quote) +
                      "': " + with_place(*fault) + ".",
                  "response_format");
  }
  return std::nullopt;
}

}  // namespace drover::providers::scripted
