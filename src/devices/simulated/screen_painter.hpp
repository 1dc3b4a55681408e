#pragma once

#include <string>

#include "devices/simulated/phone_state.hpp"

namespace drover::devices::simulated {

/// Draws what a phone shows, as a PNG. Slow (tens of milliseconds); only for
/// screenshots. Safe to use from several threads, each with its own painter.
class ScreenPainter {
 public:
  explicit ScreenPainter(const PhoneState& phone) : phone_(phone) {}

  /// The PNG's bytes; all black while the display is off.
  [[nodiscard]] std::string paint() const;

 private:
  const PhoneState& phone_;
};

}  // namespace drover::devices::simulated
