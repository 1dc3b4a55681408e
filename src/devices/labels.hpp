#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace drover::devices {

/// A label never grows beyond this; the longest text of a real dump known has 981 bytes.
inline constexpr std::size_t max_label_bytes = 4000;

/// A text of a dump as a person reads it: surrogate pairs that were written as two
/// code points are joined, the rest is repaired and tidied (core/text.hpp), and it
/// is cut to `max_label_bytes`.
std::string clean_label(std::string_view raw);

/// The same without a copy where there is nothing to tidy: a view of `raw`, or of
/// `buffer`, which then holds the text.
std::string_view clean_label(std::string_view raw, std::string& buffer);

/// Whether nothing of a raw text can be seen: empty or white space alone.
[[nodiscard]] bool is_blank(std::string_view raw) noexcept;

/// Whether `piece` stands in `label` as whole words.
[[nodiscard]] bool holds_words(std::string_view label, std::string_view piece) noexcept;

/// Appends a piece as `label, piece`, unless the label says it already. A label
/// made of icon glyphs alone (private use area) gives way to a piece with words,
/// and such a piece is left out where there are words.
void join_label(std::string& label, std::string_view piece);

/// What stands in the place of a password that is not empty.
inline constexpr std::string_view password_mask = "••••";

/// Puts the mask in the place of `secret` wherever it stands in `label`, if it
/// stands there as whole words.
void mask_words(std::string& label, std::string_view secret);

/// Whether `whole` is nothing but the given parts one after the other, with
/// separators between them: ancestors in web views and React Native repeat so what
/// their children say. Feed the parts in order.
class ConcatenationCheck {
 public:
  explicit ConcatenationCheck(std::string_view whole) noexcept : rest_(whole) {}
  /// Takes the next part; false when it does not stand at this place.
  bool take(std::string_view part) noexcept;
  /// Whether only separators are left.
  [[nodiscard]] bool complete() const noexcept;

 private:
  std::string_view rest_;
};

}  // namespace drover::devices
