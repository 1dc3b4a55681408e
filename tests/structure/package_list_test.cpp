#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "support/places.hpp"

namespace {

std::string text_of(const std::string& name) {
  std::ifstream file(drover::test::source_folder() + "/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The packages that scripts/install-packages knows, those of a release or all of them.
std::set<std::string> listed_packages() {
  const std::string script = text_of("scripts/install-packages");
  std::set<std::string> packages;
  const std::regex list(R"((?:build|test)=\(([^)]*)\))");
  for (std::sregex_iterator found(script.begin(), script.end(), list), end; found != end; ++found) {
    std::istringstream words((*found)[1].str());
    for (std::string word; words >> word;) packages.insert(word);
  }
  return packages;
}

/// What the CMake files look for, by the names they give it.
std::set<std::string> required_libraries() {
  std::set<std::string> names;
  const std::regex package(R"(find_package\((\w[\w-]*))");
  const std::regex module(R"(pkg_check_modules\(\w+ REQUIRED (?:IMPORTED_TARGET )?([^)]+)\))");
  for (const char* file :
       {"CMakeLists.txt", "cmake/ProjectOptions.cmake", "tests/CMakeLists.txt", "bench/CMakeLists.txt"}) {
    const std::string text = text_of(file);
    for (const auto& form : {package, module}) {
      for (std::sregex_iterator found(text.begin(), text.end(), form), end; found != end; ++found) {
        std::istringstream words((*found)[1].str());
        for (std::string word; words >> word;) names.insert(word);
      }
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every library that the CMake files require stands in the package list") {
  const std::map<std::string, std::string> package_of = {
      {"Threads", "g++"},
      {"nlohmann_json", "nlohmann-json3-dev"},
      {"Boost", "libboost-url1.81-dev"},
      {"OpenSSL", "libssl-dev"},
      {"spdlog", "libspdlog-dev"},
      {"RocksDB", "librocksdb-dev"},
      {"CLI11", "libcli11-dev"},
      {"pugixml", "libpugixml-dev"},
      {"yaml-cpp", "libyaml-cpp-dev"},
      {"PNG", "libpng-dev"},
      {"CAF", "libcaf-dev"},
      {"PkgConfig", "pkg-config"},
      {"libturbojpeg", "libturbojpeg0-dev"},
      {"libdeflate", "libdeflate-dev"},
      {"libtcmalloc_minimal", "libgoogle-perftools-dev"},
      {"libxxhash", "libxxhash-dev"},
      {"pangocairo", "libpango1.0-dev"},
  };
  const auto listed = listed_packages();
  const auto required = required_libraries();
  CHECK(required.size() >= package_of.size());
  for (const auto& name : required) {
    INFO("CMake requires " << name);
    const auto package = package_of.find(name);
    REQUIRE(package != package_of.end());
    CHECK(listed.count(package->second) == 1);
  }
}
