#include "cli/number_text.hpp"

#include <cinttypes>
#include <cstdio>

namespace drover::cli {
namespace {

template <class... Values>
std::string print(const char* format, Values... values) {
  char text[96];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

}  // namespace

std::string counted(std::uint64_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string count_text(std::uint64_t count) {
  if (count < 10'000) return std::to_string(count);
  if (count < 10'000'000) return print("%.1fk", static_cast<double>(count) / 1e3);
  return print("%.1fM", static_cast<double>(count) / 1e6);
}

std::string duration_text(Duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  if (seconds < 1) return print("%.0f ms", seconds * 1e3);
  if (seconds < 100) return print("%.1f s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 3600) return print("%" PRId64 ":%02" PRId64 " min", whole / 60, whole % 60);
  return print("%" PRId64 ":%02" PRId64 ":%02" PRId64 " h", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string money_text(const std::optional<Money>& money) {
  if (!money) return "no price";
  return print("%.4f ", static_cast<double>(money->micros) / 1e6) + money->currency;
}

std::string cost_text(std::int64_t micros, std::uint64_t calls_without_price, const std::string& nothing) {
  if (calls_without_price > 0) return money_text(std::nullopt);
  return micros > 0 ? money_text(Money{micros, "USD"}) : nothing;
}

std::string rate_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::to_string(part) + " of 0";
  return print("%" PRIu64 " of %" PRIu64 " (%.0f %%)", part, whole,
               100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace drover::cli
