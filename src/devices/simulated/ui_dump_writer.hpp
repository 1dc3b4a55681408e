#pragma once

#include <string>

#include "devices/simulated/screen_view.hpp"

namespace drover::devices::simulated {

/// The view as `uiautomator dump` of Android 13 writes it: one line of XML, its
/// attributes in the real order, NAF on tappable nodes without any label.
std::string write_ui_dump(const ScreenView& view);

}  // namespace drover::devices::simulated
