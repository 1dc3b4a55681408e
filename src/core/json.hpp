#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace drover {

using Json = nlohmann::json;

/// Parses a JSON text without throwing; `what` names it in the error. Nesting
/// deeper than 512 levels is refused before it can exhaust the stack.
Result<Json> parse_json(std::string_view text, std::string_view what);

/// One line of JSON. Bytes that are not UTF-8 become U+FFFD instead of an exception.
std::string dump_json(const Json& value);

/// Readers for optional members of objects that came from outside: the fallback
/// where the member is absent, null or of another type.
std::string text_or(const Json& object, std::string_view key, std::string_view fallback = "");
std::int64_t integer_or(const Json& object, std::string_view key, std::int64_t fallback = 0);
double number_or(const Json& object, std::string_view key, double fallback = 0);
bool boolean_or(const Json& object, std::string_view key, bool fallback = false);
std::optional<bool> optional_boolean(const Json& object, std::string_view key);
/// An integer member that is 0 or more and at most `highest`; the fallback otherwise.
std::uint64_t count_or(const Json& object, std::string_view key, std::uint64_t fallback = 0,
                       std::uint64_t highest = UINT64_MAX);
std::uint32_t small_count_or(const Json& object, std::string_view key, std::uint32_t fallback = 0);
/// The member, or a null value that outlives the call.
const Json& member(const Json& object, std::string_view key);

}  // namespace drover
