#pragma once

#include <string>

#include "core/scene.hpp"

namespace drover::devices {

/// A short name for where the app is, made from structure (package, resource
/// ids, selected tab, dialog or sheet) so that it stays the same in every
/// language and with other user data on the screen (devices.md section 8):
/// `com.android.settings/network`, `com.shop/cart+dialog`. At most 80 bytes.
std::string page_name(const Scene& scene);

}  // namespace drover::devices
