#include "providers/scripted/input_measure.hpp"

#include "core/text.hpp"

namespace drover::providers::scripted {

void InputMeasure::count_text(const std::string& text) {
  text_bytes += text.size();
  text_tokens += estimate_tokens(text);
}

}  // namespace drover::providers::scripted
