#include "core/clock.hpp"

namespace drover {
namespace {

void put_digits(char*& at, unsigned value, int count) {
  for (int i = count - 1; i >= 0; --i) {
    at[i] = static_cast<char>('0' + value % 10);
    value /= 10;
  }
  at += count;
}

/// Takes exactly `count` digits off the front, or -1.
int take_digits(std::string_view& text, std::size_t count) noexcept {
  if (text.size() < count) return -1;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char wanted) noexcept {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// Minutes east of UTC from "Z" or "+hh:mm" at the end of a text.
std::optional<int> take_offset(std::string_view& text) noexcept {
  if (take(text, 'Z')) return 0;
  const bool west = !text.empty() && text.front() == '-';
  if (!west && (text.empty() || text.front() != '+')) return std::nullopt;
  text.remove_prefix(1);
  const int hours = take_digits(text, 2);
  if (!take(text, ':')) return std::nullopt;
  const int minutes = take_digits(text, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (hours * 60 + minutes);
}

}  // namespace

void append_iso8601(UtcTime time, std::string& out) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const auto in_day = static_cast<std::uint64_t>((time - day).count());
  char text[27];
  char* at = text;
  put_digits(at, static_cast<unsigned>(static_cast<int>(date.year())), 4);
  *at++ = '-';
  put_digits(at, static_cast<unsigned>(date.month()), 2);
  *at++ = '-';
  put_digits(at, static_cast<unsigned>(date.day()), 2);
  *at++ = 'T';
  put_digits(at, static_cast<unsigned>(in_day / 3'600'000'000), 2);
  *at++ = ':';
  put_digits(at, static_cast<unsigned>(in_day / 60'000'000 % 60), 2);
  *at++ = ':';
  put_digits(at, static_cast<unsigned>(in_day / 1'000'000 % 60), 2);
  *at++ = '.';
  put_digits(at, static_cast<unsigned>(in_day % 1'000'000), 6);
  *at++ = 'Z';
  out.append(text, at);
}

std::string to_iso8601(UtcTime time) {
  std::string out;
  append_iso8601(time, out);
  return out;
}

std::optional<UtcTime> from_iso8601(std::string_view text) noexcept {
  using namespace std::chrono;
  const int year_number = take_digits(text, 4);
  if (year_number < 0 || !take(text, '-')) return std::nullopt;
  const int month_number = take_digits(text, 2);
  if (month_number < 0 || !take(text, '-')) return std::nullopt;
  const int day_number = take_digits(text, 2);
  if (day_number < 0 || !take(text, 'T')) return std::nullopt;
  const int hour = take_digits(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) return std::nullopt;
  const int minute = take_digits(text, 2);
  if (minute < 0 || minute > 59 || !take(text, ':')) return std::nullopt;
  const int second = take_digits(text, 2);
  if (second < 0 || second > 59) return std::nullopt;
  std::int64_t micros = 0;
  if (take(text, '.')) {
    std::int64_t scale = 100'000;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits, scale /= 10) {
      micros += (text[digits] - '0') * scale;
    }
    if (digits == 0 || digits > 9) return std::nullopt;
    text.remove_prefix(digits);
  }
  const auto offset = take_offset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const year_month_day date{year{year_number}, month{static_cast<unsigned>(month_number)},
                            day{static_cast<unsigned>(day_number)}};
  if (!date.ok()) return std::nullopt;
  return UtcTime{sys_days{date}.time_since_epoch()} + hours{hour} + minutes{minute - *offset} + seconds{second} +
         microseconds{micros};
}

}  // namespace drover
