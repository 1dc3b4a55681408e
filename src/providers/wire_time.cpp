#include "providers/wire_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace drover::providers {
namespace {

using namespace std::chrono;

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 40) return std::nullopt;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (failure != std::errc{} || at != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<Duration> from_seconds(std::optional<double> seconds) {
  if (!seconds || *seconds < 0) return std::nullopt;
  const double longest = duration<double>(longest_wire_duration).count();
  return Duration{static_cast<Duration::rep>(std::llround(std::min(*seconds, longest) * 1e9))};
}

/// Reads exactly `digits` digits at `at` and moves on.
std::optional<int> take_digits(std::string_view text, std::size_t& at, std::size_t digits) {
  if (at + digits > text.size()) return std::nullopt;
  int number = 0;
  for (const std::size_t end = at + digits; at < end; ++at) {
    if (text[at] < '0' || text[at] > '9') return std::nullopt;
    number = number * 10 + (text[at] - '0');
  }
  return number;
}

bool take(std::string_view text, std::size_t& at, char wanted) {
  if (at >= text.size() || text[at] != wanted) return false;
  ++at;
  return true;
}

std::optional<UtcTime> make_time(int year_number, int month_number, int day_number, int hour, int minute, int second) {
  const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                            day{static_cast<unsigned>(day_number)}};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return UtcTime{sys_days{date}} + hours{hour} + minutes{minute} + seconds{second};
}

std::optional<Duration> left_until(std::optional<UtcTime> moment, std::optional<UtcTime> now) {
  if (!moment || !now) return std::nullopt;
  if (*moment <= *now) return Duration::zero();
  // Compared in microseconds: the distance of two moments may not fit into nanoseconds.
  const auto left = *moment - *now;
  return left > duration_cast<microseconds>(longest_wire_duration) ? longest_wire_duration
                                                                   : duration_cast<Duration>(left);
}

}  // namespace

std::optional<Duration> parse_seconds(std::string_view text) { return from_seconds(parse_number(text)); }

std::optional<Duration> parse_milliseconds(std::string_view text) {
  auto number = parse_number(text);
  if (number) *number /= 1000;
  return from_seconds(number);
}

std::optional<Duration> parse_go_duration(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > 64) return std::nullopt;
  double total = 0;
  while (!text.empty()) {
    const auto number_end = text.find_first_not_of("0123456789.");
    if (number_end == 0 || number_end == std::string_view::npos) return std::nullopt;
    const auto number = parse_number(text.substr(0, number_end));
    if (!number) return std::nullopt;
    text.remove_prefix(number_end);
    const auto unit_end = std::min(text.find_first_of("0123456789."), text.size());
    const auto unit = text.substr(0, unit_end);
    text.remove_prefix(unit_end);
    double scale = 0;
    if (unit == "h")
      scale = 3600;
    else if (unit == "m")
      scale = 60;
    else if (unit == "s")
      scale = 1;
    else if (unit == "ms")
      scale = 1e-3;
    else if (unit == "us" || unit == "\u00b5s" || unit == "\u03bcs")
      scale = 1e-6;
    else if (unit == "ns")
      scale = 1e-9;
    else
      return std::nullopt;
    total += *number * scale;
  }
  return from_seconds(total);
}

std::optional<UtcTime> parse_rfc3339(std::string_view text) {
  text = trim(text);
  std::size_t at = 0;
  const auto year_number = take_digits(text, at, 4);
  if (!year_number || !take(text, at, '-')) return std::nullopt;
  const auto month_number = take_digits(text, at, 2);
  if (!month_number || !take(text, at, '-')) return std::nullopt;
  const auto day_number = take_digits(text, at, 2);
  if (!day_number || at >= text.size() || (text[at] != 'T' && text[at] != 't' && text[at] != ' ')) return std::nullopt;
  ++at;
  const auto hour = take_digits(text, at, 2);
  if (!hour || !take(text, at, ':')) return std::nullopt;
  const auto minute = take_digits(text, at, 2);
  if (!minute || !take(text, at, ':')) return std::nullopt;
  const auto second = take_digits(text, at, 2);
  if (!second) return std::nullopt;
  auto time = make_time(*year_number, *month_number, *day_number, *hour, *minute, *second);
  if (!time) return std::nullopt;
  if (take(text, at, '.')) {
    std::int64_t micro = 0;
    int digits = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++digits) {
      if (digits < 6) micro = micro * 10 + (text[at] - '0');
    }
    if (digits == 0) return std::nullopt;
    for (; digits < 6; ++digits) micro *= 10;
    *time += microseconds{micro};
  }
  if (at + 1 == text.size() && (text[at] == 'Z' || text[at] == 'z')) return time;
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return std::nullopt;
  const int sign = text[at++] == '+' ? 1 : -1;
  const auto offset_hour = take_digits(text, at, 2);
  if (!offset_hour || !take(text, at, ':')) return std::nullopt;
  const auto offset_minute = take_digits(text, at, 2);
  if (!offset_minute || at != text.size()) return std::nullopt;
  return *time - sign * (hours{*offset_hour} + minutes{*offset_minute});
}

std::optional<UtcTime> parse_http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  text = trim(text);
  const auto comma = text.find(", ");
  if (comma == std::string_view::npos) return std::nullopt;
  text.remove_prefix(comma + 2);
  std::size_t at = 0;
  const auto day_number = take_digits(text, at, 2);
  if (!day_number || !take(text, at, ' ') || at + 3 > text.size()) return std::nullopt;
  const auto* const found = std::find(months.begin(), months.end(), text.substr(at, 3));
  if (found == months.end()) return std::nullopt;
  at += 3;
  if (!take(text, at, ' ')) return std::nullopt;
  const auto year_number = take_digits(text, at, 4);
  if (!year_number || !take(text, at, ' ')) return std::nullopt;
  const auto hour = take_digits(text, at, 2);
  if (!hour || !take(text, at, ':')) return std::nullopt;
  const auto minute = take_digits(text, at, 2);
  if (!minute || !take(text, at, ':')) return std::nullopt;
  const auto second = take_digits(text, at, 2);
  if (!second || text.substr(at) != " GMT") return std::nullopt;
  return make_time(*year_number, static_cast<int>(found - months.begin()) + 1, *day_number, *hour, *minute, *second);
}

std::optional<Duration> parse_time_left(std::string_view text, std::optional<UtcTime> now) {
  if (const auto number = parse_number(text)) {
    if (*number < 1e9) return from_seconds(number);
    const double unix_seconds = *number >= 1e12 ? *number / 1000 : *number;
    if (unix_seconds > 1e11) return std::nullopt;
    return left_until(UtcTime{duration_cast<microseconds>(duration<double>(unix_seconds))}, now);
  }
  if (const auto duration = parse_go_duration(text)) return duration;
  if (const auto moment = parse_rfc3339(text)) return left_until(moment, now);
  return left_until(parse_http_date(text), now);
}

}  // namespace drover::providers
