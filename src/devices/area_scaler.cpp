#include "devices/area_scaler.hpp"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace drover::devices {

namespace {

constexpr int unit = 256;
constexpr std::uint8_t nearly_black = 8;

#if defined(__SSE2__)

// The mean of some neighbouring pixels, all channels at once: 255 times weights
// that add up to 256, and the half for rounding, fit 16 bits.
void store_mean(const std::uint8_t* in, const std::uint16_t* weights, int count, std::uint8_t* out) noexcept {
  auto sums = _mm_set1_epi16(unit / 2);
  for (int i = 0; i < count; ++i, in += 4) {
    int bytes = 0;
    std::memcpy(&bytes, in, sizeof bytes);
    const auto pixel = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    sums = _mm_add_epi16(sums, _mm_mullo_epi16(pixel, _mm_set1_epi16(static_cast<short>(weights[i]))));
  }
  sums = _mm_srli_epi16(sums, 8);
  const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(sums, sums));
  std::memcpy(out, &bytes, sizeof bytes);
}

#else

void store_mean(const std::uint8_t* in, const std::uint16_t* weights, int count, std::uint8_t* out) noexcept {
  for (int channel = 0; channel < 4; ++channel) {
    unsigned sum = unit / 2;
    for (int i = 0; i < count; ++i) sum += in[4 * i + channel] * unsigned{weights[i]};
    out[channel] = static_cast<std::uint8_t>(sum >> 8);
  }
}

#endif

bool is_dark(const std::uint8_t* row, std::size_t pixels) noexcept {
  std::uint8_t brightest = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    brightest = std::max({brightest, row[4 * i], row[4 * i + 1], row[4 * i + 2]});
  }
  return brightest <= nearly_black;
}

}  // namespace

AreaScaler::AreaScaler(int width, int height, int target_width, int target_height)
    : width_(width),
      target_width_(target_width),
      columns_(share_out(width, target_width)),
      rows_(share_out(height, target_height)),
      sums_(static_cast<std::size_t>(width) * 4),
      narrow_(static_cast<std::size_t>(width) * 4),
      pixels_(std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(target_width) *
                                                             static_cast<std::size_t>(target_height) * 4)) {}

AreaScaler::Shares AreaScaler::share_out(int size, int target) {
  Shares out;
  out.shares.reserve(static_cast<std::size_t>(target));
  // In units of 1/target of a source pixel: each new pixel covers `size` of them.
  for (std::int64_t i = 0; i < target; ++i) {
    const std::int64_t begin = i * size;
    const std::int64_t end = begin + size;
    Share share;
    share.first = static_cast<int>(begin / target);
    share.weights = out.weights.size();
    std::int64_t given = 0;
    for (std::int64_t at = share.first; at * target < end; ++at) {
      // The difference of rounded sums, so that the weights add up whatever the rounding.
      auto total = (std::min(end, (at + 1) * target) - begin) * unit / size;
      out.weights.push_back(static_cast<std::uint16_t>(total - given));
      given = total;
      ++share.count;
    }
    out.shares.push_back(share);
  }
  return out;
}

void AreaScaler::add_row(const std::uint8_t* row) {
  if (!seen_light_) seen_light_ = !is_dark(row, static_cast<std::size_t>(width_));
  while (target_row_ < rows_.shares.size()) {
    const auto& share = rows_.shares[target_row_];
    const int offset = source_row_ - share.first;
    if (offset < 0) break;
    if (share.count == 1) {
      std::memcpy(narrow_.data(), row, narrow_.size());
    } else {
      add_weighted(row, rows_.weights[share.weights + static_cast<std::size_t>(offset)]);
    }
    if (offset + 1 < share.count) break;
    finish_row();
    // A source row on the border of two new rows counts for both.
    ++target_row_;
    sums_started_ = false;
    if (target_row_ < rows_.shares.size() && rows_.shares[target_row_].first > source_row_) break;
  }
  ++source_row_;
}

void AreaScaler::add_weighted(const std::uint8_t* row, std::uint16_t weight) {
  auto* sums = sums_.data();
  const auto count = sums_.size();
  if (sums_started_) {
    for (std::size_t i = 0; i < count; ++i) sums[i] = static_cast<std::uint16_t>(sums[i] + row[i] * weight);
  } else {
    for (std::size_t i = 0; i < count; ++i) sums[i] = static_cast<std::uint16_t>(row[i] * weight);
    sums_started_ = true;
  }
}

void AreaScaler::finish_row() {
  if (rows_.shares[target_row_].count > 1) {
    const auto* sums = sums_.data();
    auto* narrow = narrow_.data();
    const auto count = sums_.size();
    for (std::size_t i = 0; i < count; ++i) narrow[i] = static_cast<std::uint8_t>((sums[i] + unit / 2) >> 8);
  }
  auto* out = pixels_.get() + target_row_ * static_cast<std::size_t>(target_width_) * 4;
  for (const auto& share : columns_.shares) {
    store_mean(narrow_.data() + static_cast<std::size_t>(share.first) * 4, columns_.weights.data() + share.weights,
               share.count, out);
    out += 4;
  }
}

}  // namespace drover::devices
