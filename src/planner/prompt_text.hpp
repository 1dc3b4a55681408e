#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/json.hpp"

namespace drover::planner {

/// Appends `text` as a JSON string with its quotes, cut between code points to at
/// most `max_bytes` bytes before escaping ("…" at the end when cut, the mark
/// counts). `<` becomes \u003c, so that no text of a phone or a model can look
/// like the mark that ends the screen. No allocation of its own.
void append_json_text(std::string& out, std::string_view text, std::size_t max_bytes);

/// The same, or `null` for an empty text: absent reads as absent (row W3).
void append_json_text_or_null(std::string& out, std::string_view text, std::size_t max_bytes);

/// Appends a scalar as JSON; an array or object as a JSON string of its text.
void append_json_scalar(std::string& out, const Json& value, std::size_t max_bytes);

void append_number(std::string& out, std::int64_t number);

/// Appends `text` with every control character as a space: it can't begin a line.
void append_one_line(std::string& out, std::string_view text, std::size_t max_bytes);

/// Makes harmless, from byte `start` on, whatever looks like the mark that opens
/// or closes the screen: its `<` becomes the escape \u003c, which read_scene()
/// reads back. In a scene's text a `<` stands in quoted texts alone.
void disarm_screen_marks(std::string& out, std::size_t start);

}  // namespace drover::planner
