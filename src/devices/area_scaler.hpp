#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace drover::devices {

/// Makes a picture smaller while its rows come in, by the mean of the area that
/// each new pixel covers: small text stays readable and no full-size copy is
/// kept. Pixels are four bytes, of which the last is not looked at.
class AreaScaler {
 public:
  /// All sizes at least 1; the target is at most as large as the source.
  AreaScaler(int width, int height, int target_width, int target_height);

  /// Takes the next row of `width` pixels, from the top. Rows behind the last are ignored.
  void add_row(const std::uint8_t* row);

  /// Whether any colour of any row so far was brighter than nearly black.
  [[nodiscard]] bool seen_light() const noexcept { return seen_light_; }
  /// The new picture, four bytes a pixel without gaps, complete after the last row.
  [[nodiscard]] std::uint8_t* pixels() noexcept { return pixels_.get(); }

 private:
  // Which source pixels make up one new pixel, with weights that add up to 256.
  struct Share {
    int first = 0;
    int count = 0;
    std::size_t weights = 0;  // Index of the first weight.
  };
  struct Shares {
    std::vector<Share> shares;
    std::vector<std::uint16_t> weights;
  };
  static Shares share_out(int size, int target);

  void add_weighted(const std::uint8_t* row, std::uint16_t weight);
  void finish_row();

  int width_;
  int target_width_;
  Shares columns_;
  Shares rows_;
  std::vector<std::uint16_t> sums_;   // One target row, not yet narrowed.
  std::vector<std::uint8_t> narrow_;  // The same in bytes.
  std::unique_ptr<std::uint8_t[]> pixels_;
  std::size_t target_row_ = 0;
  int source_row_ = 0;
  bool sums_started_ = false;
  bool seen_light_ = false;
};

}  // namespace drover::devices
