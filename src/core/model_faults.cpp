#include "core/model_faults.hpp"

#include <array>
#include <utility>

namespace drover {

namespace {

constexpr std::array<std::pair<TransportFault, std::string_view>, 7> storm_words = {{
    {TransportFault::rate_limited, "429"},
    {TransportFault::overloaded, "529"},
    {TransportFault::unavailable, "503"},
    {TransportFault::server_error, "500"},
    {TransportFault::html_520, "520"},
    {TransportFault::dropped, "dropped"},
    {TransportFault::timed_out, "timeout"},
}};

}  // namespace

std::string_view name_of(TransportFault fault) noexcept {
  switch (fault) {
    case TransportFault::none:
      return "";
    case TransportFault::rate_limited:
      return "rate_limited";
    case TransportFault::overloaded:
      return "overloaded";
    case TransportFault::unavailable:
      return "unavailable";
    case TransportFault::server_error:
      return "server_error";
    case TransportFault::html_520:
      return "html_520";
    case TransportFault::dropped:
      return "dropped";
    case TransportFault::timed_out:
      return "timed_out";
  }
  return "";
}

std::string_view storm_answer(TransportFault fault) noexcept {
  for (const auto& [known, word] : storm_words) {
    if (known == fault) return word;
  }
  return "";
}

std::vector<std::string> storm_answers() {
  std::vector<std::string> words;
  for (const auto& [fault, word] : storm_words) words.emplace_back(word);
  return words;
}

std::optional<TransportFault> storm_answer_from(std::string_view word) noexcept {
  for (const auto& [fault, known] : storm_words) {
    if (known == word) return fault;
  }
  return std::nullopt;
}

}  // namespace drover
