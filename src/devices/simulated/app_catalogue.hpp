#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "devices/simulated/app_definition.hpp"
#include "devices/simulated/simulated_phones.hpp"

namespace drover::devices::simulated {

/// An app file's name and text.
struct AppFileText {
  std::string path;
  std::string text;
};

class AppCatalogue {
 public:
  /// Takes app files apart and binds names across them. Problems are added to
  /// `problems` in the order of files and lines; null when there are any.
  static std::shared_ptr<const AppCatalogue> from_texts(const std::vector<AppFileText>& files,
                                                        std::vector<AppFileProblem>& problems);

  [[nodiscard]] const std::vector<AppDefinition>& apps() const noexcept { return apps_; }
  [[nodiscard]] std::uint16_t launcher() const noexcept { return launcher_; }
  /// By package, or by the name on the launcher without regard to case; no_index when there is none.
  [[nodiscard]] std::uint16_t find_app(std::string_view package_or_name) const noexcept;
  /// Every dialog that may put itself in the way, as (app, screen).
  [[nodiscard]] const std::vector<std::pair<std::uint16_t, std::uint16_t>>& interruptions() const noexcept {
    return interruptions_;
  }
  /// Apps that the launcher shows, by name.
  [[nodiscard]] const std::vector<std::uint16_t>& shown_apps() const noexcept { return shown_apps_; }

  AppCatalogue() = default;

 private:
  std::vector<AppDefinition> apps_;
  std::vector<std::pair<std::uint16_t, std::uint16_t>> interruptions_;
  std::vector<std::uint16_t> shown_apps_;
  std::uint16_t launcher_ = no_index;
};

}  // namespace drover::devices::simulated
