#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace drover {

using Duration = std::chrono::nanoseconds;
/// A monotonic reading: for ages, deadlines and durations.
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;
/// Wall-clock time in UTC: for records that people and other hosts read.
using UtcTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// The one source of time. Nothing else in the project asks the operating system.
/// Safe to call from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual TimePoint now() const = 0;
  [[nodiscard]] virtual UtcTime utc_now() const = 0;
};

/// Identifies a pending timer; 0 is never given out.
using TimerId = std::uint64_t;

/// The one source of waiting: actors, sockets and simulated phones all wait here.
/// A callback runs once, on the timer thread (or inside advance() of a simulated
/// time), must be short and must not throw; actors are reached from it by a
/// message. Timers that are due at the same instant run in the order they were
/// set. Safe to call from any thread, also from a callback.
class Timers : public Clock {
 public:
  /// Runs `callback` after `delay`; a delay of zero or less means as soon as possible.
  virtual TimerId after(Duration delay, std::function<void()> callback) = 0;
  /// Forgets a timer. False when it has run, is running or was never set.
  virtual bool cancel(TimerId timer) = 0;
};

/// Real time on one thread of its own. Destruction drops what is pending.
std::unique_ptr<Timers> make_timer_thread();

/// "2026-11-30T14:15:02.123456Z".
std::string to_iso8601(UtcTime time);
/// Appends the same to a buffer.
void append_iso8601(UtcTime time, std::string& out);
/// Reads an ISO 8601 time with `Z` or an offset, seconds and up to nine digits of
/// a fraction (cut to microseconds). Nothing for any other text, or for a day,
/// hour or year (0 to 9999) that does not exist.
std::optional<UtcTime> from_iso8601(std::string_view text) noexcept;

/// Milliseconds as a floating-point number, for records and tables.
double to_milliseconds(Duration duration) noexcept;

}  // namespace drover
