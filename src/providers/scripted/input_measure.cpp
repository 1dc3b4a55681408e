#include "providers/scripted/input_measure.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers::scripted {

void InputMeasure::count_text(const std::string& text) {
  text_bytes += text.size();
  text_tokens += estimate_tokens(text);
}

std::size_t InputMeasure::tokens_of(std::size_t request_bytes, std::size_t tokens_of_an_image) const noexcept {
  const auto other_bytes = request_bytes - std::min(request_bytes, text_bytes + image_bytes);
  return text_tokens + other_bytes / 4 + images * tokens_of_an_image;
}

}  // namespace drover::providers::scripted
