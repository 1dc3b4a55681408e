#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/configuration.hpp"
#include "config/yaml_fields.hpp"

namespace drover::config {

/// A task as a file states it: what it leaves out comes from the file's defaults.
struct TaskEntry {
  std::string id;
  std::string goal;
  std::string app;
  std::vector<std::string> tags;
  std::vector<Assertion> assertions;
  std::optional<std::uint32_t> max_steps;
  std::optional<Duration> timeout;
  std::string device;
  std::vector<std::string> roles;
  std::uint32_t priority = 1;
};

/// A whole file as it stands.
struct FileEntry {
  Configuration configuration;
  std::vector<TaskEntry> tasks;
};

/// The options of a configuration file, all of them: what the loader reads and
/// what the published schema says.
const Section<FileEntry>& file_section();

}  // namespace drover::config
