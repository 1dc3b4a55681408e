#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.hpp"
#include "core/model_faults.hpp"
#include "core/simulation.hpp"

namespace drover::config {

/// What a file of faults for the built-in model server says.
struct ModelFaultsFile {
  std::optional<std::uint64_t> seed{};
  /// The shares, lies and requests per minute that options of the command line state as
  /// well. What the file leaves out has the value that the option has by itself.
  ModelServerSettings behaviour;
  ModelFaultSettings faults;
};

struct LoadedModelFaults {
  ModelFaultsFile file;           ///< Of use only when there is no problem.
  std::vector<Problem> problems;  ///< All of them at once, with their lines.
};

inline constexpr std::size_t largest_faults_file = std::size_t{1} << 20;
inline constexpr std::size_t most_storms = 1000;

/// Reads YAML or JSON of at most 1 MiB. `${NAME}` is replaced from the environment;
/// no problem's message holds a secret that came so.
/// Unknown keys are refused with the nearest known name, and so are shares that add up
/// to more than 1: one request has one fault.
LoadedModelFaults load_model_faults(const std::string& path, const Environment& environment);
/// The same for a text that stands for a file.
LoadedModelFaults read_model_faults(const std::string& text, const std::string& file, const Environment& environment);

}  // namespace drover::config
