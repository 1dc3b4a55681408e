#include "devices/look.hpp"

#include <utility>

#include "devices/page_name.hpp"
#include "devices/ui_dump.hpp"

namespace drover::devices {
namespace {

constexpr std::uint32_t most_tries = 6;
constexpr Duration first_pause = std::chrono::milliseconds{150};

}  // namespace

Look::Look(const DeviceDescription& description, bool with_screenshot, TimePoint started)
    : width_(description.width), height_(description.height), wants_screenshot_(with_screenshot), started_(started) {}

LookStep Look::next(TimePoint) {
  if (wants_screenshot_ && !screenshot_) return RunPrimitive{primitive::TakeScreenshot{}};
  return RunPrimitive{primitive::DumpTree{}};
}

LookStep Look::on_result(const PrimitiveResult& result, TimePoint now) {
  const bool was_screenshot = wants_screenshot_ && !screenshot_;
  Error failure;
  if (!result.ok()) {
    if (result.error().code == Errc::device_lost || result.error().code == Errc::cancelled) {
      return LookResult{result.error()};
    }
    failure = result.error();
    if (was_screenshot) {
      // A phone without a picture still has its tree.
      wants_screenshot_ = false;
      return RunPrimitive{primitive::DumpTree{}};
    }
  } else if (was_screenshot) {
    screenshot_ = RawScreenshot{result->bytes};
    return RunPrimitive{primitive::DumpTree{}};
  } else {
    auto scene = parse_ui_dump(result->bytes, {width_, height_});
    if (scene.ok()) {
      auto observation = std::make_shared<Observation>();
      observation->scene = *std::move(scene);
      observation->taken_at = now;
      observation->took = now - started_;
      return LookResult{std::shared_ptr<const Observation>(std::move(observation))};
    }
    failure = scene.error();
  }
  if (tries_ >= most_tries) {
    return LookResult{Error{
        failure.code == Errc::device_unavailable ? Errc::device_unavailable : Errc::observation_failed,
        "the screen could not be read in " + std::to_string(tries_) + " tries: " + failure.cause, failure.remedy}};
  }
  const Duration pause = first_pause * (1 << (tries_ - 1));
  ++tries_;
  screenshot_.reset();
  return PauseFor{pause};
}

std::optional<RawScreenshot> Look::take_screenshot() { return std::exchange(screenshot_, std::nullopt); }

}  // namespace drover::devices
