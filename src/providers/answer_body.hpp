#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/json.hpp"

namespace drover::providers {

/// The body of an answer as JSON. Ill-formed UTF-8 and lone surrogate escapes,
/// which a strict reader refuses, are replaced first when that makes it readable.
Result<Json> parse_answer_body(std::string_view body);

/// What is wrong with a body that is no JSON, for a failure's cause: "an HTML page",
/// "an event stream", "an empty body", "no JSON".
std::string describe_body(std::string_view body);

/// Splits `<think>…</think>` off the beginning of `text`: the thinking is returned,
/// the text is what follows. Empty when the text does not begin so.
std::string split_think_prefix(std::string& text);

/// A count of tokens that came from outside: negative and absent are 0, bounded.
std::uint64_t token_count(const Json& object, std::string_view key);

/// A model's text as it goes on: valid UTF-8, at most 256 KiB.
std::string model_text(std::string_view text);

}  // namespace drover::providers
