#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "core/scene.hpp"
#include "devices/ui_dump.hpp"
#include "support/places.hpp"

namespace drover::test {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::filesystem::path fixture_path(std::string_view name) {
  return std::filesystem::path{drover::test::source_folder()} / "tests/devices/fixtures" / name;
}

inline std::string fixture(std::string_view name) { return read_file(fixture_path(name)); }

/// A hierarchy around the given nodes.
inline std::string hierarchy(std::string_view nodes) {
  return "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">" + std::string{nodes} +
         "</hierarchy>";
}

/// The scene of a dump that must be readable.
inline Scene scene_of(std::string_view dump, devices::ScreenGeometry geometry = {}) {
  auto scene = devices::parse_ui_dump(dump, geometry);
  if (!scene) FAIL(scene.error().describe());
  return *scene;
}

inline Error error_of(std::string_view dump) {
  auto scene = devices::parse_ui_dump(dump);
  REQUIRE_FALSE(scene.ok());
  return scene.error();
}

/// The first element with that label; the test fails when there is none.
inline const Element& element_labelled(const Scene& scene, std::string_view label) {
  for (const auto& element : scene.elements) {
    if (element.label == label) return element;
  }
  FAIL("no element is labelled \"" << label << "\"");
  throw 0;
}

inline bool has_label(const Scene& scene, std::string_view label) {
  for (const auto& element : scene.elements) {
    if (element.label == label) return true;
  }
  return false;
}

}  // namespace drover::test
