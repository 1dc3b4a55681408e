#include "devices/png_filters.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace drover::devices {

namespace {

#if defined(__SSE2__)

// Four channels of one pixel in 16-bit lanes. Each pixel depends on the one
// before it, so the lanes are all that can be done at once.
using Lanes = __m128i;

Lanes load(const std::uint8_t* pixel) noexcept {
  int bytes = 0;
  std::memcpy(&bytes, pixel, sizeof bytes);
  return _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
}

// Adds in bytes, which wrap around as the filters want it.
Lanes add_and_store(std::uint8_t* pixel, Lanes prediction) noexcept {
  const auto sum = _mm_and_si128(_mm_add_epi16(load(pixel), prediction), _mm_set1_epi16(255));
  const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
  std::memcpy(pixel, &bytes, sizeof bytes);
  return sum;
}

Lanes nothing() noexcept { return _mm_setzero_si128(); }

Lanes mean(Lanes a, Lanes b) noexcept { return _mm_srli_epi16(_mm_add_epi16(a, b), 1); }

Lanes choose(Lanes mask, Lanes yes, Lanes no) noexcept {
  return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

Lanes magnitude(Lanes a) noexcept { return _mm_max_epi16(a, _mm_sub_epi16(_mm_setzero_si128(), a)); }

// The neighbour that is nearest to left + up - corner; on a tie in this order.
Lanes nearest(Lanes left, Lanes up, Lanes corner) noexcept {
  const auto from_left = _mm_sub_epi16(up, corner);
  const auto from_up = _mm_sub_epi16(left, corner);
  const auto to_corner = magnitude(_mm_add_epi16(from_left, from_up));
  const auto to_left = magnitude(from_left);
  const auto to_up = magnitude(from_up);
  const auto least = _mm_min_epi16(to_corner, _mm_min_epi16(to_left, to_up));
  return choose(_mm_cmpeq_epi16(least, to_left), left, choose(_mm_cmpeq_epi16(least, to_up), up, corner));
}

#else

using Lanes = std::array<int, 4>;

Lanes load(const std::uint8_t* pixel) noexcept { return {pixel[0], pixel[1], pixel[2], pixel[3]}; }

Lanes add_and_store(std::uint8_t* pixel, Lanes prediction) noexcept {
  for (std::size_t i = 0; i < 4; ++i) {
    prediction[i] = (prediction[i] + pixel[i]) & 255;
    pixel[i] = static_cast<std::uint8_t>(prediction[i]);
  }
  return prediction;
}

Lanes nothing() noexcept { return {}; }

Lanes mean(Lanes a, Lanes b) noexcept {
  for (std::size_t i = 0; i < 4; ++i) a[i] = (a[i] + b[i]) / 2;
  return a;
}

Lanes nearest(Lanes left, Lanes up, Lanes corner) noexcept {
  for (std::size_t i = 0; i < 4; ++i) {
    const int to_left = std::abs(up[i] - corner[i]);
    const int to_up = std::abs(left[i] - corner[i]);
    const int to_corner = std::abs(left[i] + up[i] - 2 * corner[i]);
    if (to_left <= to_up && to_left <= to_corner) continue;
    left[i] = to_up <= to_corner ? up[i] : corner[i];
  }
  return left;
}

#endif

void undo_left(std::uint8_t* row, std::size_t size) noexcept {
  auto left = nothing();
  for (std::size_t i = 0; i < size; i += 4) left = add_and_store(row + i, left);
}

void undo_above(std::uint8_t* row, const std::uint8_t* above, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) row[i] = static_cast<std::uint8_t>(row[i] + above[i]);
}

void undo_mean(std::uint8_t* row, const std::uint8_t* above, std::size_t size) noexcept {
  auto left = nothing();
  for (std::size_t i = 0; i < size; i += 4) {
    left = add_and_store(row + i, mean(left, above == nullptr ? nothing() : load(above + i)));
  }
}

void undo_paeth(std::uint8_t* row, const std::uint8_t* above, std::size_t size) noexcept {
  auto left = nothing();
  auto corner = nothing();
  for (std::size_t i = 0; i < size; i += 4) {
    const auto up = load(above + i);
    left = add_and_store(row + i, nearest(left, up, corner));
    corner = up;
  }
}

}  // namespace

bool undo_filter(int filter, std::uint8_t* row, const std::uint8_t* above, std::size_t size) noexcept {
  switch (filter) {
    case 0:
      return true;
    case 1:
      undo_left(row, size);
      return true;
    case 2:
      if (above != nullptr) undo_above(row, above, size);
      return true;
    case 3:
      undo_mean(row, above, size);
      return true;
    case 4:
      // With nothing above the nearest is always what is left.
      if (above == nullptr) {
        undo_left(row, size);
      } else {
        undo_paeth(row, above, size);
      }
      return true;
    default:
      return false;
  }
}

}  // namespace drover::devices
