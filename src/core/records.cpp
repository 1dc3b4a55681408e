#include "core/records.hpp"

#include <algorithm>
#include <array>

namespace drover {
namespace {

constexpr std::array<std::string_view, 4> run_state_names{"unknown", "running", "ended", "interrupted"};
constexpr std::array<std::string_view, 5> act_status_names{"unknown", "done", "failed", "refused", "in_doubt"};

template <class Enum, std::size_t size>
std::string_view name_in(const std::array<std::string_view, size>& names, Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return names[index < size ? index : 0];
}

template <class Enum, std::size_t size>
Enum value_in(const std::array<std::string_view, size>& names, std::string_view name) noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? Enum::unknown : static_cast<Enum>(found - names.begin());
}

}  // namespace

void Usage::add(const Usage& other) {
  const bool is_empty = *this == Usage{};
  const bool other_is_empty = other == Usage{};
  calls += other.calls;
  input_tokens += other.input_tokens;
  cached_tokens += other.cached_tokens;
  output_tokens += other.output_tokens;
  thinking_tokens += other.thinking_tokens;
  if (is_empty) {
    cost = other.cost;
  } else if (!other_is_empty) {
    if (cost && other.cost && cost->currency == other.cost->currency) {
      cost->micros += other.cost->micros;
    } else {
      cost.reset();
    }
  }
}

std::string_view name_of(RunState state) noexcept { return name_in(run_state_names, state); }
RunState run_state_from(std::string_view name) noexcept { return value_in<RunState>(run_state_names, name); }
std::string_view name_of(ActStatus status) noexcept { return name_in(act_status_names, status); }
ActStatus act_status_from(std::string_view name) noexcept { return value_in<ActStatus>(act_status_names, name); }

}  // namespace drover
