#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace drover {

/// One step through a UTF-8 text.
struct CodePoint {
  char32_t value = 0;     ///< U+FFFD where the bytes are ill-formed.
  std::size_t bytes = 1;  ///< How many were consumed; at least 1.
  bool well_formed = true;
};

/// The code point that starts at `at`, which must be inside the text. Ill-formed
/// bytes are consumed up to the first that can't belong to the sequence, and an
/// encoded surrogate as a whole, so that one fault reads as one U+FFFD.
CodePoint decode_utf8(std::string_view text, std::size_t at) noexcept;

/// Appends a code point (a scalar value up to U+10FFFF) to a UTF-8 text.
void append_utf8(char32_t code_point, std::string& out);

}  // namespace drover
