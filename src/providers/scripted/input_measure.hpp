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
};

}  // namespace drover::providers::scripted
