#include "providers/structured_call.hpp"

#include <algorithm>
#include <array>

#include "providers/tool_arguments.hpp"

namespace drover::providers {
namespace {

constexpr std::array<std::string_view, 12> unsupported_keywords{
    "minimum",   "maximum",  "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems",         "pattern",          "format",     "uniqueItems"};

/// The schema without keywords that constrained output refuses. Names of
/// properties stay even where they are spelled like a keyword.
Json without_bounds(const Json& schema) {
  if (schema.is_array()) {
    Json result = Json::array();
    for (const auto& child : schema) result.push_back(without_bounds(child));
    return result;
  }
  if (!schema.is_object()) return schema;
  Json result = Json::object();
  for (const auto& [key, value] : schema.items()) {
    if (std::find(unsupported_keywords.begin(), unsupported_keywords.end(), key) != unsupported_keywords.end())
      continue;
    if (key == "properties" && value.is_object()) {
      Json& properties = result[key] = Json::object();
      for (const auto& [name, property] : value.items()) properties[name] = without_bounds(property);
    } else if (key == "enum" || key == "const" || key == "default" || key == "required") {
      result[key] = value;
    } else {
      result[key] = without_bounds(value);
    }
  }
  return result;
}

}  // namespace

Json structured_call_schema(const ToolSet& tools) {
  Json names = Json::array();
  Json forms = Json::array();
  for (const auto& tool : tools.tools) {
    names.push_back(tool.name);
    Json form = without_bounds(tool.parameters);
    if (!form.is_object()) form = Json::object();
    form["type"] = "object";
    form["additionalProperties"] = false;
    form["description"] = "Arguments of " + tool.name + ". " + tool.description;
    forms.push_back(std::move(form));
  }
  return {{"type", "object"},
          {"properties", {{"tool", {{"type", "string"}, {"enum", names}}}, {"arguments", {{"anyOf", forms}}}}},
          {"required", {"tool", "arguments"}},
          {"additionalProperties", false}};
}

std::optional<ToolCall> read_structured_call(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return std::nullopt;
  auto parsed = parse_json(text, "structured output");
  if (!parsed || !parsed->is_object() || parsed->size() != 2) return std::nullopt;
  auto tool = text_or(*parsed, "tool");
  if (tool.empty() || !parsed->contains("arguments")) return std::nullopt;
  auto arguments = read_tool_arguments((*parsed)["arguments"]);
  if (!arguments) return std::nullopt;
  return ToolCall{"call_1", std::move(tool), std::move(*arguments)};
}

}  // namespace drover::providers
