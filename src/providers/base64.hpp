#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace drover::providers {

/// The length of `bytes` bytes in base64, padding included.
constexpr std::size_t base64_size(std::size_t bytes) noexcept { return (bytes + 2) / 3 * 4; }

/// Appends `bytes` in base64 (RFC 4648 section 4, padded, no line breaks).
void append_base64(std::string& out, std::string_view bytes);

}  // namespace drover::providers
