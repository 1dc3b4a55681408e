#pragma once

#include <string_view>

#include "core/error.hpp"

namespace drover::devices {

enum class PictureFormat : unsigned char { png, jpeg };

struct PictureBytes {
  PictureFormat format = PictureFormat::png;
  std::string_view bytes;  ///< From the signature to the end mark, nothing before or behind.
};

/// Finds a picture in what a screenshot command printed: by its signature, because
/// phones with several displays print a warning first, and up to its end mark,
/// which must be there. Errors: malformed (no picture, or one that is cut off).
Result<PictureBytes> find_picture(std::string_view output);

}  // namespace drover::devices
