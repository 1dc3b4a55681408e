#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.hpp"
#include "core/error.hpp"
#include "devices/simulated/simulated_phones.hpp"

namespace drover::cli {

/// What the command line of `drover run` says.
struct RunOptions {
  std::string file;  ///< Empty: drover.yaml.
  std::optional<std::string> goal;
  std::string device;
  std::vector<std::string> assert_visible;
  bool describe = false;
  bool check = false;
  bool dump_config = false;
  bool require_assertions = false;
  std::string expect;
  std::string output = "text";
  std::string progress = "auto";
  std::optional<std::string> run_id;
  std::optional<std::string> seed;
  std::optional<std::string> time_scale;
  std::optional<std::string> journal;
  std::optional<std::string> phones;
  std::optional<std::string> parallel;
};

/// What a run is made from.
struct RunConfiguration {
  config::Configuration configuration;
  /// Of the simulated phones; null where there are none.
  std::shared_ptr<const devices::simulated::AppCatalogue> apps;
  bool built_in = false;  ///< There is no file: see configuration_of().
};

/// Loads the configuration that the options name, with what they set over it, and the
/// app files of its phones. A goal where no file is named and no drover.yaml is here
/// runs on the built-in configuration: eight simulated phones with the shipped apps,
/// which are looked for in `configs/apps` of the tree that the program was built in,
/// and the built-in model server. Warnings are said. Errors: all that is wrong with
/// the file and its app files at once.
Result<RunConfiguration> configuration_of(const RunOptions& options);

/// The configuration for questions outside of a run: the providers of a file (empty:
/// drover.yaml) with those that are named in the place of the planner's, in this order,
/// whose keys have to be there; none: the planner's. The planner need not be on, and no
/// apps are looked for. A `model` that is not empty stands in the place of the first
/// one's; what the file states of another model, its price and its capabilities, does
/// not hold for it. Warnings are said. Errors: all that is wrong with the file at once.
Result<config::Configuration> provider_configuration(const std::string& file, const std::vector<std::string>& providers,
                                                     const std::string& model);

}  // namespace drover::cli
