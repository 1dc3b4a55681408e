#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>

#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/phone_model.hpp"

using namespace drover;
using namespace drover::devices;
using namespace drover::devices::simulated;

TEST_CASE("the app files of the project load") {
  const auto apps = load_apps(DROVER_SOURCE_DIR "/configs/apps");
  INFO((apps ? std::string() : apps.error().cause));
  REQUIRE(apps);
}
