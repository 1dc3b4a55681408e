#include "devices/screenshot.hpp"

#include <turbojpeg.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "devices/area_scaler.hpp"
#include "devices/picture_bytes.hpp"
#include "devices/picture_rows.hpp"

namespace drover::devices {

namespace {

constexpr int jpeg_quality = 80;

class ScalingSink final : public RowSink {
 public:
  explicit ScalingSink(int max_side) : max_side_(std::max(max_side, 1)) {}

  void begin(int width, int height) override {
    width_ = width;
    height_ = height;
    target_width_ = width;
    target_height_ = height;
    const int side = std::max(width, height);
    if (side > max_side_) {
      target_width_ = shrink(width, side);
      target_height_ = shrink(height, side);
    }
    scaler_.emplace(width, height, target_width_, target_height_);
  }

  void row(const std::uint8_t* pixels) override { scaler_->add_row(pixels); }

  [[nodiscard]] int source_width() const noexcept { return width_; }
  [[nodiscard]] int source_height() const noexcept { return height_; }
  [[nodiscard]] int width() const noexcept { return target_width_; }
  [[nodiscard]] int height() const noexcept { return target_height_; }
  [[nodiscard]] bool seen_light() const noexcept { return scaler_->seen_light(); }
  [[nodiscard]] std::uint8_t* pixels() noexcept { return scaler_->pixels(); }

 private:
  int shrink(int size, int side) const {
    return std::max(1, static_cast<int>((std::int64_t{size} * max_side_ + side / 2) / side));
  }

  int max_side_;
  int width_ = 0;
  int height_ = 0;
  int target_width_ = 0;
  int target_height_ = 0;
  std::optional<AreaScaler> scaler_;
};

// A picture and a tree are two looks: when the phone was turned in between, a
// password's place in the tree says nothing about the picture.
bool same_orientation(const ScalingSink& picture, const Scene& scene) {
  return (picture.source_width() > picture.source_height()) == (scene.width > scene.height);
}

void paint_over(ScalingSink& picture, const Scene& scene, const Bounds& b) {
  // Rounded outwards, and a pixel more, because each new pixel mixes several.
  auto low = [](std::int64_t value, int to, int from) { return static_cast<int>(value * to / from) - 1; };
  auto high = [](std::int64_t value, int to, int from) { return static_cast<int>((value * to + from - 1) / from) + 1; };
  const int left = std::max(0, low(b.left, picture.width(), scene.width));
  const int top = std::max(0, low(b.top, picture.height(), scene.height));
  const int right = std::min(picture.width(), high(b.right, picture.width(), scene.width));
  const int bottom = std::min(picture.height(), high(b.bottom, picture.height(), scene.height));
  for (int y = top; y < bottom && left < right; ++y) {
    auto at =
        (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width()) + static_cast<std::size_t>(left)) * 4;
    std::memset(picture.pixels() + at, 0x50, static_cast<std::size_t>(right - left) * 4);
  }
}

Status mask_secrets(ScalingSink& picture, const Scene& scene) {
  for (const auto& element : scene.elements) {
    if (!element.password || element.value.empty()) continue;
    if (scene.width <= 0 || scene.height <= 0 || !same_orientation(picture, scene)) {
      return Error{Errc::observation_failed,
                   "The screenshot does not fit the tree, so the password on it can't be painted over",
                   "take the screenshot again"};
    }
    paint_over(picture, scene, element.bounds);
  }
  return Done{};
}

Result<Screenshot> encode(ScalingSink& picture) {
  std::unique_ptr<void, int (*)(tjhandle)> encoder{tjInitCompress(), tjDestroy};
  if (!encoder) return Error{Errc::internal, "The JPEG encoder could not be started", ""};
  Screenshot out;
  out.media_type = "image/jpeg";
  out.width = picture.width();
  out.height = picture.height();
  auto size = tjBufSize(out.width, out.height, TJSAMP_420);
  const auto buffer = std::make_unique_for_overwrite<unsigned char[]>(size);
  auto* data = buffer.get();
  if (tjCompress2(encoder.get(), picture.pixels(), out.width, 0, out.height, TJPF_RGBX, &data, &size, TJSAMP_420,
                  jpeg_quality, TJFLAG_NOREALLOC | TJFLAG_FASTDCT) != 0) {
    return Error{Errc::internal, std::string{"The JPEG could not be written: "} + tjGetErrorStr2(encoder.get()), ""};
  }
  out.bytes.assign(reinterpret_cast<const char*>(data), size);
  return out;
}

}  // namespace

Result<Screenshot> prepare_screenshot(std::string_view bytes, const Scene& scene, int max_side) {
  auto found = find_picture(bytes);
  if (!found) return found.error();
  ScalingSink picture{max_side};
  auto read = read_rows(*found, picture);
  if (!read) return read.error();
  if (!picture.seen_light()) {
    return Error{Errc::observation_failed, "The screenshot is black all over: a screen that is protected or off",
                 "go by the tree alone"};
  }
  auto masked = mask_secrets(picture, scene);
  if (!masked) return masked.error();
  return encode(picture);
}

}  // namespace drover::devices
