#include "devices/screenshot.hpp"

#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "devices/area_scaler.hpp"
#include "devices/dump_fixtures.hpp"
#include "support/places.hpp"

using namespace drover;
using namespace drover::devices;

namespace {

struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
};
using Painter = std::function<Colour(int x, int y)>;

struct PngShape {
  int colour_type = PNG_COLOR_TYPE_RGBA;
  int bits = 8;
  int interlace = PNG_INTERLACE_NONE;
};

void append_bytes(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), size);
}

// Written through libpng, so that filters and interlacing are real ones.
std::string make_png(int width, int height, const Painter& paint, PngShape shape = {}) {
  std::string out;
  auto* png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  auto* info = png_create_info_struct(png);
  png_set_write_fn(png, &out, append_bytes, nullptr);
  png_set_compression_level(png, 3);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), shape.bits,
               shape.colour_type, shape.interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (shape.colour_type == PNG_COLOR_TYPE_PALETTE) {
    std::vector<png_color> palette(256);
    for (int i = 0; i < 256; ++i) {
      auto grey = static_cast<png_byte>(i);
      palette[static_cast<std::size_t>(i)] = {grey, grey, grey};
    }
    png_set_PLTE(png, info, palette.data(), 256);
  }
  png_write_info(png, info);
  const std::size_t channels = png_get_channels(png, info);
  const std::size_t bytes = static_cast<std::size_t>(shape.bits) / 8;
  std::vector<std::vector<png_byte>> rows;
  std::vector<png_bytep> pointers;
  for (int y = 0; y < height; ++y) {
    auto& row = rows.emplace_back();
    for (int x = 0; x < width; ++x) {
      auto c = paint(x, y);
      const std::uint8_t values[] = {c.red, c.green, c.blue, 255};
      for (std::size_t i = 0; i < channels; ++i) {
        for (std::size_t b = 0; b < bytes; ++b) row.push_back(values[channels == 2 && i == 1 ? 3 : i]);
      }
    }
  }
  for (auto& row : rows) pointers.push_back(row.data());
  png_write_image(png, pointers.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> data;

  [[nodiscard]] Colour at(int x, int y) const {
    const auto* p =
        &data[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3];
    return {p[0], p[1], p[2]};
  }
};

Pixels decode_jpeg(const std::string& bytes) {
  auto* handle = tjInitDecompress();
  Pixels out;
  int subsampling = 0;
  int colours = 0;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  REQUIRE(tjDecompressHeader3(handle, data, bytes.size(), &out.width, &out.height, &subsampling, &colours) == 0);
  out.data.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  REQUIRE(tjDecompress2(handle, data, bytes.size(), out.data.data(), out.width, 0, out.height, TJPF_RGB, 0) == 0);
  tjDestroy(handle);
  return out;
}

std::string make_jpeg(int width, int height, Colour colour) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < width * height; ++i) pixels.insert(pixels.end(), {colour.red, colour.green, colour.blue});
  auto* handle = tjInitCompress();
  unsigned char* data = nullptr;
  unsigned long size = 0;
  REQUIRE(tjCompress2(handle, pixels.data(), width, 0, height, TJPF_RGB, &data, &size, TJSAMP_420, 90, 0) == 0);
  std::string out{reinterpret_cast<const char*>(data), size};
  tjFree(data);
  tjDestroy(handle);
  return out;
}

bool near(Colour a, Colour b, int distance = 12) {
  return std::abs(a.red - b.red) <= distance && std::abs(a.green - b.green) <= distance &&
         std::abs(a.blue - b.blue) <= distance;
}

constexpr Colour orange{240, 140, 20};
Colour plain(int, int) { return orange; }
// Different in every row and column, so that every filter of PNG has work to do.
Colour gradient(int x, int y) {
  return {static_cast<std::uint8_t>(40 + x % 200), static_cast<std::uint8_t>(30 + y % 220),
          static_cast<std::uint8_t>(x * 7 + y * 3)};
}

Screenshot prepare(const std::string& bytes, const Scene& scene = {}, int max_side = 1568) {
  auto shot = prepare_screenshot(bytes, scene, max_side);
  if (!shot) FAIL(shot.error().describe());
  return *shot;
}

Error refusal(const std::string& bytes, const Scene& scene = {}) {
  auto shot = prepare_screenshot(bytes, scene);
  REQUIRE_FALSE(shot.ok());
  return shot.error();
}

Scene with_password(int width, int height, Bounds bounds) {
  Scene scene;
  scene.width = width;
  scene.height = height;
  Element field;
  field.id = 1;
  field.role = Role::field;
  field.password = true;
  field.value = "••••";
  field.bounds = bounds;
  scene.elements.push_back(field);
  return scene;
}

}  // namespace

