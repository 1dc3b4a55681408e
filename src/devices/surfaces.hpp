#pragma once

#include <string_view>

namespace drover::devices {

/// What a package that is no app of its own puts in front of one.
enum class Surface : unsigned char {
  none,        ///< An app, as far as the name says.
  keyboard,    ///< An input method.
  system,      ///< Status bar, shade, lock screen (com.android.systemui and vendors' parts of it).
  permission,  ///< Permission dialogs and the package installer.
  chooser,     ///< Share sheet and "open with".
  framework,   ///< Dialogs of the system itself: not responding, stopped (package "android").
  services,    ///< Sign-in and payment sheets of the platform's services.
};

Surface surface_of_package(std::string_view package) noexcept;

/// The word that stands for a surface in a page name: "shade", "permission", …;
/// empty for none and keyboard.
std::string_view name_of(Surface surface) noexcept;

}  // namespace drover::devices
