#pragma once

#include "config/configuration_sections.hpp"
#include "config/origins.hpp"
#include "config/yaml_fields.hpp"

namespace drover::config {

/// Makes a configuration of what a file says: fills defaults in, fetches keys, and
/// checks what no option can tell alone (names that must be there, files beside the
/// configuration, phones that tasks ask for). Of `overrides`, the device and the
/// folder of shipped apps; its settings are in `entry` already.
Configuration complete(FileEntry entry, const Origins& origins, const Overrides& overrides, Reading& reading);

}  // namespace drover::config