TEST_CASE("a tall screenshot becomes a JPEG of the longest side allowed, in its own proportions") {
  auto shot = prepare(make_png(540, 1200, gradient), {}, 600);
  CHECK(shot.media_type == "image/jpeg");
  CHECK(shot.bytes.substr(0, 3) == "\xFF\xD8\xFF");
  CHECK(shot.width == 270);
  CHECK(shot.height == 600);
  auto pixels = decode_jpeg(shot.bytes);
  CHECK(pixels.width == 270);
  CHECK(pixels.height == 600);
}

TEST_CASE("a wide screenshot is held to the same limit") {
  auto shot = prepare(make_png(1201, 400, plain), {}, 600);
  CHECK(shot.width == 600);
  CHECK(shot.height == 200);
}

TEST_CASE("a small screenshot is never made larger") {
  auto shot = prepare(make_png(33, 21, plain));
  CHECK(shot.width == 33);
  CHECK(shot.height == 21);
  CHECK(near(decode_jpeg(shot.bytes).at(16, 10), orange));
}

TEST_CASE("colours and places survive the way") {
  auto halves = [](int x, int) { return x < 500 ? Colour{220, 30, 30} : Colour{30, 30, 220}; };
  auto pixels = decode_jpeg(prepare(make_png(1000, 2000, halves), {}, 777).bytes);
  CHECK(near(pixels.at(20, 400), {220, 30, 30}));
  CHECK(near(pixels.at(pixels.width - 20, 400), {30, 30, 220}));
}

TEST_CASE("every kind of PNG is read") {
  auto grey = [](int x, int y) {
    auto v = static_cast<std::uint8_t>(60 + (x + y) % 120);
    return Colour{v, v, v};
  };
  for (auto type : {PNG_COLOR_TYPE_RGBA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                    PNG_COLOR_TYPE_PALETTE}) {
    for (auto interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7}) {
      for (auto bits : {8, 16}) {
        if (type == PNG_COLOR_TYPE_PALETTE && bits == 16) continue;
        INFO("type " << type << ", interlace " << interlace << ", bits " << bits);
        auto pixels = decode_jpeg(prepare(make_png(61, 47, grey, {type, bits, interlace})).bytes);
        for (int i = 4; i < 40; i += 6) CHECK(near(pixels.at(i, i), grey(i, i), 20));
      }
    }
  }
}

TEST_CASE("rows of every filter give the picture that was written") {
  auto pixels = decode_jpeg(prepare(make_png(301, 257, gradient)).bytes);
  int off = 0;
  for (int y = 8; y < 250; y += 9) {
    for (int x = 8; x < 195; x += 11) {
      auto want = gradient(x, y);
      auto got = pixels.at(x, y);
      if (std::abs(got.red - want.red) > 30 || std::abs(got.green - want.green) > 30) ++off;
    }
  }
  CHECK(off == 0);
}

TEST_CASE("text before the picture and bytes behind it are skipped") {
  auto png = make_png(20, 20, plain);
  const std::string warning = "[Warning] Multiple displays were found, but no display id was specified!\r\n";
  CHECK(prepare(warning + png + "trailing\n").bytes == prepare(png).bytes);
}

TEST_CASE("a picture that is cut off is refused") {
  auto png = make_png(64, 64, gradient);
  for (auto length : {png.size() - 1, png.size() - 13, png.size() / 2, std::size_t{9}, std::size_t{8}}) {
    auto error = refusal(png.substr(0, length));
    CHECK(error.code == Errc::malformed);
    CHECK_THAT(error.cause, Catch::Contains("cut off"));
  }
  auto jpeg = make_jpeg(64, 64, orange);
  CHECK_THAT(refusal(jpeg.substr(0, jpeg.size() - 2)).cause, Catch::Contains("cut off"));
}

TEST_CASE("what is no picture is refused with what it is") {
  CHECK_THAT(refusal("").cause, Catch::Contains("empty"));
  auto error = refusal("screencap: not found\nwhat");
  CHECK(error.code == Errc::malformed);
  CHECK_THAT(error.cause, Catch::Contains("screencap: not found"));
}

TEST_CASE("a picture with damaged data is refused") {
  auto png = make_png(64, 64, gradient);
  auto data = png.find("IDAT");
  REQUIRE(data != std::string::npos);
  for (std::size_t i = data + 8; i < data + 60; ++i) png[i] = '\x55';
  CHECK(refusal(png).code == Errc::malformed);
  auto header = make_png(64, 64, gradient);
  header[16] = '\x7f';
  CHECK(refusal(header).code == Errc::malformed);
}

TEST_CASE("a screenshot that is black all over is told apart") {
  auto error = refusal(make_png(200, 300, [](int, int) { return Colour{}; }));
  CHECK(error.code == Errc::observation_failed);
  CHECK_THAT(error.cause, Catch::Contains("black"));
  auto one_light = [](int x, int y) { return x == 100 && y == 299 ? Colour{255, 255, 255} : Colour{}; };
  CHECK(prepare(make_png(200, 300, one_light)).width == 200);
}

