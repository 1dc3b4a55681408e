#include "devices/picture_bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/text.hpp"

namespace drover::devices {

namespace {

constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::string_view jpeg_signature{"\xFF\xD8\xFF", 3};
constexpr std::string_view jpeg_end{"\xFF\xD9", 2};

std::uint32_t read_u32(std::string_view bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

Error cut_off(const char* format, std::size_t size) {
  return {Errc::malformed,
          std::string{"The "} + format + " is cut off: its end is missing after " + std::to_string(size) + " bytes",
          "take the screenshot again"};
}

// The length of a PNG by its chunks; 0 when one of them goes beyond the end.
std::size_t png_size(std::string_view png) noexcept {
  auto at = png_signature.size();
  while (at + 12 <= png.size()) {
    std::size_t length = read_u32(png, at);
    auto type = png.substr(at + 4, 4);
    if (length > png.size() - at - 12) return 0;
    at += 12 + length;
    if (type == "IEND") return at;
  }
  return 0;
}

}  // namespace

Result<PictureBytes> find_picture(std::string_view output) {
  auto png = output.find(png_signature);
  auto jpeg = output.find(jpeg_signature);
  if (png == std::string_view::npos && jpeg == std::string_view::npos) {
    if (output.empty()) return Error{Errc::malformed, "The screenshot is empty", "take it again"};
    auto start = shorten(tidy_label(repair_utf8(output.substr(0, 400))), 120);
    return Error{Errc::malformed, "The screenshot holds neither a PNG nor a JPEG: it starts with \"" + start + "\"",
                 ""};
  }
  if (png < jpeg) {
    auto bytes = output.substr(png);
    auto size = png_size(bytes);
    if (size == 0) return cut_off("PNG", bytes.size());
    return PictureBytes{PictureFormat::png, bytes.substr(0, size)};
  }
  auto bytes = output.substr(jpeg);
  auto end = bytes.rfind(jpeg_end);
  if (end == std::string_view::npos) return cut_off("JPEG", bytes.size());
  return PictureBytes{PictureFormat::jpeg, bytes.substr(0, end + jpeg_end.size())};
}

}  // namespace drover::devices
