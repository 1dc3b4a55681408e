#pragma once

#include "core/scene.hpp"
#include "devices/ui_dump.hpp"
#include "devices/ui_tree.hpp"

namespace drover::devices {

/// Turns a tree as it was written into a scene: what is labelled or can be acted
/// on becomes an element; the words inside a row become the row's label; a
/// password's text goes nowhere; the keys of a keyboard become one element. A tree
/// that shows nothing by name (a game, a splash screen) gives its largest part as
/// the one element. Error: observation_failed when no node can be seen at all.
Result<Scene> build_scene(const UiTree& tree, ScreenGeometry geometry);

}  // namespace drover::devices