TEST_CASE("a password is painted over and the rest is not", "[L3]") {
  const Bounds secret{100, 400, 500, 500};
  auto paint = [&](int x, int y) { return secret.contains({x, y}) ? Colour{255, 255, 255} : orange; };
  auto pixels = decode_jpeg(prepare(make_png(600, 1200, paint), with_password(600, 1200, secret), 800).bytes);
  // JPEG lets the colours around it run in at the edges, but nothing bright is left.
  for (int y = secret.top; y < secret.bottom; y += 7) {
    for (int x = secret.left; x < secret.right; x += 7) {
      auto pixel = pixels.at(x * 2 / 3, y * 2 / 3);
      CHECK(std::max({pixel.red, pixel.green, pixel.blue}) < 160);
    }
  }
  CHECK(near(pixels.at(200, 300), {0x50, 0x50, 0x50}));
  CHECK(near(pixels.at(200, 200), orange));
  CHECK(near(pixels.at(380, 300), orange));
}

TEST_CASE("a password is found when the picture has another size than the tree") {
  auto paint = [](int x, int y) { return y >= 100 && y < 200 && x < 300 ? Colour{255, 255, 255} : orange; };
  auto pixels = decode_jpeg(prepare(make_png(300, 600, paint), with_password(1080, 2160, {0, 360, 1080, 720})).bytes);
  CHECK(near(pixels.at(150, 101), {0x50, 0x50, 0x50}, 25));
  CHECK(near(pixels.at(150, 198), {0x50, 0x50, 0x50}, 25));
  CHECK(near(pixels.at(150, 300), orange));
}

TEST_CASE("a screenshot on which the password can't be placed is not given away") {
  auto png = make_png(300, 600, plain);
  auto turned = refusal(png, with_password(2160, 1080, {0, 0, 10, 10}));
  CHECK(turned.code == Errc::observation_failed);
  CHECK(refusal(png, with_password(0, 0, {0, 0, 10, 10})).code == Errc::observation_failed);
}

TEST_CASE("an empty password field and other fields are left to see") {
  auto scene = with_password(300, 600, {0, 0, 300, 600});
  scene.elements[0].value.clear();
  CHECK(near(decode_jpeg(prepare(make_png(300, 600, plain), scene).bytes).at(150, 300), orange));
}

TEST_CASE("a JPEG is taken as well as a PNG") {
  auto shot = prepare("noise" + make_jpeg(400, 800, orange), {}, 400);
  CHECK(shot.media_type == "image/jpeg");
  CHECK(shot.height == 400);
  CHECK(near(decode_jpeg(shot.bytes).at(100, 200), orange));
}

TEST_CASE("scaling keeps a plain colour exactly and takes the mean of what a pixel covers") {
  for (int target : {1, 2, 3, 5, 7, 10}) {
    AreaScaler scaler{10, 10, target, target};
    std::vector<std::uint8_t> row(40, 200);
    for (int y = 0; y < 10; ++y) scaler.add_row(row.data());
    for (int i = 0; i < target * target * 4; ++i) {
      if (i % 4 != 3) CHECK(scaler.pixels()[i] == 200);
    }
  }
  AreaScaler halves{4, 2, 2, 1};
  const std::uint8_t first[] = {0, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 200, 0, 0, 0};
  const std::uint8_t second[] = {100, 0, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  halves.add_row(first);
  halves.add_row(second);
  CHECK(halves.pixels()[0] == 100);
  CHECK(halves.pixels()[4] == 50);
}

TEST_CASE("scaling by a fraction shares a pixel between its neighbours") {
  AreaScaler scaler{3, 1, 2, 1};
  const std::uint8_t row[] = {90, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0, 0};
  scaler.add_row(row);
  CHECK(std::abs(scaler.pixels()[0] - 70) <= 1);
  CHECK(std::abs(scaler.pixels()[4] - 10) <= 1);
}

TEST_CASE("the collected screenshots become pictures, and the black one does not") {
  const auto folder = std::filesystem::path{drover::test::source_folder()} / "../shared/data/shots";
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none)) {
    WARN("no collected screenshots beside the source folder: skipped");
    return;
  }
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() != ".png") continue;
    INFO(entry.path().filename().string());
    auto bytes = test::read_file(entry.path());
    if (entry.path().filename().string().find("BLACK") != std::string::npos) {
      CHECK(refusal(bytes).code == Errc::observation_failed);
      continue;
    }
    auto shot = prepare(bytes);
    CHECK(std::max(shot.width, shot.height) == 1568);
    CHECK(shot.bytes.size() < bytes.size());
  }
}
