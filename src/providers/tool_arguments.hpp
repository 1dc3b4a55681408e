#pragma once

#include <optional>

#include "core/json.hpp"

namespace drover::providers {

/// The object that tool arguments stand for: an object, a JSON text of one, a text
/// of such a text (encoded twice), or an empty object for "", null and absence.
/// Nothing when it is none of these.
std::optional<Json> read_tool_arguments(const Json& value);

/// Turns texts into the number, boolean, object or array that the schema of the
/// tool asks for, where the text says exactly that ("200" for an integer). What
/// does not fit stays as it is. Returns whether something changed.
bool coerce_to_schema(Json& arguments, const Json& schema);

}  // namespace drover::providers
