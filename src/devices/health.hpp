#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/random.hpp"

namespace drover::devices {

struct HealthOptions {
  Duration backoff_base = std::chrono::milliseconds{500};
  Duration backoff_cap = std::chrono::seconds{60};
  std::uint32_t faults_to_quarantine = 6;  ///< Within the window.
  Duration fault_window = std::chrono::minutes{10};
  Duration quarantine = std::chrono::minutes{5};  ///< Doubles each time, up to an hour.
};

/// Whether a failure speaks against the phone or its connection, and not against
/// what was asked of it: no answer, no screen, out of reach.
bool blames_phone(Errc code) noexcept;
/// Whether it says that the phone has gone away.
bool phone_is_gone(Errc code) noexcept;

/// What one phone's record of faults means for it: how long to wait before the
/// next try to reach it, and when to take it out of work. One sick phone must
/// never be asked without a pause (field-lessons 63).
class Health {
 public:
  explicit Health(HealthOptions options, std::uint64_t seed);

  void on_connected(TimePoint now);
  /// A connection that broke, or work that failed in a way that blames the phone.
  void on_fault(std::string reason, TimePoint now);
  /// A further try to reach a phone that is away: it makes the pauses longer, and is
  /// no fault of its own, however long a phone takes to start again.
  void on_connect_failed(std::string reason);

  /// The pause before the next try to connect: full jitter over a doubling cap.
  [[nodiscard]] Duration next_pause();
  [[nodiscard]] bool quarantined(TimePoint now) const noexcept { return now < quarantined_until_; }
  [[nodiscard]] TimePoint quarantined_until() const noexcept { return quarantined_until_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  HealthOptions options_;
  Random random_;
  std::deque<TimePoint> faults_;
  std::uint32_t failures_in_a_row_ = 0;
  std::uint32_t quarantines_ = 0;
  TimePoint quarantined_until_{};
  std::string reason_;
};

}  // namespace drover::devices
