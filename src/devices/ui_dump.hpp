#pragma once

#include <string_view>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// What the phone says of its screen apart from the dump; zero where not known.
struct ScreenGeometry {
  int width = 0;
  int height = 0;
};

/// Turns what a dump command printed into a scene: UIAutomator hierarchies, text
/// before or glued behind the XML, Appium's class-named tags, several windows,
/// hostile nesting (devices.md section 4). A dump that holds no hierarchy, is cut
/// short, or reports an error of its own is Errc::observation_failed or
/// Errc::malformed with what was wrong; it is never an empty scene. Pure, thread-safe.
Result<Scene> parse_ui_dump(std::string_view bytes, ScreenGeometry geometry = {});

}  // namespace drover::devices
