#pragma once

#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover {

/// The one text form of a scene: what stands in prompts, logs and `drover scene`.
///
///     page com.android.settings/network app com.android.settings size 1080x2400 keyboard
///     1 list
///      2 item "Wi-Fi, Connected"
///      3 toggle "Airplane mode" off
///     4 field "Search" ="shoes" focused
///     5 button "" #close disabled
///
/// The first line describes the screen; then one element a line: one space per
/// level of nesting, id, role, quoted label (", \ and line breaks escaped, so
/// that nothing on a screen can start a line of its own), `="value"` and
/// `?"hint"` of a field, `#id` (last part of the resource id) where there is no
/// label or where an id says more than it, then states: on / off (checkable),
/// focused, selected, disabled, scrolls, password. What can be tapped by its
/// role (button, item, toggle, checkbox, radio, tab, field, spinner) has no mark;
/// others get `tap`, and a tappable role that can't be tapped gets `inert`.
std::string write_scene(const Scene& scene);

/// Appends the same to a buffer: no other allocation on the hot path.
void write_scene(const Scene& scene, std::string& out);

/// Reads what write_scene wrote; bounds, class names and full resource ids are
/// not in the text and stay empty. Lines that are not in the form are refused
/// with their number.
Result<Scene> read_scene(std::string_view text);

}  // namespace drover
