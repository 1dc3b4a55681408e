#include "providers/scripted/image_limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace drover::providers::scripted {

namespace {

// The size of a JPEG stands behind its metadata, which can be long.
constexpr std::size_t head_bytes = 96 * 1024;

int base64_value(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) noexcept {
  std::uint32_t value = 0;
  for (std::size_t i = count; i > 0; --i) value = value << 8U | static_cast<unsigned char>(bytes[at + i - 1]);
  return value;
}

std::optional<ImageHead> jpeg_head(std::string_view bytes) noexcept {
  std::size_t at = 2;
  while (at + 9 < bytes.size()) {
    if (static_cast<unsigned char>(bytes[at]) != 0xFF) return std::nullopt;
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    if (marker == 0xFF) {
      ++at;
      continue;
    }
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) {
      return ImageHead{"image/jpeg", static_cast<int>(big_endian(bytes, at + 7, 2)),
                       static_cast<int>(big_endian(bytes, at + 5, 2))};
    }
    const bool alone = marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    at += alone ? 2 : 2 + big_endian(bytes, at + 2, 2);
  }
  return std::nullopt;
}

}  // namespace

std::size_t decoded_size(std::string_view base64) noexcept {
  std::size_t size = base64.size();
  while (size > 0 && base64[size - 1] == '=') --size;
  return size * 3 / 4;
}

std::optional<std::string> decode_base64(std::string_view text, std::size_t most_bytes) {
  std::string bytes;
  bytes.reserve(std::min(decoded_size(text), most_bytes));
  std::uint32_t bits = 0;
  int held = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    if (bytes.size() >= most_bytes) break;
    const int value = base64_value(c);
    if (value < 0) return std::nullopt;
    bits = (bits << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFFFU;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xFFU);
    }
  }
  return bytes;
}

std::optional<ImageHead> read_image_head(std::string_view bytes) noexcept {
  using namespace std::string_view_literals;
  if (bytes.size() >= 24 && bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n"sv) {
    return ImageHead{"image/png", static_cast<int>(big_endian(bytes, 16, 4)),
                     static_cast<int>(big_endian(bytes, 20, 4))};
  }
  if (bytes.size() >= 10 && (bytes.substr(0, 6) == "GIF87a" || bytes.substr(0, 6) == "GIF89a")) {
    return ImageHead{"image/gif", static_cast<int>(little_endian(bytes, 6, 2)),
                     static_cast<int>(little_endian(bytes, 8, 2))};
  }
  if (bytes.size() >= 4 && bytes.substr(0, 3) == "\xFF\xD8\xFF"sv) return jpeg_head(bytes);
  if (bytes.size() >= 30 && bytes.substr(0, 4) == "RIFF" && bytes.substr(8, 4) == "WEBP") {
    const auto chunk = bytes.substr(12, 4);
    if (chunk == "VP8X") {
      return ImageHead{"image/webp", static_cast<int>(little_endian(bytes, 24, 3)) + 1,
                       static_cast<int>(little_endian(bytes, 27, 3)) + 1};
    }
    if (chunk == "VP8L") {
      const auto packed = little_endian(bytes, 21, 4);
      return ImageHead{"image/webp", static_cast<int>(packed & 0x3FFFU) + 1,
                       static_cast<int>(packed >> 14U & 0x3FFFU) + 1};
    }
    if (chunk == "VP8 ") {
      return ImageHead{"image/webp", static_cast<int>(little_endian(bytes, 26, 2) & 0x3FFFU),
                       static_cast<int>(little_endian(bytes, 28, 2) & 0x3FFFU)};
    }
  }
  return std::nullopt;
}

std::optional<ImageHead> read_base64_image_head(std::string_view base64) {
  // 4 characters are 3 bytes, so that a cut here is between bytes.
  const auto head = base64.substr(0, head_bytes / 3 * 4);
  const auto bytes = decode_base64(head, head_bytes);
  if (!bytes) return std::nullopt;
  auto found = read_image_head(*bytes);
  return found;
}

}  // namespace drover::providers::scripted
