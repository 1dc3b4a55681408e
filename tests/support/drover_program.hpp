#pragma once

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "support/places.hpp"

namespace drover::test {

/// How a command line of the program ended, and what it said on both outputs.
struct ProgramRun {
  int exit_code = -1;  ///< 128 and the signal's number where a signal ended it.
  std::string said;
};

/// Runs a command line through the shell; no input.
inline ProgramRun run_command_line(const std::string& line) {
  ProgramRun run;
  FILE* pipe = popen((line + " </dev/null 2>&1").c_str(), "r");
  if (pipe == nullptr) return run;
  char block[4096];
  while (const std::size_t got = fread(block, 1, sizeof block, pipe)) run.said.append(block, got);
  const int status = pclose(pipe);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return run;
}

/// Runs `drover ARGUMENTS`, `before` in front of it.
inline ProgramRun run_drover(const std::string& arguments, const std::string& before = "") {
  return run_command_line(before + " " + drover::test::program_file() + " " + arguments);
}

}  // namespace drover::test
