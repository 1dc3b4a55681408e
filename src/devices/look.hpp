#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/scene.hpp"
#include "devices/driver.hpp"
#include "devices/executor.hpp"

namespace drover::devices {

/// A look that has ended: the observation, or why the screen could not be read.
using LookResult = Result<std::shared_ptr<const Observation>>;
/// A screenshot that came in: to be made ready by an image worker, outside of this machine.
struct RawScreenshot {
  std::string bytes;
};
using LookStep = std::variant<RunPrimitive, PauseFor, LookResult>;

/// One look at a phone, without I/O: dump, parse, screenshot when wanted. A dump
/// that failed or made no sense is a read, so it is tried again with growing
/// pauses; a phone that went away is not. The screenshot is taken before the
/// dump, so that the age of the screen counts from what the decision is based on.
class Look {
 public:
  /// `description` gives the geometry; `with_screenshot` asks for the picture too.
  Look(const DeviceDescription& description, bool with_screenshot, TimePoint started);

  LookStep next(TimePoint now);
  LookStep on_result(const PrimitiveResult& result, TimePoint now);

  /// The picture as it came from the phone, to be taken once; nothing when none was wanted or to be had.
  [[nodiscard]] std::optional<RawScreenshot> take_screenshot();
  [[nodiscard]] std::uint32_t tries() const noexcept { return tries_; }

 private:
  int width_;
  int height_;
  bool wants_screenshot_;
  TimePoint started_;
  std::uint32_t tries_ = 1;
  std::optional<RawScreenshot> screenshot_;
};

}  // namespace drover::devices
