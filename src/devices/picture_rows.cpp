#include "devices/picture_rows.hpp"

#include <libdeflate.h>
#include <png.h>
#include <turbojpeg.h>

#include <csetjmp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "devices/png_filters.hpp"

namespace drover::devices {

namespace {

Error damaged(const char* format, const std::string& why) {
  return {Errc::malformed, std::string{"The "} + format + " can't be decoded: " + why, "take the screenshot again"};
}

Error too_large(std::int64_t width, std::int64_t height) {
  return {Errc::malformed,
          "The picture has " + std::to_string(width) + "x" + std::to_string(height) + " pixels, more than the limit",
          ""};
}

struct PngInput {
  const char* data;
  std::size_t size;
  std::size_t at = 0;
  char message[96] = {};
};

void on_png_error(png_structp png, png_const_charp message) {
  auto* input = static_cast<PngInput*>(png_get_error_ptr(png));
  std::strncpy(input->message, message, sizeof input->message - 1);
  png_longjmp(png, 1);
}

void on_png_warning(png_structp, png_const_charp) {}

void read_png_bytes(png_structp png, png_bytep out, std::size_t count) {
  auto* input = static_cast<PngInput*>(png_get_io_ptr(png));
  if (count > input->size - input->at) png_error(png, "more data expected");
  std::memcpy(out, input->data + input->at, count);
  input->at += count;
}

// Everything that libpng may jump out of lives outside of this function, so that
// no destructor is skipped. False with a message in `input`.
bool decode_png(png_structp png, png_infop info, PngInput& input, std::vector<std::uint8_t>& buffer, RowSink& sink,
                std::int64_t& width, std::int64_t& height) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_read_fn(png, &input, read_png_bytes);
  png_read_info(png, info);
  width = png_get_image_width(png, info);
  height = png_get_image_height(png, info);
  if (width * height > max_picture_pixels) {
    std::strncpy(input.message, "too large", sizeof input.message - 1);
    return false;
  }
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_filler(png, 0xFF, PNG_FILLER_AFTER);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const auto stride = png_get_rowbytes(png, info);
  if (stride != static_cast<std::size_t>(width) * 4) png_error(png, "a pixel format that is not known");
  sink.begin(static_cast<int>(width), static_cast<int>(height));
  if (passes == 1) {
    buffer.resize(stride);
    for (std::int64_t y = 0; y < height; ++y) {
      png_read_row(png, buffer.data(), nullptr);
      sink.row(buffer.data());
    }
    return true;
  }
  buffer.resize(stride * static_cast<std::size_t>(height));
  for (int pass = 0; pass < passes; ++pass) {
    for (std::int64_t y = 0; y < height; ++y) {
      png_read_row(png, buffer.data() + stride * static_cast<std::size_t>(y), nullptr);
    }
  }
  for (std::int64_t y = 0; y < height; ++y) sink.row(buffer.data() + stride * static_cast<std::size_t>(y));
  return true;
}

Status read_png_rows(std::string_view bytes, RowSink& sink) {
  PngInput input{bytes.data(), bytes.size()};
  auto* png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, on_png_error, on_png_warning);
  auto* info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    return damaged("PNG", "no memory");
  }
  std::vector<std::uint8_t> buffer;
  std::int64_t width = 0;
  std::int64_t height = 0;
  const bool decoded = decode_png(png, info, input, buffer, sink, width, height);
  png_destroy_read_struct(&png, &info, nullptr);
  if (decoded) return Done{};
  if (width * height > max_picture_pixels) return too_large(width, height);
  return damaged("PNG", input.message);
}

std::uint32_t read_u32(std::string_view bytes, std::size_t at) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

constexpr std::size_t header_end = 8 + 25;  // Signature and the IHDR chunk.

// What phones write: four bytes a pixel, not interlaced.
bool is_screencap_png(std::string_view png) noexcept {
  return png.size() > header_end && png.substr(12, 4) == "IHDR" && png[24] == 8 && png[25] == 6 && png[28] == 0;
}

// The same as libpng does, in half the time: the whole picture is inflated at
// once by libdeflate. The chunks are known to be complete (find_picture).
Status read_screencap_rows(std::string_view png, RowSink& sink) {
  const std::int64_t width = read_u32(png, 16);
  const std::int64_t height = read_u32(png, 20);
  if (width == 0 || height == 0) return damaged("PNG", "it has no pixels");
  if (width > max_picture_pixels || height > max_picture_pixels || width * height > max_picture_pixels) {
    return too_large(width, height);
  }
  std::string data;
  data.reserve(png.size());
  for (auto at = header_end; at + 12 <= png.size();) {
    const std::size_t length = read_u32(png, at);
    if (png.substr(at + 4, 4) == "IDAT") data.append(png.substr(at + 8, length));
    at += 12 + length;
  }
  const auto stride = static_cast<std::size_t>(width) * 4;
  const auto size = (stride + 1) * static_cast<std::size_t>(height);
  auto pixels = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater{libdeflate_alloc_decompressor(),
                                                                                        libdeflate_free_decompressor};
  if (!inflater) return damaged("PNG", "no memory");
  std::size_t written = 0;
  const auto result =
      libdeflate_zlib_decompress(inflater.get(), data.data(), data.size(), pixels.get(), size, &written);
  if (result != LIBDEFLATE_SUCCESS || written != size) return damaged("PNG", "its data does not fit its size");
  sink.begin(static_cast<int>(width), static_cast<int>(height));
  const std::uint8_t* above = nullptr;
  for (auto* row = pixels.get(); row < pixels.get() + size; row += stride + 1) {
    if (!undo_filter(row[0], row + 1, above, stride)) return damaged("PNG", "a filter that does not exist");
    sink.row(row + 1);
    above = row + 1;
  }
  return Done{};
}

Status read_jpeg_rows(std::string_view bytes, RowSink& sink) {
  std::unique_ptr<void, int (*)(tjhandle)> decoder{tjInitDecompress(), tjDestroy};
  if (!decoder) return damaged("JPEG", "no memory");
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colours = 0;
  if (tjDecompressHeader3(decoder.get(), data, bytes.size(), &width, &height, &subsampling, &colours) != 0) {
    return damaged("JPEG", tjGetErrorStr2(decoder.get()));
  }
  if (std::int64_t{width} * height > max_picture_pixels) return too_large(width, height);
  const auto stride = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> pixels(stride * static_cast<std::size_t>(height));
  if (tjDecompress2(decoder.get(), data, bytes.size(), pixels.data(), width, 0, height, TJPF_RGBX,
                    TJFLAG_FASTDCT | TJFLAG_STOPONWARNING) != 0) {
    return damaged("JPEG", tjGetErrorStr2(decoder.get()));
  }
  sink.begin(width, height);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) sink.row(pixels.data() + y * stride);
  return Done{};
}

}  // namespace

Status read_rows(const PictureBytes& picture, RowSink& sink) {
  if (picture.format == PictureFormat::jpeg) return read_jpeg_rows(picture.bytes, sink);
  return is_screencap_png(picture.bytes) ? read_screencap_rows(picture.bytes, sink)
                                         : read_png_rows(picture.bytes, sink);
}

}  // namespace drover::devices
