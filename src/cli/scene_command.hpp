#pragma once

#include <CLI/CLI.hpp>

namespace drover::cli {

/// `drover scene FILE.xml`: prints a UI dump as a model would see it: page name, scene
/// text, how many elements there are and how many tokens they take, against the dump
/// as it is. Ends with 0; with 2 for a file that can't be read and for one that holds
/// no screen, with what it holds instead.
void add_scene_command(CLI::App& app, int& exit_code);

}  // namespace drover::cli
