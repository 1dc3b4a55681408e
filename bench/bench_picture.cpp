// What it costs to make a phone's PNG ready for a model: over the .png files of a
// folder, or of $SHOTS, or a made-up screen of 1080 x 2400. Beside it, in
// interleaved rounds, the same made straightforwardly: libpng into memory, each
// pixel of the result the mean of its area, libjpeg-turbo. Prints one JSON object
// a picture, CPU in milliseconds, median of the rounds.

#include <png.h>
#include <sys/resource.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/random.hpp"
#include "devices/screenshot.hpp"

using namespace drover;

namespace {

constexpr int rounds = 15;
constexpr int longest_side = 1568;

double cpu_milliseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto millis = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return millis(usage.ru_utime) + millis(usage.ru_stime);
}

struct Picture {
  std::string name;
  std::string png;
};

/// Rows of a list with lines like text and a photo in each, as apps have them.
Picture made_up_screen() {
  constexpr int width = 1080;
  constexpr int height = 2400;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) * height * 4, 255);
  Random random{1};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      auto* pixel = &pixels[(static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)) * 4];
      const int in_row = y % 300;
      if (in_row < 3) {
        pixel[0] = pixel[1] = pixel[2] = 200;
      } else if (x > 40 && x < 260 && in_row > 40 && in_row < 260) {
        for (int c = 0; c < 3; ++c)
          pixel[c] = static_cast<std::uint8_t>((x * (c + 2) + y * 3) / 8 + random.next() % 24);
      } else if (x > 300 && (in_row / 30) % 2 == 1 && (x / 9 + y / 7) % 3 != 0) {
        pixel[0] = pixel[1] = pixel[2] = static_cast<std::uint8_t>(30 + (x * 7 + y * 13) % 60);
      }
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(), 0, nullptr);
  std::string png(size, '\0');
  png_image_write_to_memory(&image, png.data(), &size, 0, pixels.data(), 0, nullptr);
  png.resize(size);
  return {"made-up screen", std::move(png)};
}

std::vector<Picture> read_pictures(const std::string& folder) {
  std::vector<Picture> pictures;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder, failed}) {
    if (entry.path().extension() != ".png") continue;
    std::ifstream file{entry.path(), std::ios::binary};
    pictures.push_back({entry.path().filename().string(),
                        std::string{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}}});
  }
  std::sort(pictures.begin(), pictures.end(), [](const Picture& a, const Picture& b) { return a.name < b.name; });
  return pictures;
}

/// Bytes of the JPEG; 0 where the picture can't be read.
std::size_t straightforward(const std::string& png) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, png.data(), png.size()) == 0) return 0;
  image.format = PNG_FORMAT_RGB;
  const auto width = static_cast<int>(image.width);
  const auto height = static_cast<int>(image.height);
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) return 0;
  const double scale = std::max(1.0, static_cast<double>(std::max(width, height)) / longest_side);
  const int to_width = static_cast<int>(width / scale);
  const int to_height = static_cast<int>(height / scale);
  std::vector<std::uint8_t> small(static_cast<std::size_t>(to_width) * static_cast<std::size_t>(to_height) * 3);
  for (int y = 0; y < to_height; ++y) {
    const int top = static_cast<int>(y * scale);
    const int bottom = std::min(height, static_cast<int>((y + 1) * scale + 1));
    for (int x = 0; x < to_width; ++x) {
      const int left = static_cast<int>(x * scale);
      const int right = std::min(width, static_cast<int>((x + 1) * scale + 1));
      int sum[3] = {};
      for (int from_y = top; from_y < bottom; ++from_y) {
        for (int from_x = left; from_x < right; ++from_x) {
          const auto* pixel = &pixels[static_cast<std::size_t>(from_y * width + from_x) * 3];
          for (int c = 0; c < 3; ++c) sum[c] += pixel[c];
        }
      }
      const int count = (bottom - top) * (right - left);
      for (int c = 0; c < 3; ++c) {
        small[static_cast<std::size_t>(y * to_width + x) * 3 + static_cast<std::size_t>(c)] =
            static_cast<std::uint8_t>(sum[c] / count);
      }
    }
  }
  const auto encoder = tjInitCompress();
  unsigned char* data = nullptr;
  unsigned long size = 0;
  tjCompress2(encoder, small.data(), to_width, 0, to_height, TJPF_RGB, &data, &size, TJSAMP_420, 80, 0);
  tjFree(data);
  tjDestroy(encoder);
  return size;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::string folder_from(int argc, char** argv) {
  if (argc > 1) return argv[1];
  const char* folder = std::getenv("SHOTS");
  return folder == nullptr ? "" : folder;
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = folder_from(argc, argv);
  auto pictures = folder.empty() ? std::vector<Picture>{} : read_pictures(folder);
  if (!folder.empty() && pictures.empty()) {
    std::cerr << "bench_picture: no .png file in " << folder << " (give a folder, or set SHOTS)\n";
    return 2;
  }
  pictures.insert(pictures.begin(), made_up_screen());
  for (const auto& picture : pictures) {
    std::vector<double> ours;
    std::vector<double> plain;
    std::size_t plain_bytes = 0;
    auto ready = devices::prepare_screenshot(picture.png, Scene{});
    if (!ready) {
      std::cout << dump_json(Json{{"bench", "picture"}, {"picture", picture.name}, {"refused", ready.error().cause}})
                << '\n';
      continue;
    }
    for (int round = 0; round < rounds; ++round) {
      const auto start = cpu_milliseconds();
      ready = devices::prepare_screenshot(picture.png, Scene{});
      const auto between = cpu_milliseconds();
      plain_bytes = straightforward(picture.png);
      ours.push_back(between - start);
      plain.push_back(cpu_milliseconds() - between);
    }
    std::cout << dump_json(Json{{"bench", "picture"},
                                {"picture", picture.name},
                                {"png_bytes", picture.png.size()},
                                {"width", ready->width},
                                {"height", ready->height},
                                {"jpeg_bytes", ready->bytes.size()},
                                {"cpu_ms", median(ours)},
                                {"straightforward_jpeg_bytes", plain_bytes},
                                {"straightforward_cpu_ms", median(plain)},
                                {"ratio", median(ours) / median(plain)}})
              << '\n';
  }
  return 0;
}
