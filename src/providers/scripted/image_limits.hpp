#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace drover::providers::scripted {

/// What the head of an encoded picture says of it.
struct ImageHead {
  std::string_view media_type;  ///< By content: image/png, image/jpeg, image/gif, image/webp.
  int width = 0;
  int height = 0;
};

/// Decodes base64; nothing where it is not base64.
std::optional<std::string> decode_base64(std::string_view text, std::size_t most_bytes);

/// How many bytes a base64 text stands for.
std::size_t decoded_size(std::string_view base64) noexcept;

/// Reads kind and size from the first bytes of a picture; nothing where they are
/// of no kind that the services take, or tell no size.
std::optional<ImageHead> read_image_head(std::string_view bytes) noexcept;

/// The same for the beginning of a base64 text, of which only the head is decoded.
std::optional<ImageHead> read_base64_image_head(std::string_view base64);

}  // namespace drover::providers::scripted
