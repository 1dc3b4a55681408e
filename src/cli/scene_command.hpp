#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>

namespace drover::cli {

struct SceneOptions {
  std::string file;             ///< `-`: standard input.
  std::string output = "text";  ///< text or json.
  int width = 0;                ///< Of the phone's screen; 0: as the dump says.
  int height = 0;
};

/// Prints a UI dump as a model would see it: page name, scene text, how many
/// elements there are and how many tokens they take, against the dump as it is.
/// Returns 0; 2 for a file that can't be read and for one that holds no screen, with
/// what it holds instead.
int run_scene_command(const SceneOptions& options, std::istream& in, std::ostream& out, std::ostream& err);

/// `drover scene FILE.xml`: adds the command to `app`; its result goes into `exit_code`.
void add_scene_command(CLI::App& app, int& exit_code);

}  // namespace drover::cli
