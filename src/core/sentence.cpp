#include "core/sentence.hpp"

namespace drover {

std::string_view without_full_stop(std::string_view sentence) noexcept {
  if (sentence.ends_with('.') && !sentence.ends_with("..")) sentence.remove_suffix(1);
  return sentence;
}

std::string two_statements(std::string_view first, std::string_view second) {
  return std::string(without_full_stop(first)).append("; ").append(second);
}

}  // namespace drover
