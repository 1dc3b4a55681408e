#pragma once

#include <CLI/CLI.hpp>

namespace drover::cli {

/// Adds `drover decisions` with `ask` and `replay` below it. `exit_code` becomes what
/// the program has to end with.
void add_decision_commands(CLI::App& app, int& exit_code);

}  // namespace drover::cli
