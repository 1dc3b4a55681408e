#include "devices/surfaces.hpp"

#include <initializer_list>

namespace drover::devices {

namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) noexcept {
  for (auto word : words) {
    if (text.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Surface surface_of_package(std::string_view package) noexcept {
  if (package.empty()) return Surface::none;
  if (package == "android") return Surface::framework;
  if (has_any(package, {"permissioncontroller", "packageinstaller", "lbe.security"})) return Surface::permission;
  if (has_any(package, {"intentresolver", "android.internal.app"})) return Surface::chooser;
  if (package == "com.google.android.gms" || package == "com.google.android.gsf") return Surface::services;
  if (has_any(package, {"systemui", "com.miui.aod", "android.aod"})) return Surface::system;
  if (has_any(package, {"inputmethod", "honeyboard", "swiftkey", "touchtype", "adbkeyboard", "baidu.input", "sogou.ime",
                        "iflytek.ime", ".softkeyboard", ".ime.", ".keyboard.", "gboard"}) ||
      package.ends_with(".ime") || package.ends_with(".keyboard")) {
    return Surface::keyboard;
  }
  return Surface::none;
}

std::string_view name_of(Surface surface) noexcept {
  switch (surface) {
    case Surface::system:
      return "system";
    case Surface::permission:
      return "permission";
    case Surface::chooser:
      return "chooser";
    case Surface::framework:
      return "framework";
    case Surface::services:
      return "services";
    case Surface::none:
    case Surface::keyboard:
      break;
  }
  return {};
}

}  // namespace drover::devices
