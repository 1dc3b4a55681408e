#pragma once

#include <optional>
#include <string>

#include "core/json.hpp"
#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

// What the services check of the JSON Schemas in a request. Both hold them to the
// shape of JSON Schema 2020-12 (names of types, lists and objects of schemas,
// lists of texts, bounds that are numbers, choices that are at least one), each
// with restrictions and a wording of its own. What is wrong in the shape is told
// with its place, which the services leave out. Keywords that the draft does not
// know are taken. A schema that nests deeper than 64 levels is refused.

/// Anthropic: the input_schema of a tool, which stands at `path`. At the top
/// `type` is "object", there are no alternatives, the names of properties are 1
/// to 64 letters, digits, `_`, `.` or `-`, and `properties` and `required` may be null.
std::optional<Refusal> check_input_schema(const Json& schema, const std::string& path);

/// Anthropic: the shape of any other schema, which stands at `path`.
std::optional<Refusal> check_output_schema(const Json& schema, const std::string& path);

/// OpenAI: the parameters of a function, which stand at `param`. At the top
/// `type` is "object", `properties` is given and there are no alternatives; an
/// array has `items`. With `strict` every object refuses further properties and
/// requires those it has, and every property has a type.
std::optional<Refusal> check_function_schema(const Json& schema, const std::string& name, const std::string& param,
                                             bool strict);

/// OpenAI: the shape of the schema of a response_format of that name.
std::optional<Refusal> check_response_schema(const Json& schema, const std::string& name);

}  // namespace drover::providers::scripted
