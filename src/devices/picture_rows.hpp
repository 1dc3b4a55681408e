#pragma once

#include <cstdint>

#include "core/error.hpp"
#include "devices/picture_bytes.hpp"

namespace drover::devices {

/// The largest picture that is taken: more pixels than any phone has.
inline constexpr std::int64_t max_picture_pixels = 20'000'000;

/// What is done with a picture while it is decoded, row by row from the top.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Called once before the rows.
  virtual void begin(int width, int height) = 0;
  /// `width` pixels of four bytes: red, green, blue and one that means nothing.
  virtual void row(const std::uint8_t* pixels) = 0;
};

/// Decodes a picture into `sink`. Errors: malformed (damaged, or larger than the limit).
Status read_rows(const PictureBytes& picture, RowSink& sink);

}  // namespace drover::devices
