#pragma once

#include <CLI/CLI.hpp>

namespace drover::cli {

/// `drover runs`, `drover history RUN [TASK]`: what the journal holds, also while
/// another process writes it. Tables for people,
/// `--output json` for programs. Exit 0, or 2 where the journal or the run is
/// not there.
void add_journal_commands(CLI::App& app, int& exit_code);

}  // namespace drover::cli
