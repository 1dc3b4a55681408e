#pragma once

#include <CLI/CLI.hpp>

namespace drover::cli {

/// `drover model`: serves the built-in rules as a model server until Ctrl-C or a
/// termination signal, then prints what was served. Exit 0, or 2 where it can't listen.
void add_model_command(CLI::App& app, int& exit_code);

}  // namespace drover::cli
