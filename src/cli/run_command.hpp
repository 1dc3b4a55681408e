#pragma once

#include <CLI/CLI.hpp>

namespace drover::cli {

/// `drover run`: a batch from a configuration file, or one task now. The exit
/// code is the first that holds of configuration, internal, interrupted, failed,
/// infrastructure, no device, budget, agent, in doubt, nothing selected, success.
void add_run_command(CLI::App& app, int& exit_code);

}  // namespace drover::cli
