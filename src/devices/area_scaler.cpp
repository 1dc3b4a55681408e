#include "devices/area_scaler.hpp"

#include <algorithm>
#include <cstring>

namespace drover::devices {

namespace {

constexpr int unit = 256;
constexpr std::uint8_t nearly_black = 8;

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
      pixels_(static_cast<std::size_t>(target_width) * static_cast<std::size_t>(target_height) * 4) {}

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
  auto* out = pixels_.data() + target_row_ * static_cast<std::size_t>(target_width_) * 4;
  for (const auto& share : columns_.shares) {
    const auto* in = narrow_.data() + static_cast<std::size_t>(share.first) * 4;
    const auto* weight = columns_.weights.data() + share.weights;
    std::uint32_t red = unit / 2;
    std::uint32_t green = unit / 2;
    std::uint32_t blue = unit / 2;
    for (int i = 0; i < share.count; ++i, in += 4) {
      red += in[0] * std::uint32_t{weight[i]};
      green += in[1] * std::uint32_t{weight[i]};
      blue += in[2] * std::uint32_t{weight[i]};
    }
    out[0] = static_cast<std::uint8_t>(red >> 8);
    out[1] = static_cast<std::uint8_t>(green >> 8);
    out[2] = static_cast<std::uint8_t>(blue >> 8);
    out += 4;
  }
}

}  // namespace drover::devices
