#include "providers/base64.hpp"

#include <array>
#include <cstdint>

namespace drover::providers {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Two letters for every 12 bits, so that three bytes take two look-ups.
constexpr std::array<std::array<char, 2>, 4096> make_pairs() {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {alphabet[i >> 6], alphabet[i & 63]};
  return pairs;
}
constexpr auto pairs_of_letters = make_pairs();

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  out.resize(start + base64_size(bytes.size()));
  char* to = out.data() + start;
  const auto* from = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const whole = from + bytes.size() / 3 * 3;
  for (; from != whole; from += 3) {
    const std::uint32_t bits = std::uint32_t{from[0]} << 16 | std::uint32_t{from[1]} << 8 | from[2];
    const auto& high = pairs_of_letters[bits >> 12];
    const auto& low = pairs_of_letters[bits & 0xfff];
    *to++ = high[0];
    *to++ = high[1];
    *to++ = low[0];
    *to++ = low[1];
  }
  const std::size_t rest = bytes.size() % 3;
  if (rest == 0) return;
  const std::uint32_t bits = std::uint32_t{from[0]} << 16 | (rest == 2 ? std::uint32_t{from[1]} << 8 : 0U);
  *to++ = alphabet[bits >> 18];
  *to++ = alphabet[bits >> 12 & 63];
  *to++ = rest == 2 ? alphabet[bits >> 6 & 63] : '=';
  *to = '=';
}

}  // namespace drover::providers
