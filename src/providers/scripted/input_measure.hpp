#pragma once

#include <cstddef>
#include <string>

namespace drover::providers::scripted {

/// What the texts and pictures of a request come to, for the estimate of its input tokens.
struct InputMeasure {
  std::size_t text_bytes = 0;
  std::size_t text_tokens = 0;  ///< Estimated.
  std::size_t image_bytes = 0;  ///< Of the pictures' base64.
  std::size_t images = 0;

  void count_text(const std::string& text);

  /// Of a request of so many bytes: what is neither text nor picture, such as tools, is
  /// taken for a token each four bytes.
  [[nodiscard]] std::size_t tokens_of(std::size_t request_bytes, std::size_t tokens_of_an_image) const noexcept;
};

}  // namespace drover::providers::scripted
