#pragma once

#include <yaml-cpp/yaml.h>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <string>
#include <variant>

#include "config/configuration.hpp"

namespace drover::config {

/// A key of an object or a place in a list.
using PathPart = std::variant<const char*, std::size_t>;
using Path = std::initializer_list<PathPart>;

/// Where the values of a configuration come from: lines of the file, options of
/// the command line, environment variables.
class Origins {
 public:
  Origins(std::string file, YAML::Node root) : file_(std::move(file)), root_(std::move(root)) {}

  void set_over(const Setting& setting) { options_[setting.key] = setting.option; }
  /// What set the value of a key over the file's; empty when the file's stands.
  [[nodiscard]] std::string option_of(const std::string& key) const;

  /// A problem of the value at `path`: with the line of the value, or of the
  /// nearest thing above it that is there; or with the option that set it.
  [[nodiscard]] Problem problem(Path path, std::string message) const;

 private:
  std::string file_;
  YAML::Node root_;
  std::map<std::string, std::string> options_;
};

}  // namespace drover::config
