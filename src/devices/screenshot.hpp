#pragma once

#include <cstddef>
#include <string_view>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// Finds the PNG or JPEG in what a screenshot command printed (text before it is
/// skipped, a cut-off picture is refused), and makes it ready for a model: long
/// side at most `max_side` pixels, areas of password fields of `scene` painted
/// over, encoded as JPEG. Media type by content. Blocking and CPU-bound: for the
/// image workers. Errors: malformed, observation_failed (all black: a secure
/// screen or a display that is off; the tree alone is used then).
Result<Screenshot> prepare_screenshot(std::string_view bytes, const Scene& scene, int max_side = 1568);

}  // namespace drover::devices
